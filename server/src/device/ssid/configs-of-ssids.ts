import type { Context } from '../../context.ts';
import { notFound } from '../../kernel/failure.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { ssid } from './ssid.ts';

export const idsMax = 500;

/** The configuration id of an SSID, and its device. */
export interface ConfigOfSsid {
  ssidID: number;
  configID: number;
  deviceID: number;
  device: string;
}

/** Returns the configurations of visible SSIDs, ordered by id. */
export async function configsOf(
  { query, visible }: Context,
  requestedIds: readonly number[] | null,
): Promise<ConfigOfSsid[]> {
  const rows = await query<ConfigOfSsid>(
    `select r.id as "ssidID", c.id as "configID", d.id as "deviceID", d.name as device
     from ${visible(ssid)} r join ssid_config c on c.ssid_id = r.id join ${visible(networkDevice)} d on d.id = r.device_id
     where ($1::bigint[] is null or r.id = any($1))
     order by r.id limit ${idsMax}`,
    [requestedIds],
  );
  const unknown = requestedIds?.find((id) => !rows.some(({ ssidID }) => ssidID === id));
  if (unknown !== undefined) throw notFound(ssid.title, unknown);
  return rows;
}
