import type pg from 'pg';
import { defaultRole } from '../../policy/role/role.ts';

/** Somebody who is heard on a port. */
export interface HeardAddress {
  mac: string;
  portID: number;
}

/*
 * Adapters come first: of two who hear the same address for the first time one makes it, and only that one makes a host.
 * The foreign key looks when the statement is over.
 */
const rogueSql = `with heard as materialized (
    select h.mac, h."portID" as port_id, nextval(pg_get_serial_sequence('host', 'id')) as host_id
    from jsonb_to_recordset($1::jsonb) h(mac text, "portID" bigint)
    where not exists (select from adapter a where a.physical_address = h.mac)
    order by h.mac
  ), made as (
    insert into adapter (physical_address, host_id, media_type, vendor_name, vendor_oui, enabled, creation_time, auth_type, attributes)
    select h.mac, h.host_id, case p.port_type when 1 then 'WIRELESS' when 2 then 'VPN' else 'WIRED' end, v.name, v.code, true, now(), 'NONE', '[]'
    from heard h
    left join port p on p.id = h.port_id
    left join lateral mac_vendor(h.mac) v on true
    on conflict do nothing
    returning host_id
  )
  insert into host (id, type, enabled, authenticated, role_id, role_source, device_type, creation_time, agent_update_attempts, managed_by_mdm,
    scan_required, re_validation, re_validation_interval, attributes)
  select m.host_id, 1, true, false, r.id, 'DEFAULT', t.id, now(), 0, false, false, false, 0, '[]'
  from made m, role r, device_type t
  where r.name = $2 and t.tag = 'unknown'`;

/** Makes an adapter and a rogue host of every address that nobody knows: one statement for all, without audit rows, as nobody asked for them. */
export async function makeRogues(client: pg.PoolClient, heard: readonly HeardAddress[]): Promise<number> {
  if (heard.length === 0) return 0;
  const { rowCount } = await client.query(rogueSql, [JSON.stringify(heard), defaultRole]);
  return rowCount ?? 0;
}
