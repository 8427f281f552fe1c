import type { Runtime } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { radiusNasUnknown } from '../radius-response/radius-response.events.ts';

const againMs = 3_600_000;
const rememberedMax = 1_000;

/** Emits an event for addresses that send packets and are no access devices, once an hour for each. */
export class UnknownSources {
  readonly #runtime: Runtime;
  readonly #monotonicMs: () => number;
  readonly #onError: (error: Error) => void;
  readonly #reportedMs = new Map<string, number>();

  constructor(runtime: Runtime, monotonicMs: () => number, onError: (error: Error) => void) {
    this.#runtime = runtime;
    this.#monotonicMs = monotonicMs;
    this.#onError = onError;
  }

  note(address: string): void {
    const now = this.#monotonicMs();
    if (now - (this.#reportedMs.get(address) ?? Number.NEGATIVE_INFINITY) < againMs) return;
    this.#reportedMs.delete(address);
    this.#reportedMs.set(address, now);
    if (this.#reportedMs.size > rememberedMax) this.#reportedMs.delete(this.#reportedMs.keys().next().value!);
    const element = { id: 0, name: 'RADIUS' };
    this.#runtime
      .transact(systemOrigin('radius'), ({ emit }) =>
        emit({ type: radiusNasUnknown, element, attributes: { address } }),
      )
      .catch(this.#onError);
  }
}
