import type pg from 'pg';
import { everyRow } from '../../context.ts';
import { port } from '../../device/port/port.ts';
import { defaultRole } from '../../policy/role/role.ts';
import { host } from '../host/host.ts';
import { adapter } from './adapter.ts';

const everyAdapter = everyRow(adapter, 'connections are followed by the service');
const everyHost = everyRow(host, 'connections are followed by the service');
const everyPort = everyRow(port, 'connections are followed by the service');

/** A MAC address learned on a port. */
export interface LearnedAddress {
  mac: string;
  portID: number;
}

/** A rogue host that was created for a MAC address. */
export interface NewRogue {
  hostID: number;
  mac: string;
}

/*
 * Adapters are inserted before their hosts: if two nodes learn the same new address, only one inserts it, and only that one creates a host.
 * This is allowed because PostgreSQL checks the foreign key at the end of the statement.
 */
const rogueSql = `with heard as materialized (
    select h.mac, h."portID" as port_id, nextval(pg_get_serial_sequence('host', 'id')) as host_id
    from jsonb_to_recordset($1::jsonb) h(mac text, "portID" bigint)
    where not exists (select from ${everyAdapter} a where a.physical_address = h.mac)
    order by h.mac
  ), made as (
    insert into ${everyAdapter} (physical_address, host_id, media_type, vendor_name, vendor_oui, enabled, creation_time, auth_type, attributes)
    select h.mac, h.host_id, case p.port_type when 1 then 'WIRELESS' when 2 then 'VPN' else 'WIRED' end, v.name, v.code, true, now(), 'NONE', '[]'
    from heard h
    left join ${everyPort} p on p.id = h.port_id
    left join lateral mac_vendor(h.mac) v on true
    on conflict do nothing
    returning host_id, physical_address
  ), hosts as (
  insert into ${everyHost} (id, type, enabled, authenticated, role_id, role_source, device_type, creation_time, agent_update_attempts, managed_by_mdm,
    scan_required, re_validation, re_validation_interval, attributes)
  select m.host_id, 1, true, false, r.id, 'DEFAULT', t.id, now(), 0, false, false, false, 0, '[]'
  from made m, role r, device_type t
  where r.name = $2 and t.tag = 'unknown'
  returning id
  )
  select h.id as "hostID", m.physical_address as mac from hosts h join made m on m.host_id = h.id order by h.id`;

/** Creates an adapter and a rogue host for every unknown address, in one statement and without audit rows, because no caller requested them. */
export async function makeRogues(client: pg.PoolClient, addresses: readonly LearnedAddress[]): Promise<NewRogue[]> {
  if (addresses.length === 0) return [];
  const { rows } = await client.query<NewRogue>(rogueSql, [JSON.stringify(addresses), defaultRole]);
  return rows;
}
