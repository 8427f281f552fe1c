import { everyRow } from '../../../context.ts';
import { container } from '../../../device/container/container.ts';
import { networkDevice } from '../../../device/network-device/network-device.ts';
import { excludesSql } from '../../../network/mac-exclusion/mac-exclusion.service.ts';
import { group } from '../../../system/group/group.ts';
import { userAccount } from '../../../user/user-account/user-account.ts';
import { adapter } from '../../adapter/adapter.ts';
import { host, hostTypes } from '../host.ts';

const everyAdapter = everyRow(adapter, 'only callers who see every host can import a file');
const everyContainer = everyRow(container, 'only callers who see every host can import a file');
const everyDevice = everyRow(networkDevice, 'only callers who see every host can import a file');
const everyGroup = everyRow(group, 'only callers who see every host can import a file');
const everyHost = everyRow(host, 'only callers who see every host can import a file');
const everyUser = everyRow(userAccount, 'only callers who see every host can import a file');

/*
 * The statements of a bulk import. COPY stages the lines, one statement per rule checks them against stored data, and the valid lines are
 * written in batches by one statement per table. Triggers write the feed entries and counts.
 */

const staged = 'host_import_line l';
const validLine = 'l.import_id = $1 and l.fault is null';

const isExcluded = `e.enabled and ${excludesSql('l.mac')}`;

const refuse = (fault: string, condition: string): string =>
  `update ${staged} set fault = ${fault} where ${validLine} and (${condition})`;

/** The checks in their order: each stores a fault in the lines that fulfil its condition. */
export const checkSql: readonly string[] = [
  refuse(
    `'adap.mac: ' || l.mac || ' appears twice, first in line ' || (select min(o.line) from host_import_line o where o.import_id = $1 and o.mac = l.mac) || '.'`,
    `exists (select from host_import_line o where o.import_id = $1 and o.mac = l.mac and o.line < l.line)`,
  ),
  refuse(
    `'adap.mac: the MAC exclusion ' || (select e.name from mac_exclusion e where ${isExcluded} limit 1) || ' excludes this address.'`,
    `exists (select from mac_exclusion e where ${isExcluded})`,
  ),
  refuse(
    `'host.role: there is no Role ' || (l.host ->> 'role') || '.'`,
    `l.host ? 'role' and not exists (select from role r where lower(r.name) = lower(l.host ->> 'role'))`,
  ),
  refuse(
    `'host.devType: there is no Device type with the tag ' || (l.host ->> 'deviceType') || '.'`,
    `l.host ? 'deviceType' and not exists (select from device_type t where lower(t.tag) = lower(l.host ->> 'deviceType'))`,
  ),
  refuse(
    `'host.topo: there is no Container ' || (l.host ->> 'container') || '.'`,
    `l.host ? 'container' and not exists (select from ${everyContainer} k where lower(k.name) = lower(l.host ->> 'container'))`,
  ),
  refuse(
    `'host.owner: there is no user ' || (l.host ->> 'owner') || '; send user.fn, user.ln or user.email to create one.'`,
    `l.host ? 'owner' and not (l.host ?| array['firstName', 'lastName', 'email'])
     and not exists (select from ${everyUser} u where lower(u.user_id) = lower(l.host ->> 'owner'))`,
  ),
  refuse(
    `'host.groups: there is no host group ' || (
       select n.name from jsonb_array_elements_text(l.host -> 'groups') n(name)
       where not exists (select from ${everyGroup} g where g.type = 'HOST' and g.source <> 'DIRECTORY' and lower(g.name) = lower(n.name)) limit 1) || '.'`,
    `l.host ? 'groups' and exists (
       select from jsonb_array_elements_text(l.host -> 'groups') n(name)
       where not exists (select from ${everyGroup} g where g.type = 'HOST' and g.source <> 'DIRECTORY' and lower(g.name) = lower(n.name)))`,
  ),
  refuse(
    `'siblings: an address belongs to another registered host.'`,
    `l.host ? 'siblings' and exists (
       select from jsonb_array_elements_text(l.host -> 'siblings') n(mac)
       join ${everyAdapter} a on a.physical_address = n.mac
       join ${everyHost} h on h.id = a.host_id
       where h.type <> ${hostTypes.rogue} and a.host_id is distinct from (select x.host_id from ${everyAdapter} x where x.physical_address = l.mac))`,
  ),
];

/** Locks the lines of the next batch. If a worker dies, its locks end, and another worker receives its lines. */
export const batchSql = `select l.line from host_import_line l where l.import_id = $1 and l.fault is null order by l.line limit $2 for update skip locked`;

/** Selects the owners in the lines that have no account. */
export const newUsersSql = `select distinct on (lower(l.host ->> 'owner')) l.host ->> 'owner' as "userID", coalesce(l.host ->> 'firstName', '') as "firstName",
    coalesce(l.host ->> 'lastName', '') as "lastName", coalesce(l.host ->> 'email', '') as email
  from host_import_line l
  where l.import_id = $1 and l.line = any($2) and l.host ? 'owner'
    and not exists (select from ${everyUser} u where lower(u.user_id) = lower(l.host ->> 'owner'))`;

/** The lines with the ids of the records that they name, and with their host: the owner of the MAC address, or a new one in the order of the file. */
const linesSql = `lines as materialized (
    select l.line, l.mac, l.host, a.id as adapter_id, coalesce(a.host_id, nextval(pg_get_serial_sequence('host', 'id'))) as host_id, a.id is null as is_new,
      (select r.id from role r where lower(r.name) = lower(l.host ->> 'role')) as role_id,
      (select t.id from device_type t where lower(t.tag) = lower(l.host ->> 'deviceType')) as type_id,
      lower(l.host ->> 'deviceType') = 'ip-phone' as is_phone,
      (select u.id from ${everyUser} u where lower(u.user_id) = lower(l.host ->> 'owner')) as owner_id
    from host_import_line l
    left join ${everyAdapter} a on a.physical_address = l.mac
    where l.import_id = $1 and l.line = any($2)
    order by l.line
  )`;

/** Creates the adapters and hosts of unknown addresses, and updates the existing ones. `$3` is the user who started the import. */
export const hostsSql = `with ${linesSql}, made as (
    insert into ${everyAdapter} (physical_address, host_id, media_type, vendor_name, vendor_oui, enabled, creation_time, auth_type, description, attributes,
      last_modified_by)
    select x.mac, x.host_id, coalesce(x.host ->> 'media', 'UNKNOWN'), v.name, v.code, true, now(), 'NONE', x.host ->> 'description', '[]', $3
    from lines x left join lateral mac_vendor(x.mac) v on true
    where x.is_new
    returning host_id
  ), created as (
    insert into ${everyHost} (id, host_name, type, registered_at, registered_by, enabled, authenticated, role_id, role_source, owner_id, device_type,
      operating_system, hardware_type, serial_number, creation_time, expiration_date, expiration_source, inactive_days, agent_update_attempts,
      managed_by_mdm, scan_required, re_validation, re_validation_interval, notes, attributes, last_modified_by)
    select x.host_id, x.host ->> 'name', case when x.is_phone then ${hostTypes.phone} else ${hostTypes.host} end, now(), $3, true, false,
      coalesce(x.role_id, r.id), case when x.role_id is null then 'DEFAULT' else 'ADMIN' end, x.owner_id, coalesce(x.type_id, t.id), x.host ->> 'os',
      x.host ->> 'hardware', x.host ->> 'serial', now(), (x.host ->> 'expires')::timestamptz, case when x.host ? 'expires' then 'MANUAL' end,
      (x.host ->> 'inactiveDays')::integer, 0, false, false, false, 0, x.host ->> 'notes', '[]', $3
    from lines x join made m on m.host_id = x.host_id, role r, device_type t
    where r.name = $4 and t.tag = 'unknown'
  ), changed_adapters as (
    update ${everyAdapter} a set media_type = coalesce(x.host ->> 'media', a.media_type), description = coalesce(x.host ->> 'description', a.description),
      version = a.version + 1, last_modified_by = $3, last_modified_date = now()
    from lines x
    where a.id = x.adapter_id and (x.host ->> 'media', x.host ->> 'description') is distinct from (null, null)
      and (coalesce(x.host ->> 'media', a.media_type), coalesce(x.host ->> 'description', a.description)) is distinct from (a.media_type, a.description)
  ), wanted as (
    select distinct on (h.id) h.id, coalesce(x.host ->> 'name', h.host_name) as host_name,
      case when x.is_phone then ${hostTypes.phone} when h.type = ${hostTypes.rogue} then ${hostTypes.host} else h.type end as type,
      coalesce(x.role_id, h.role_id) as role_id, case when x.role_id is null then h.role_source else 'ADMIN' end as role_source,
      coalesce(x.owner_id, h.owner_id) as owner_id, coalesce(x.type_id, h.device_type) as device_type,
      coalesce(x.host ->> 'os', h.operating_system) as operating_system, coalesce(x.host ->> 'hardware', h.hardware_type) as hardware_type,
      coalesce(x.host ->> 'serial', h.serial_number) as serial_number, coalesce((x.host ->> 'expires')::timestamptz, h.expiration_date) as expiration_date,
      case when x.host ? 'expires' then 'MANUAL' else h.expiration_source end as expiration_source,
      coalesce((x.host ->> 'inactiveDays')::integer, h.inactive_days) as inactive_days, coalesce(x.host ->> 'notes', h.notes) as notes
    from lines x join ${everyHost} h on h.id = x.host_id
    where not x.is_new
    order by h.id, x.line desc
  ), changed as (
    update ${everyHost} h set host_name = w.host_name, type = w.type, role_id = w.role_id, role_source = w.role_source, owner_id = w.owner_id,
      device_type = w.device_type, operating_system = w.operating_system, hardware_type = w.hardware_type, serial_number = w.serial_number,
      expiration_date = w.expiration_date, expiration_source = w.expiration_source, inactive_days = w.inactive_days, notes = w.notes,
      registered_at = coalesce(h.registered_at, now()), registered_by = coalesce(h.registered_by, $3),
      version = h.version + 1, last_modified_by = $3, last_modified_date = now()
    from wanted w
    where h.id = w.id and (h.host_name, h.type, h.role_id, h.role_source, h.owner_id, h.device_type, h.operating_system, h.hardware_type,
      h.serial_number, h.expiration_date, h.expiration_source, h.inactive_days, h.notes)
      is distinct from (w.host_name, w.type, w.role_id, w.role_source, w.owner_id, w.device_type, w.operating_system, w.hardware_type,
      w.serial_number, w.expiration_date, w.expiration_source, w.inactive_days, w.notes)
    returning h.id
  ), addressed as (
    insert into ip_mac (ip, mac, device_id) select (x.host ->> 'ip')::inet, x.mac, 0 from lines x where x.host ? 'ip'
    on conflict (ip, mac) do update set last_seen = now(), device_id = 0
  )
  select count(*) filter (where x.is_new)::integer as created, count(*) filter (where not x.is_new)::integer as updated,
    (select count(*) from changed)::integer as changed from lines x`;

/** Adds the other addresses of the hosts: creates new adapters, and moves those of rogues. */
export const siblingsSql = `with named as (
    select distinct on (n.mac) n.mac, a.host_id, l.line from host_import_line l
    join ${everyAdapter} a on a.physical_address = l.mac
    cross join lateral jsonb_array_elements_text(l.host -> 'siblings') n(mac)
    where l.import_id = $1 and l.line = any($2) and l.host ? 'siblings' and n.mac <> l.mac
    order by n.mac, l.line
  ), taken as (
    update ${everyAdapter} a set host_id = n.host_id, version = a.version + 1, last_modified_by = $3, last_modified_date = now()
    from named n where a.physical_address = n.mac and a.host_id <> n.host_id
  )
  insert into ${everyAdapter} (physical_address, host_id, media_type, vendor_name, vendor_oui, enabled, creation_time, auth_type, attributes, last_modified_by)
  select n.mac, n.host_id, 'UNKNOWN', v.name, v.code, true, now(), 'NONE', '[]'::jsonb, $3
  from named n left join lateral mac_vendor(n.mac) v on true
  where not exists (select from ${everyAdapter} a where a.physical_address = n.mac)
  order by n.line, n.mac
  on conflict do nothing`;

/** Selects the previous hosts of the siblings. */
export const formerSql = `select distinct a.host_id as id from host_import_line l
  cross join lateral jsonb_array_elements_text(l.host -> 'siblings') n(mac)
  join ${everyAdapter} a on a.physical_address = n.mac
  where l.import_id = $1 and l.line = any($2) and l.host ? 'siblings'`;

/** Deletes those of the given hosts that are rogues without an adapter. */
export const emptiedSql = `delete from ${everyHost} h
  where h.id = any($1::bigint[]) and h.type = ${hostTypes.rogue} and not exists (select from ${everyAdapter} a where a.host_id = h.id)`;

export const groupsSql = `insert into group_member (group_id, element_type, member_id)
  select distinct g.id, 4, a.host_id from host_import_line l
  join ${everyAdapter} a on a.physical_address = l.mac
  cross join lateral jsonb_array_elements_text(l.host -> 'groups') n(name)
  join ${everyGroup} g on g.type = 'HOST' and lower(g.name) = lower(n.name)
  where l.import_id = $1 and l.line = any($2) and l.host ? 'groups'
  on conflict do nothing`;

/** Selects the hosts with a container whose address no device has; each gets a pingable device. */
export const pingablesSql = `select a.host_id as "hostID", l.mac, l.host ->> 'ip' as ip, coalesce(l.host ->> 'name', l.mac) as name, k.id as "containerID",
    coalesce(l.host ->> 'deviceType', 'unknown') as "deviceType"
  from host_import_line l
  join ${everyAdapter} a on a.physical_address = l.mac
  join ${everyContainer} k on lower(k.name) = lower(l.host ->> 'container')
  where l.import_id = $1 and l.line = any($2) and not exists (select from ${everyDevice} d where d.physical_address = l.mac)
  order by l.line`;

/** Selects the values of a list in a line that the host does not have yet. */
const missingValuesSql = (list: string, isThere: string): string =>
  `(select string_agg(n.word, ', ' order by n.word) from jsonb_array_elements_text(l.host -> '${list}') n(word) where not (${isThere}))`;

/** Counts the valid lines with an address that no host has. */
export const createdSql = `select count(*)::integer as created from host_import_line l
  where ${validLine} and not exists (select from ${everyAdapter} a where a.physical_address = l.mac)`;

/** Selects the valid lines that would change an existing host, with the changes by column name, and the number of such lines. */
export const differencesSql = `select l.line, string_agg(d.name || ': ' || coalesce(nullif(d.before, ''), '(empty)') || ' → ' || d.after, '; ' order by d.at) as changes,
    count(*) over ()::integer as updated
  from host_import_line l
  join ${everyAdapter} a on a.physical_address = l.mac
  join ${everyHost} h on h.id = a.host_id
  join role r on r.id = h.role_id
  join device_type t on t.id = h.device_type
  left join ${everyUser} u on u.id = h.owner_id
  cross join lateral (values
    (1, 'host.host', h.host_name, l.host ->> 'name'),
    (2, 'registered', case when h.type = ${hostTypes.rogue} then 'no' else 'yes' end, 'yes'),
    (3, 'host.role', r.name, (select x.name from role x where lower(x.name) = lower(l.host ->> 'role'))),
    (4, 'host.owner', u.user_id, coalesce((select x.user_id from ${everyUser} x where lower(x.user_id) = lower(l.host ->> 'owner')), l.host ->> 'owner')),
    (5, 'host.devType', t.tag, (select x.tag from device_type x where lower(x.tag) = lower(l.host ->> 'deviceType'))),
    (6, 'host.os', h.operating_system, l.host ->> 'os'),
    (7, 'host.hwType', h.hardware_type, l.host ->> 'hardware'),
    (8, 'host.serial', h.serial_number, l.host ->> 'serial'),
    (9, 'host.expireDate', h.expiration_date::text, (l.host ->> 'expires')::timestamptz::text),
    (10, 'host.inact', h.inactive_days::text, l.host ->> 'inactiveDays'),
    (11, 'host.notes', h.notes, l.host ->> 'notes'),
    (12, 'adap.media', a.media_type, l.host ->> 'media'),
    (13, 'adap.descr', a.description, l.host ->> 'description'),
    (14, 'adap.ip', null, case when not exists (select from ip_mac i where i.ip = (l.host ->> 'ip')::inet and i.mac = l.mac) then l.host ->> 'ip' end),
    (15, 'siblings', null, ${missingValuesSql('siblings', `exists (select from ${everyAdapter} x where x.physical_address = n.word and x.host_id = h.id)`)}),
    (16, 'host.groups', null, ${missingValuesSql(
      'groups',
      `exists (select from group_member m join ${everyGroup} g on g.id = m.group_id
       where m.member_id = h.id and m.element_type = 4 and g.type = 'HOST' and lower(g.name) = lower(n.word))`,
    )}),
    (17, 'host.topo', null, case when not exists (select from ${everyDevice} x where x.physical_address = l.mac) then l.host ->> 'container' end)
  ) d(at, name, before, after)
  where ${validLine} and d.after is not null and d.before is distinct from d.after
  group by l.line order by l.line limit $2`;
