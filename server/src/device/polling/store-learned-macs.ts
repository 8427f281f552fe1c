import { everyRow } from '../../context.ts';
import { port } from '../port/port.ts';

const everyPort = everyRow(port, 'a poll is work of the service');
/** SQL: the port is physical and up. A MAC address that two such ports learn at once is counted for two devices. */
const isUpSocket = (port: string): string =>
  `exists (select from ${everyPort} p where p.id = ${port} and p.port_type in (0, 3) and p.ifoper_status = 1)`;

const learnedSql = (parameter: string): string =>
  `select h.mac, h."portID" as port_id, h.vlan from jsonb_to_recordset(${parameter}::jsonb) h(mac text, "portID" bigint, vlan text)`;

/** What observed a connection: a poll or trap, or an access request or accounting. A connection that both observed is of source BOTH. */
export type Observer = 'SNMP' | 'RADIUS';

/** SQL: the row `a` of a connection must be written again; an unchanged one is skipped for five minutes. */
const isNews = (learnedRow: string, observer: Observer): string =>
  `(a.port_id <> ${learnedRow}.port_id or a.vlan <> ${learnedRow}.vlan or a.misses > 0 or a.last_seen < now() - interval '5 minutes'
    or a.source not in ('${observer}', 'BOTH'))`;

/**
 * SQL: interim updates of accounting show that the connection `a` is open. A switch forgets the MAC address of a host that sends
 * nothing, so a poll without it does not close such a connection. After three missed interim updates the session is lost.
 */
export const isAccountedSql = `coalesce(a.counted_at > now() - make_interval(secs => 3 * a.interim_seconds + 30), false)`;

/** Locks the connections of addresses in one order for all transactions, which prevents deadlocks. */
export const holdAddressesSql = `select from connection_active a where a.mac = any($1::text[]) order by a.mac for update`;

/** Locks the connections that a forwarding table of device $1 changes, and no others: a row lock writes the row. */
export const holdReadingSql = `with heard as (${learnedSql('$2')})
select from connection_active a
left join heard h on h.mac = a.mac
where a.mac in (select e.mac from heard e union select c.mac from connection_active c where c.device_id = $1)
  and (h.mac is null or ${isNews('h', 'SNMP')})
order by a.mac
for update of a`;

/**
 * The first CTEs of a statement that stores learned addresses: `heard` (input MAC addresses with ports), `before`
 * (their previous locations) and `written` (rows that were inserted or updated).
 */
export const storeLearnedSql = (
  parameter: string,
  observer: Observer,
): string => `with heard as (${learnedSql(parameter)}), before as (
  select a.mac, a.port_id, a.last_seen from connection_active a join heard h on h.mac = a.mac
), written as (
  insert into connection_active as a (mac, device_id, port_id, vlan, source)
  select h.mac, p.device_id, h.port_id, h.vlan, '${observer}' from heard h join ${everyPort} p on p.id = h.port_id order by h.mac
  on conflict (mac) do update set device_id = excluded.device_id, port_id = excluded.port_id, vlan = excluded.vlan, last_seen = now(), misses = 0,
    since = case when a.port_id = excluded.port_id then a.since else now() end,
    source = case when a.port_id <> excluded.port_id or a.source = excluded.source then excluded.source else 'BOTH' end
  where ${isNews('excluded', observer)}
  returning a.mac, a.port_id
)`;

/**
 * The end of the statement: the changes, the `gone` addresses, and the ports whose connection state may have changed.
 */
export const learnedChangesSql = `select
  array(select w.mac from written w where not exists (select from before b where b.mac = w.mac)) as added,
  (select coalesce(jsonb_agg(jsonb_build_object('mac', w.mac, 'from', b.port_id, 'suspiciousSeconds',
      case when ${isUpSocket('b.port_id')} and ${isUpSocket('w.port_id')} and b.last_seen > now() - make_interval(secs => d.mac_spoof_delay)
        then round(extract(epoch from now() - b.last_seen)) end)), '[]'::jsonb)
    from written w join before b on b.mac = w.mac, device_properties d where b.port_id <> w.port_id) as moved,
  array(select g.mac from gone g) as gone,
  array(
    select w.port_id from written w where not exists (select from before b where b.mac = w.mac and b.port_id = w.port_id)
    union select b.port_id from before b join written w on w.mac = b.mac where b.port_id <> w.port_id
    union select g.port_id from gone g) as ports`;
