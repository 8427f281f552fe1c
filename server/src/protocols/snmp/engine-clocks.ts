import { BoundedMap } from './bounded-map.ts';

/** What is known of the time at an engine, from messages that its key has signed. */
interface Clock {
  boots: number;
  /** The newest time it has signed; never goes back within one `boots`. */
  time: number;
  /** When it was received, by the monotonic clock. */
  receivedMs: number;
}

/** Seconds that a message may be behind the time of its engine. */
const windowSeconds = 150;
/**
 * How long signatures are remembered. A trap may be 150 s behind its engine; an inform goes by our own clock and may be as much ahead
 * of it, so that one can be repeated for twice as long.
 */
export const replaySeconds = 2 * windowSeconds + 30;
const bootsMax = 0x7fff_ffff;

/** A clock as it is stored: what was signed, and how long ago it was received. */
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
  /** Engines whose clock is newer than what was last taken to be stored; true: it has started since. */
  readonly #changed = new Map<string, boolean>();

  constructor(enginesMax = 8_192, nowMs: () => number = () => performance.now()) {
    this.#clocks = new BoundedMap(enginesMax);
    this.#nowMs = nowMs;
  }

  /** Boots and time for a request to the engine; undefined before its first message. */
  now(engineId: Buffer): { boots: number; time: number } | undefined {
    const clock = this.#clocks.get(engineId.toString('hex'));
    return clock && { boots: clock.boots, time: this.#timeOf(clock) };
  }

  /** Takes the time of an authentic message over, and says whether the message is of now. */
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

  /** Whether an engine is new, or has started since what was last taken: that is stored before anything it sent. */
  get hasStarted(): boolean {
    for (const started of this.#changed.values()) if (started) return true;
    return false;
  }

  /** The clocks that changed since the last call, as they were received. */
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

  /** Takes over what another node, or this one before it was started, knew. What is known newer stays. */
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

/** For an engine that we govern ourselves: RFC 3414 section 3.2 step 7a, both ways. */
export const isInOwnWindow = (ownClock: { boots: number; time: number }, boots: number, time: number): boolean =>
  ownClock.boots !== bootsMax && boots === ownClock.boots && Math.abs(time - ownClock.time) <= windowSeconds;
