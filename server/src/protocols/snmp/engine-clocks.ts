import { BoundedMap } from './bounded-map.ts';

/** The time of an engine, from authentic messages. */
interface Clock {
  boots: number;
  /** The newest time in an authentic message; never decreases within one `boots`. */
  time: number;
  /** Time of reception, by the monotonic clock. */
  receivedMs: number;
}

/** Seconds by which a message may be older than the clock of its engine. */
const windowSeconds = 150;
/**
 * How long signatures are kept. A trap may be 150 s older than its engine's clock; an inform uses the receiver's clock
 * and may be 150 s newer too, so that it can be replayed for twice as long.
 */
export const replaySeconds = 2 * windowSeconds + 30;
const bootsMax = 0x7fff_ffff;

/** A stored clock: the signed time, and how many seconds ago it was received. */
export interface KnownClock {
  engineId: Buffer;
  boots: number;
  time: number;
  ageSeconds: number;
}

/** Distinguishes current from replayed messages: RFC 3414 section 3.2 step 7b, for remote authoritative engines. */
export class EngineClocks {
  readonly #clocks: BoundedMap<string, Clock>;
  readonly #nowMs: () => number;
  /** Engines whose clock has changed since the last `takeChanged`; true if the engine has restarted since. */
  readonly #changed = new Map<string, boolean>();

  constructor(enginesMax = 8_192, nowMs: () => number = () => performance.now()) {
    this.#clocks = new BoundedMap(enginesMax);
    this.#nowMs = nowMs;
  }

  /** Returns boots and time for a request to the engine; undefined before its first message. */
  now(engineId: Buffer): { boots: number; time: number } | undefined {
    const clock = this.#clocks.get(engineId.toString('hex'));
    return clock && { boots: clock.boots, time: this.#timeOf(clock) };
  }

  /**
   * Stores the time of an authentic message if it is newer, and returns whether the message is within the time window.
   */
  admit(engineId: Buffer, boots: number, time: number): boolean {
    const id = engineId.toString('hex');
    const clock = this.#clocks.get(id);
    if (!clock || boots > clock.boots || (boots === clock.boots && time > clock.time)) {
      this.#clocks.set(id, { boots, time, receivedMs: this.#nowMs() });
      this.#changed.set(id, this.#changed.get(id) === true || boots !== clock?.boots);
      return boots !== bootsMax;
    }
    if (boots < clock.boots || boots === bootsMax) return false;
    return time >= this.#timeOf(clock) - windowSeconds;
  }

  /**
   * True if an engine is new or has restarted since the last `takeChanged`: its clock must be stored before its
   * notifications.
   */
  get hasStarted(): boolean {
    for (const started of this.#changed.values()) if (started) return true;
    return false;
  }

  /** Returns the clocks that changed since the last call. */
  takeChanged(): KnownClock[] {
    const ids = [...this.#changed.keys()];
    this.#changed.clear();
    return ids.flatMap((id) => {
      const clock = this.#clocks.get(id);
      if (!clock) return [];
      const ageSeconds = Math.max(0, (this.#nowMs() - clock.receivedMs) / 1_000);
      return [{ engineId: Buffer.from(id, 'hex'), boots: clock.boots, time: clock.time, ageSeconds }];
    });
  }

  /** Adds a clock that another node, or this one before its start, has stored. A newer clock in memory stays. */
  learn({ engineId, boots, time, ageSeconds }: KnownClock): void {
    const id = engineId.toString('hex');
    const clock = this.#clocks.get(id);
    if (clock && (clock.boots > boots || (clock.boots === boots && clock.time >= time))) return;
    this.#clocks.set(id, { boots, time, receivedMs: this.#nowMs() - ageSeconds * 1_000 });
  }

  #timeOf({ time, receivedMs }: Clock): number {
    return time + Math.floor((this.#nowMs() - receivedMs) / 1_000);
  }
}

/** Checks the time window of the receiver's own engine: RFC 3414 section 3.2 step 7a, in both directions. */
export const isInOwnWindow = (ownClock: { boots: number; time: number }, boots: number, time: number): boolean =>
  ownClock.boots !== bootsMax && boots === ownClock.boots && Math.abs(time - ownClock.time) <= windowSeconds;
