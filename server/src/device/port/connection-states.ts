import type pg from 'pg';
import { everyRow } from '../../context.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { port } from './port.ts';

const everyAdapter = everyRow(adapter, 'the state of a port follows from all that is connected to it');
const everyHost = everyRow(host, 'the state of a port follows from all that is connected to it');
const everyPort = everyRow(port, 'the state of a port follows from all that is connected to it');

/*
 * connectionState of a port, in order of precedence: an uplink; a phone with a host behind it (6, 7), several hosts
 * (5), a host that is disabled (12) or at risk (13), a phone (3), a device (4), a registered host (1), a rogue (2).
 * Phones never count as hosts.
 */
const stateSql = `select case
    when count(*) = 0 then 0
    when bool_or(x.is_phone) and count(distinct x.host) filter (where not x.is_phone) = 1 then
      case when bool_or(x.type = 1 and not x.is_phone) then 6 else 7 end
    when count(distinct x.host) filter (where not x.is_phone) > 1 then 5
    when bool_or(not x.enabled) then 12
    when bool_or(x.at_risk) then 13
    when bool_or(x.is_phone) then 3
    when bool_or(x.type in (3, 5)) then 4
    when bool_or(x.type = 2) then 1
    else 2 end as state
  from (
    select coalesce(h.id::text, c.mac) as host, coalesce(h.type, 1) as type, coalesce(h.type = 4, false) as is_phone,
      coalesce(h.enabled and a.enabled, true) as enabled,
      exists (select from host_risk k where k.host_id = h.id and k.level = 'AT_RISK') as at_risk
    from connection_active c
    left join ${everyAdapter} a on a.physical_address = c.mac
    left join ${everyHost} h on h.id = a.host_id
    where c.port_id = q.id
  ) x`;

/** Updates the connection state of ports. */
export async function refreshConnectionStates(client: pg.PoolClient, ports: readonly number[]): Promise<void> {
  if (ports.length === 0) return;
  // Locks the ports before the state is computed: two transactions that change the same port would otherwise store a
  // state that was never true.
  await client.query(`select from ${everyPort} p where p.id = any($1::bigint[]) order by p.id for no key update`, [
    ports,
  ]);
  await client.query(
    `update ${everyPort} p set connection_state = s.state
     from (
       select q.id, coalesce(u.kind, x.state) as state
       from ${everyPort} q
       left join port_uplink u on u.port_id = q.id
       cross join lateral (${stateSql}) x
       where q.id = any($1::bigint[])
     ) s
     where p.id = s.id and p.connection_state <> s.state`,
    [ports],
  );
}

/** Updates the connection state of the ports of MAC addresses. */
export async function refreshStatesOfMacs(client: pg.PoolClient, macs: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ port: number }>(
    'select distinct c.port_id as port from connection_active c where c.mac = any($1::text[])',
    [macs],
  );
  await refreshConnectionStates(
    client,
    rows.map(({ port }) => port),
  );
}

/**
 * Returns the ports of a device whose stored state differs from their connections, after a change that did not update
 * it.
 */
export async function portsInWrongState(client: pg.PoolClient, deviceID: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>({
    name: 'port.wrong-states',
    text: `select q.id from ${everyPort} q
     left join port_uplink u on u.port_id = q.id
     cross join lateral (${stateSql}) x
     where q.device_id = $1 and q.connection_state <> coalesce(u.kind, x.state)`,
    values: [deviceID],
  });
  return rows.map(({ id }) => id);
}

/** Updates the connection state of the ports of hosts. */
export async function refreshStatesOfHosts(client: pg.PoolClient, hosts: readonly number[]): Promise<void> {
  const { rows } = await client.query<{ port: number }>(
    `select distinct c.port_id as port from ${everyAdapter} a join connection_active c on c.mac = a.physical_address where a.host_id = any($1::bigint[])`,
    [hosts],
  );
  await refreshConnectionStates(
    client,
    rows.map(({ port }) => port),
  );
}
