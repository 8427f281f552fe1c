import { everyRow, type Sql } from '../../context.ts';
import { type Cause, radiusResponse, type replies } from './radius-response.ts';

const everyResponse = everyRow(radiusResponse, 'responses are stored independently of who may view them');

/** A response as it is stored. */
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

/** Columns of the log, in the order of `responseCells`. */
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

/** Stores a few responses, for tests; a node uses its log writer. */
export async function writeResponses(client: Sql, responses: readonly StoredResponse[]): Promise<void> {
  const places = responseColumns.map((_, index) => `$${index + 1}`);
  for (const response of responses)
    await client.query(
      `insert into ${everyResponse} (${responseColumns.join(', ')}) values (${places.join(', ')})`,
      responseCells(response),
    );
}
