import { type Throttle, throttle } from '../../context.ts';
import { anyEvent } from '../../kernel/declare/event-type.ts';
import {
  accessValueUnresolved,
  radiusAuthFailure,
  radiusDecisionSlow,
  userAuthenticated,
  userAuthenticationFailed,
} from '../radius-response/radius-response.events.ts';
import type { Cause } from '../radius-response/radius-response.ts';
import type { AfterReply } from './after-reply.ts';
import { nameMax, storable } from './storable.ts';
import type { AnsweredRequest } from './write-answers.ts';

/** Interval in which a failure is reported once per MAC address and cause. */
const failureMs = 300_000;
/** Interval in which a missing value is reported once per device and logical network. */
const unresolvedMs = 3_600_000;
/** Limit on the cached times of reports; beyond it, the oldest reports may be repeated. */
const rememberedMax = 10_000;
/** Limit per node and second on the events of logins and on those of rejects. The log of responses has all of them. */
const eventsPerSecond = 50;

const intervalMs = 60_000;
const slowMs = 1_000;
/** Minimum number of replies for a meaningful percentile. */
const answersMin = 20;
const answersMax = 10_000;

/** Emits the events of replies after they were sent, at a limited rate. */
export class AnswerEvents {
  readonly #afterReply: AfterReply;
  readonly #node: string;
  readonly #monotonicMs: () => number;
  readonly #throttle: Throttle;
  readonly #reportedMs = new Map<string, number>();
  #durations: number[] = [];
  #intervalStartMs: number;
  #wasSlow = false;

  constructor(afterReply: AfterReply, node: string, monotonicMs: () => number) {
    this.#afterReply = afterReply;
    this.#node = node;
    this.#monotonicMs = monotonicMs;
    this.#throttle = throttle({ perSecond: eventsPerSecond, burst: eventsPerSecond }, monotonicMs);
    this.#intervalStartMs = monotonicMs();
  }

  answered(answered: AnsweredRequest, outcome: { cause: Cause; message: string; tookMs: number }): void {
    this.#measure(outcome.tookMs);
    if (answered.login && this.#isAdmitted('login')) this.#reportLogin(answered, outcome.message);
    if (outcome.cause !== 'NONE') this.#reportReject(answered, outcome);
    if (answered.unresolved !== undefined) this.#reportUnresolved(answered, answered.unresolved, outcome.message);
  }

  #reportLogin({ request, method, device, portName, login, hostID }: AnsweredRequest, message: string): void {
    const name = storable(request.userName, nameMax);
    this.#afterReply.event(
      anyEvent({
        type: login!.isAuthenticated ? userAuthenticated : userAuthenticationFailed,
        element: { id: login!.userID ?? 0, name },
        message,
        ...elementsOf(request.mac, hostID),
        userName: name.slice(0, userNameMax),
        location: locationOf(device.name, portName ?? request.portName),
        attributes: { method, device: device.name, mac: request.mac ?? 'none' },
      }),
    );
  }

  #reportReject({ request, device, hostID }: AnsweredRequest, { cause, message }: { cause: Cause; message: string }) {
    const subject = request.mac ?? `device ${device.id}`;
    if (!this.#isDue(`reject ${subject} ${cause}`, failureMs) || !this.#isAdmitted('reject')) return;
    this.#afterReply.failureEvent(
      anyEvent({
        type: radiusAuthFailure,
        element: { id: device.id, name: device.name },
        message,
        ...elementsOf(request.mac, hostID),
        userName: storable(request.userName, nameMax).slice(0, userNameMax),
        attributes: { cause, mac: request.mac ?? 'none' },
      }),
    );
  }

  #reportUnresolved({ request, device, portName, hostID }: AnsweredRequest, network: string, message: string): void {
    if (!this.#isDue(`unresolved ${device.id} ${network}`, unresolvedMs)) return;
    this.#afterReply.event(
      anyEvent({
        type: accessValueUnresolved,
        element: { id: device.id, name: device.name },
        message,
        ...elementsOf(request.mac, hostID),
        location: locationOf(device.name, portName ?? null),
        attributes: { network },
      }),
    );
  }

  /** Evaluates an interval when the first reply after it is recorded. */
  #measure(tookMs: number): void {
    const now = this.#monotonicMs();
    if (now - this.#intervalStartMs >= intervalMs) {
      this.#judge();
      this.#intervalStartMs = now;
      this.#durations = [];
    }
    if (this.#durations.length < answersMax) this.#durations.push(tookMs);
  }

  #judge(): void {
    const answers = this.#durations.length;
    if (answers < answersMin) return;
    const sorted = this.#durations.toSorted((a, b) => a - b);
    const p95 = sorted[Math.ceil(0.95 * answers) - 1]!;
    const isSlow = p95 > slowMs;
    if (isSlow && !this.#wasSlow)
      this.#afterReply.event(
        anyEvent({
          type: radiusDecisionSlow,
          element: { id: 0, name: this.#node },
          attributes: { p95: Math.round(p95), answers },
        }),
      );
    this.#wasSlow = isSlow;
  }

  #isAdmitted(kind: 'login' | 'reject'): boolean {
    try {
      this.#throttle.admit(kind);
      return true;
    } catch {
      return false;
    }
  }

  #isDue(key: string, againMs: number): boolean {
    const now = this.#monotonicMs();
    if (now - (this.#reportedMs.get(key) ?? Number.NEGATIVE_INFINITY) < againMs) return false;
    this.#reportedMs.delete(key);
    this.#reportedMs.set(key, now);
    if (this.#reportedMs.size > rememberedMax) this.#reportedMs.delete(this.#reportedMs.keys().next().value!);
    return true;
  }
}

/** Characters of a user name in an event. */
const userNameMax = 120;

const elementsOf = (mac: string | null, hostID: number | null | undefined) => ({
  ...(mac !== null && { mac }),
  ...(hostID != null && { hostID }),
});

const locationOf = (device: string, port: string | null): string =>
  storable(port === null ? device : `${device}:${port}`, 300);
