import { familySize, type Subject } from './subject.ts';

/** One of five hosts has a second adapter. */
export const adaptersPerHost = 1.2;
/** One of five hosts is connected: the first ones, by their first adapters. */
export const onlineShare = 0.2;

/** Bytes of an address: two that are the same for all, three that are unique, one that counts. */
const scatterFactor = 10_368_889;

/** Returns the address of an adapter by its id. */
export function macOf(id: number): string {
  const scattered = Number((BigInt(id) * BigInt(scatterFactor)) % 16_777_216n);
  const digits = `001D${scattered.toString(16).padStart(6, '0')}${(id % 256).toString(16).padStart(2, '0')}`;
  return digits.toUpperCase().replaceAll(/(..)(?!$)/g, '$1:');
}

const select = (
  rows: string,
): string => `select r.id, r.landscape, r.version, r.physical_address as "physicalAddress", r.host_id as "hostID", i.ip as ipaddress, i.ips,
  r.media_type as "mediaType", r.vendor_name as "vendorName", r.vendor_oui as "vendorOUI",
  substr(r.physical_address, 2, 1) in ('2', '3', '6', '7', 'A', 'B', 'E', 'F') as randomized, r.enabled, c.mac is not null as connected,
  c.since as "connectedSince", coalesce(c.last_seen, l.last_seen) as "lastSeen", r.creation_time as "creationTime",
  coalesce(c.device_id, l.device_id) as "deviceID", coalesce(c.port_id, l.port_id) as "portID", case p.port_type when 1 then p.name end as ssid,
  coalesce(d.name || ':' || p.name, l.location, '') as location, k.name as container, r.access_state as "accessState", nullif(c.vlan, '') as "accessValue",
  r.auth_type as "authType", r.outer_eap_type as "outerEapType", r.inner_eap_type as "innerEapType", r.dpc_rule_id as "dpcRuleID", x.name as "dpcRuleName",
  r.open_ports as "openPorts", r.description, r.attributes,
  case when not r.enabled then 'DISABLED' when c.mac is null then 'OFFLINE' else 'ONLINE' end as status
from ${rows} r
left join connection_active c on c.mac = r.physical_address
left join port p on p.id = c.port_id
left join network_device d on d.id = c.device_id
left join connection_last l on l.mac = r.physical_address
left join container k on k.id = d.container_id
left join device_profiling_rule x on x.id = r.dpc_rule_id
left join lateral (
  select (array_agg(m.ip order by m.last_seen desc, m.ip))[1] as ip,
    coalesce(jsonb_agg(m.ip order by m.ip) filter (where m.last_seen > now() - make_interval(secs => 2 * coalesce(o.l3_polling_interval, 1800))), '[]') as ips
  from ip_mac m left join network_device o on o.id = m.device_id where m.mac = r.physical_address) i on true`;

export const adapter: Subject = {
  name: 'adapter',
  plural: 'adapters',
  path: '/adapter',
  filling: 'hosts',
  permissions: { hosts: { view: true } },
  rows: (size) => size * adaptersPerHost,
  families: (size) => (size * onlineShare) / familySize,
  familyFilter: (device) => `deviceID==${device}`,
  rareFilter: (id) => `physicalAddress==${macOf(id).slice(0, 14)}*`,
  rareText: 'whose address begins with five given bytes',
  captured: { id: '(\\d+)', version: '(\\d+)' },
  changeSql: `update adapter set version = version + 1, description = 'change ' || version + 1, last_modified_date = now()
    where id = $1 returning version`,
  bare: { select, isFamily: 'r.physical_address in (select c.mac from connection_active c where c.device_id = $1)' },
};
