/** A socket that something is plugged into: who is heard at two of them at once is two. */
const isUpSocket = (port: string): string =>
  `exists (select from port p where p.id = ${port} and p.port_type in (0, 3) and p.ifoper_status = 1)`;

/**
 * The first part of a statement that writes down who is heard where: `heard`, as the parameter says it, where they were `before`, and what
 * was `written`. Who is heard twice in five minutes need not be written down twice.
 */
export const writeHeardSql = (parameter: string): string => `with heard as (
  select h.mac, h."portID" as port_id, h.vlan from jsonb_to_recordset(${parameter}::jsonb) h(mac text, "portID" bigint, vlan text)
), before as (
  select a.mac, a.port_id, a.last_seen from connection_active a join heard h on h.mac = a.mac
), written as (
  insert into connection_active as a (mac, device_id, port_id, vlan)
  select h.mac, p.device_id, h.port_id, h.vlan from heard h join port p on p.id = h.port_id order by h.mac
  on conflict (mac) do update set device_id = excluded.device_id, port_id = excluded.port_id, vlan = excluded.vlan, last_seen = now(), misses = 0,
    since = case when a.port_id = excluded.port_id then a.since else now() end
  where a.port_id <> excluded.port_id or a.vlan <> excluded.vlan or a.misses > 0 or a.last_seen < now() - interval '5 minutes'
  returning a.mac, a.port_id
)`;

/** The last part: what that changed, with those who are `gone`, and the ports that may tell something else now. */
export const heardChangesSql = `select
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
