import { everyRow, type Sql } from '../../context.ts';
import { type Cause, radiusResponse, type replies } from './radius-response.ts';

const everyResponse = everyRow(radiusResponse, 'what was answered is stored for everybody who sees it');

/** An answer as it is stored. */
export interface StoredResponse {
  callingStationId: string | null;
  username: string | null;
  deviceID: number;
  nas: string;
  nasPort: string | null;
  ssid: string | null;
  outerEapType: string | null;
  eapType: string | null;
  reply: (typeof replies)[number];
  cause: Cause;
  message: string;
  decisionID: string | null;
  durationMs: number;
  clusterNode: string;
}

export const responseTable = 'radius_response';

/** Columns of the log and the cells of a row, in one order. */
export const responseColumns = [
  'calling_station_id',
  'username',
  'device_id',
  'nas',
  'nas_port',
  'ssid',
  'outer_eap_type',
  'eap_type',
  'reply',
  'cause',
  'message',
  'decision_id',
  'duration_ms',
  'cluster_node',
] as const;

export const responseCells = (response: StoredResponse): unknown[] => [
  response.callingStationId,
  response.username,
  response.deviceID,
  response.nas,
  response.nasPort,
  response.ssid,
  response.outerEapType,
  response.eapType,
  response.reply,
  response.cause,
  response.message,
  response.decisionID,
  response.durationMs,
  response.clusterNode,
];

/** Stores a few answers; those of a node go through its log writer. */
export async function writeResponses(client: Sql, responses: readonly StoredResponse[]): Promise<void> {
  const places = responseColumns.map((_, index) => `$${index + 1}`);
  for (const response of responses)
    await client.query(
      `insert into ${everyResponse} (${responseColumns.join(', ')}) values (${places.join(', ')})`,
      responseCells(response),
    );
}
