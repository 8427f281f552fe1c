import { BoundedMap } from './bounded-map.ts';

/** What is known of the time at an engine, from messages that its key has signed. */
interface Clock {
  boots: number;
  /** The newest time it has signed; never goes back within one `boots`. */
  time: number;
  /** When that was heard, by our own steady clock. */
  heardMs: number;
}

const windowSeconds = 150;
const bootsMax = 0x7fff_ffff;

/** Tells a message of now from one that was recorded: RFC 3414 section 3.2 step 7b, for engines that others govern. */
export class EngineClocks {
  readonly #clocks: BoundedMap<string, Clock>;
  readonly #nowMs: () => number;

  constructor(enginesMax = 8_192, nowMs: () => number = () => performance.now()) {
    this.#clocks = new BoundedMap(enginesMax);
    this.#nowMs = nowMs;
  }

  /** What to put into a request to the engine; undefined before it was ever heard. */
  now(engineId: Buffer): { boots: number; time: number } | undefined {
    const clock = this.#clocks.get(engineId.toString('hex'));
    return clock && { boots: clock.boots, time: this.#timeOf(clock) };
  }

  /** Takes the time of an authentic message over, and says whether the message is of now. */
  admit(engineId: Buffer, boots: number, time: number): boolean {
    const id = engineId.toString('hex');
    const clock = this.#clocks.get(id);
    if (!clock || boots > clock.boots || (boots === clock.boots && time > clock.time)) {
      this.#clocks.set(id, { boots, time, heardMs: this.#nowMs() });
      return boots !== bootsMax;
    }
    if (boots < clock.boots || boots === bootsMax) return false;
    return time >= this.#timeOf(clock) - windowSeconds;
  }

  #timeOf({ time, heardMs }: Clock): number {
    return time + Math.floor((this.#nowMs() - heardMs) / 1_000);
  }
}

/** For an engine that we govern ourselves: RFC 3414 section 3.2 step 7a, both ways. */
export const isInOwnWindow = (own: { boots: number; time: number }, boots: number, time: number): boolean =>
  own.boots !== bootsMax && boots === own.boots && Math.abs(time - own.time) <= windowSeconds;
