import { LogWriter, overloadTeller, type Runtime } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { responseCells, responseColumns, responseTable } from '../radius-response/radius-response.service.ts';
import type { Cause } from '../radius-response/radius-response.ts';
import type { AccessDevice } from './access-devices.ts';
import type { AccessRequest } from './access-request.ts';

/** A request that is answered. */
export interface AnsweredRequest {
  device: AccessDevice;
  request: AccessRequest;
  /** MAB, PAP, CHAP, MS-CHAP, or the EAP method. */
  method: string;
  outerEapType?: string | null;
  /** By the clock that never steps. */
  begunMs: number;
  /** Of the port that was found; absent: as the request has it. */
  portName?: string | null;
  decisionID?: string;
}

/** Text from a packet may have what the database does not store. */
const storable = <T extends string | null>(text: T, max: number): T =>
  (text === null ? null : text.replaceAll('\0', '').slice(0, max)) as T;

/** Writes down each answer with its cause, after it was given. */
export class WrittenAnswers {
  readonly #writer: LogWriter;
  readonly #node: string;

  constructor(runtime: Runtime, node: string, onError: (error: Error) => void) {
    this.#node = node;
    this.#writer = new LogWriter({
      pool: runtime.pool,
      table: responseTable,
      columns: responseColumns,
      onOverload: overloadTeller(runtime, systemOrigin('radius'), responseTable),
      onError: (error) => onError(error as Error),
    });
  }

  add(answered: AnsweredRequest, cause: Cause, message: string): void {
    const { device, request, method, outerEapType = null, begunMs } = answered;
    const { portName = request.portName, decisionID = null } = answered;
    const cells = responseCells({
      callingStationId: request.mac,
      username: storable(request.userName, 253),
      deviceID: device.id,
      nas: device.name,
      nasPort: storable(portName, 255),
      ssid: storable(request.ssid, 32),
      outerEapType,
      eapType: method,
      reply: cause === 'NONE' ? 'ACCEPT' : 'REJECT',
      cause,
      message: storable(message, 500),
      decisionID,
      durationMs: Math.round(performance.now() - begunMs),
      clusterNode: this.#node,
    });
    this.#writer.offer(cells, cause);
  }

  close(): Promise<void> {
    return this.#writer.close();
  }
}
