import type { Runtime } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { anyEvent, type EventEntry } from '../../kernel/declare/event-type.ts';
import { radiusNasSecretMismatch, radiusNasUnknown } from '../radius-response/radius-response.events.ts';
import type { AccessDevice } from './access-devices.ts';

const againMs = 3_600_000;
const rememberedMax = 1_000;

/** Emits an event for addresses whose packets are not answered, once an hour for each and each reason. */
export class RefusedSources {
  readonly #runtime: Runtime;
  readonly #monotonicMs: () => number;
  readonly #onError: (error: Error) => void;
  readonly #reportedMs = new Map<string, number>();

  constructor(runtime: Runtime, monotonicMs: () => number, onError: (error: Error) => void) {
    this.#runtime = runtime;
    this.#monotonicMs = monotonicMs;
    this.#onError = onError;
  }

  /** Reports a packet from an address that no access device has. */
  unknown(address: string): void {
    const element = { id: 0, name: 'RADIUS' };
    this.#emitOnce(`unknown ${address}`, anyEvent({ type: radiusNasUnknown, element, attributes: { address } }));
  }

  /** Reports a device that signs its packets with another secret than the stored one. */
  badlySigned({ id, name, address }: AccessDevice): void {
    this.#emitOnce(
      `signed ${address}`,
      anyEvent({ type: radiusNasSecretMismatch, element: { id, name }, ip: address }),
    );
  }

  #isDue(what: string): boolean {
    const now = this.#monotonicMs();
    if (now - (this.#reportedMs.get(what) ?? Number.NEGATIVE_INFINITY) < againMs) return false;
    this.#reportedMs.delete(what);
    this.#reportedMs.set(what, now);
    if (this.#reportedMs.size > rememberedMax) this.#reportedMs.delete(this.#reportedMs.keys().next().value!);
    return true;
  }

  #emitOnce(what: string, event: EventEntry): void {
    if (!this.#isDue(what)) return;
    this.#runtime
      .transact(systemOrigin('radius'), ({ emit }) => emit(event))
      .catch((error: Error) => {
        // The next packet tries again.
        this.#reportedMs.delete(what);
        this.#onError(error);
      });
  }
}
