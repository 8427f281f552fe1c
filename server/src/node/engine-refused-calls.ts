/** A call of the engine that was refused without a decision. */
export interface RefusedCall {
  call: string;
  /** Address of the access device. */
  source: string;
  why: string;
}

/** Minimum interval between reports of the same kind. Repeated requests or an overload would otherwise fill the log. */
const quietMs = 10_000;
const kindsMax = 1_000;
const sourceMax = 45;
const whyMax = 300;

/** Reports each refused call with its cause: at once, or as a number in the next report of the same call and cause. */
export class RefusedCalls {
  readonly #monotonicMs: () => number;
  readonly #onError: (error: Error) => void;
  readonly #kinds = new Map<string, { reportedMs: number; unreported: number }>();

  constructor(monotonicMs: () => number, onError: (error: Error) => void) {
    this.#monotonicMs = monotonicMs;
    this.#onError = onError;
  }

  report({ call, source, why }: RefusedCall): void {
    const kind = `${call} ${why}`;
    const nowMs = this.#monotonicMs();
    const last = this.#kinds.get(kind);
    if (last && nowMs - last.reportedMs < quietMs) {
      last.unreported += 1;
      return;
    }
    this.#kinds.delete(kind);
    this.#kinds.set(kind, { reportedMs: nowMs, unreported: 0 });
    if (this.#kinds.size > kindsMax) this.#kinds.delete(this.#kinds.keys().next().value!);
    const repeats = last && last.unreported > 0 ? ` (and ${last.unreported} more since the last report)` : '';
    const packet = JSON.stringify(source.slice(0, sourceMax));
    this.#onError(
      new RefusedCallError(`RADIUS call ${call} for a packet of ${packet} refused: ${why.slice(0, whyMax)}${repeats}`),
    );
  }
}

class RefusedCallError extends Error {
  override readonly name = 'RefusedCall';
}
