import { type Counter, type Histogram, LogWriter, type Metrics, type Runtime, reportOverload } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { responseCells, responseColumns, responseTable } from '../radius-response/radius-response.service.ts';
import type { Cause } from '../radius-response/radius-response.ts';
import type { AccessDevice } from './access-devices.ts';
import { AfterReply } from './after-reply.ts';
import { AnswerEvents } from './answer-events.ts';
import type { AccessRequest } from './parse-access-request.ts';
import { methodMax, nameMax, storable } from './storable.ts';

/** A request with the data of its reply. */
export interface AnsweredRequest {
  device: AccessDevice;
  request: AccessRequest;
  /** MAB, PAP, CHAP, MS-CHAP, or the EAP method. */
  method: string;
  outerEapType?: string | null;
  /** Start of the request, by the monotonic clock. */
  begunMs: number;
  /** Name of the port that was found; absent: the name in the request. */
  portName?: string | null;
  decisionID?: string;
  /** A login with a user name; absent: MAC authentication. */
  login?: { isAuthenticated: boolean; userID: number | null };
  hostID?: number | null;
  /** The decided logical network, if it has no value on the device. */
  unresolved?: string;
  /** True for a test login: nothing is stored. */
  isTest: boolean;
}

const replyOf = (cause: Cause) => (cause === 'NONE' ? 'ACCEPT' : 'REJECT');

/** Bounds of the histogram: most replies take a few milliseconds; a switch gives up after some seconds. */
const secondsBounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
const noLabels = {};

/** Logs and counts each reply with its cause, after it was sent. */
export class WrittenAnswers {
  readonly afterReply: AfterReply;
  readonly #events: AnswerEvents;
  readonly #answers: Counter;
  readonly #seconds: Histogram;
  readonly #labels = new Map<Cause, { reply: string; cause: Cause }>();
  readonly #writer: LogWriter;
  readonly #node: string;

  constructor(runtime: Runtime, node: string, metrics: Metrics, onError: (error: Error) => void) {
    this.#answers = metrics.counter(
      'portreeve_radius_answers_total',
      'Replies of the RADIUS service, by reply and cause.',
    );
    this.#seconds = metrics.histogram(
      'portreeve_radius_answer_duration_seconds',
      'Time that the node took to decide a reply.',
      secondsBounds,
    );
    this.#node = node;
    this.afterReply = new AfterReply(runtime, onError);
    this.#events = new AnswerEvents(this.afterReply, node, () => performance.now());
    this.#writer = new LogWriter({
      pool: runtime.pool,
      table: responseTable,
      columns: responseColumns,
      onOverload: reportOverload(runtime, systemOrigin('radius'), responseTable),
      onError: (error) => onError(error as Error),
    });
  }

  add(answered: AnsweredRequest, cause: Cause, message: string): void {
    const { device, request, method, outerEapType = null, begunMs } = answered;
    const { portName = request.portName, decisionID = null } = answered;
    const tookMs = performance.now() - begunMs;
    this.#count(cause, tookMs);
    const cells = responseCells({
      callingStationId: request.mac,
      username: storable(request.userName, nameMax),
      deviceID: device.id,
      nas: device.name,
      nasPort: storable(portName, 255),
      ssid: storable(request.ssid, 32),
      outerEapType: storable(outerEapType, methodMax),
      eapType: storable(method, methodMax),
      reply: replyOf(cause),
      cause,
      message: storable(message, 500),
      decisionID,
      durationMs: Math.round(tookMs),
      clusterNode: this.#node,
    });
    this.#writer.offer(cells, cause);
    this.#events.answered(answered, { cause, message, tookMs });
  }

  #count(cause: Cause, tookMs: number): void {
    const labels = this.#labels.get(cause) ?? { reply: replyOf(cause), cause };
    this.#labels.set(cause, labels);
    this.#answers.add(labels);
    this.#seconds.observe(noLabels, tookMs / 1_000);
  }

  async close(): Promise<void> {
    await this.afterReply.close();
    await this.#writer.close();
  }
}
