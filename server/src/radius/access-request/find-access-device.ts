import type pg from 'pg';
import { everyRow } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { isProfileOfDevice } from './access-devices.ts';

const everyDevice = everyRow(networkDevice, 'a user of the command line on the node may test any access device');

/** A device, and the conditions for an answer to its requests. */
export interface FoundDevice {
  id: number;
  name: string;
  address: string | null;
  isEnabled: boolean;
  hasSecret: boolean;
  /** The profile that handles its packets; null: the profile is disabled. */
  profileID: number | null;
  authPort: number;
}

const deviceSql = `select d.id, d.name, host(d.ip_address) as address, d.radius_enabled as "isEnabled", d.radius_secret is not null as "hasSecret",
  (select p.id from server_configuration p where ${isProfileOfDevice}) as "profileID",
  (select g.auth_port from radius_global g) as "authPort"
from ${everyDevice} d where d.name = $1 or host(d.ip_address) = $1 or d.id::text = $1
order by d.name = $1 desc, host(d.ip_address) = $1 desc limit 1`;

/** Finds a device by name, address or id. */
export async function findAccessDevice(pool: Pick<pg.Pool, 'query'>, word: string): Promise<FoundDevice | undefined> {
  return (await pool.query<FoundDevice>(deviceSql, [word])).rows[0];
}
