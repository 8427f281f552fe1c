import { adapter, onlineShare } from './adapter.ts';
import { familySize, rareTextOf, type Subject } from './subject.ts';

const select = (rows: string): string => `select r.id, r.landscape, r.version, r.host_name as "hostName", r.type,
  (array['Rogue', 'Registered Host', 'Registered Device', 'IP Phone', 'Device in Topology'])[r.type] as "typeLabel", w.first as "primaryMac", w.adapters,
  i.ip, coalesce(w.connected, false) as connected, r.type <> 1 as registered, r.registered_at as "registeredAt", r.registered_by as "registeredBy", r.enabled,
  r.authenticated, r.authenticated_user_id as "authenticatedUserID", r.authentication_expires as "authenticationExpires", coalesce(k.level, 'SAFE') as health,
  k.until as "healthUntil", o.name as role, r.role_source as "roleSource", u.user_id as owner, r.owner_id as "ownerID", r.logged_on_user_id as "loggedOnUserID",
  json_build_object('name', t.name, 'tag', t.tag, 'imageFile', t.image_file, 'id', t.id) as "deviceType", r.operating_system as "operatingSystem",
  r.hardware_type as "hardwareType", r.serial_number as "serialNumber", r.creation_time as "creationTime", w.since as "lastConnected",
  w.ended as "lastDisconnected", r.expiration_date as "expirationDate", r.expiration_source as "expirationSource",
  case when not coalesce(w.connected, false) then coalesce(w.ended, r.creation_time) + make_interval(days => r.inactive_days) end as "inactivityDate",
  r.inactive_days as "inactiveDays", r.agent_id as "agentID", r.agent_version as "agentVersion", r.agent_platform as "agentPlatform",
  r.last_agent_contact as "lastAgentContact", r.agent_update_attempts as "agentUpdateAttempts", r.managed_by_mdm as "managedByMDM",
  r.mdm_server_id as "mdmServerID", r.mdm_compliant as "mdmCompliant", r.mdm_compromised as "mdmCompromised", r.mdm_risk as "mdmRisk",
  r.scan_required as "scanRequired", r.last_scan as "lastScan", r.last_scan_result as "lastScanResult", r.container_id as "containerID",
  r.re_validation as "reValidation", r.re_validation_interval as "reValidationInterval", r.last_re_validation as "lastReValidation", g.names as groups,
  r.notes, r.attributes, '[]'::jsonb as "adapterObjects"
from ${rows} r
join role o on o.id = r.role_id
join device_type t on t.id = r.device_type
left join user_account u on u.id = r.owner_id
left join lateral (
  select (array_agg(a.physical_address order by c.mac is null, a.id))[1] as first, coalesce(jsonb_agg(a.physical_address order by a.id), '[]') as adapters,
    bool_or(c.mac is not null) as connected, max(coalesce(c.since, l.since)) as since, max(l.ended) as ended
  from adapter a left join connection_active c on c.mac = a.physical_address left join connection_last l on l.mac = a.physical_address
  where a.host_id = r.id) w on true
left join lateral (
  select m.ip from adapter a join ip_mac m on m.mac = a.physical_address left join connection_active c on c.mac = a.physical_address
  where a.host_id = r.id order by c.mac is null, m.last_seen desc, m.ip limit 1) i on true
left join lateral (
  select min(x.level) as level, case when bool_and(x.level = 'PENDING') then min(x.deadline) end as until from host_risk x where x.host_id = r.id) k on true
left join lateral (
  select coalesce(jsonb_agg(g.name order by g.name), '[]') as names from group_member m join "group" g on g.id = m.group_id
  where m.element_type = 4 and m.member_id = r.id) g on true`;

export const host: Subject = {
  name: 'host',
  plural: 'hosts',
  path: '/host',
  filling: 'hosts',
  permissions: { hosts: { view: true } },
  rows: (size) => size,
  families: (size) => size / familySize,
  familyFilter: (owner) => `owner==${ownerOf(owner)}`,
  rareFilter: (id) => `text==${rareTextOf(id)}`,
  rareText: 'whose name holds eight given characters',
  captured: { id: '(\\d+)', version: '(\\d+)' },
  changeSql: `update host set version = version + 1, hardware_type = 'change ' || version + 1, last_modified_date = now()
    where id = $1 returning version`,
  bare: {
    select,
    isFamily: 'r.owner_id = (select u.id from user_account u where lower(u.user_id) = $1)',
    parts: {
      field: 'adapterObjects',
      owner: 'hostID',
      select: `${adapter.bare.select('(select * from adapter r where r.host_id = any($1::bigint[]))')} order by r.id`,
    },
  },
};

/** Returns the owner of the hosts of a family. */
export const ownerOf = (family: number): string => `ward-${family}`;

/** The device type of all hosts. */
export const osTag = 'windows';

/** Registered hosts on one switch: conditions on two records. */
export const multifilter = {
  path: `${host.path}/multifilter`,
  families: (size: number): number => (size * onlineShare) / familySize,
  filter: (device: number): string => `filter=host.type==2&filter=adapter.deviceID==${device}`,
  /** The condition on the row `r` for the device `$1`, for a bare server. */
  isFamily: `r.type = 2 and r.id in (
    select a.host_id from adapter a join connection_active c on c.mac = a.physical_address where c.device_id = $1)`,
};
