import type pg from 'pg';
import { everyRow } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { isProfileOfDevice } from './access-devices.ts';

const everyDevice = everyRow(networkDevice, 'who works on the node itself may name any access device');

/** A device, and what stands between it and an answer. */
export interface FoundDevice {
  id: number;
  name: string;
  address: string | null;
  isEnabled: boolean;
  hasSecret: boolean;
  /** The profile that its packets are answered by; null: it is disabled. */
  profileID: number | null;
  authPort: number;
}

const deviceSql = `select d.id, d.name, host(d.ip_address) as address, d.radius_enabled as "isEnabled", d.radius_secret is not null as "hasSecret",
  (select p.id from server_configuration p where ${isProfileOfDevice}) as "profileID",
  (select g.auth_port from radius_global g) as "authPort"
from ${everyDevice} d where d.name = $1 or host(d.ip_address) = $1 or d.id::text = $1
order by d.name = $1 desc, host(d.ip_address) = $1 desc limit 1`;

/** A device by its name, its address or its number. */
export async function findAccessDevice(pool: Pick<pg.Pool, 'query'>, word: string): Promise<FoundDevice | undefined> {
  return (await pool.query<FoundDevice>(deviceSql, [word])).rows[0];
}
