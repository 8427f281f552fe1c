import type { Context } from '../../context.ts';
import { container } from '../../device/container/container.ts';
import { deviceElementType, networkDevice } from '../../device/network-device/network-device.ts';
import { notFound } from '../../kernel/failure.ts';
import { group } from '../../system/group/group.ts';
import { devicesShownMax } from '../access-value/access-value.ts';
import type { AccessType } from '../decide/decide.service.ts';

const valuesMax = 10_000;

/** Selects devices: those of any of the three, or all if none is given. */
export interface DeviceSelection {
  readonly deviceID?: number;
  readonly deviceGroupID?: number;
  readonly containerID?: number;
}

/** A direct value that a form offers, with its use. */
interface DirectChoice {
  accessType: AccessType;
  accessValue: string;
  label: string;
  usedBy: number;
  knownOn: number;
  missingOn: { deviceID: number; deviceName: string }[];
}

/** Selects the VLANs of the devices by number, and by name where a configuration uses that name. */
const choicesSql = ({ visible }: Context, usedSql: string): string => `with recursive beneath (id) as (
  select c.id from ${visible(container)} c where c.id = $3
  union all select c.id from ${visible(container)} c join beneath on c.parent_id = beneath.id
), device as (
  select d.id, d.name, d.vlans from ${visible(networkDevice)} d
  where ($1::bigint is null and $2::bigint is null and $3::bigint is null) or d.id = $1
    or d.container_id in (select b.id from beneath b)
    or d.id in (select m.member_id from group_member m join group_closure g on g.descendant_id = m.group_id
      where g.ancestor_id = $2 and m.element_type = ${deviceElementType})
), used as (
  select u.value ->> 'accessType' as type, u.value ->> 'accessValue' as value, count(*) as number
  from (${usedSql}) u(value) group by 1, 2
), known as (
  select 'VLAN_ID' as type, v.id::text as value, max(v.name) as label, array_agg(distinct d.id) as devices
  from device d cross join jsonb_to_recordset(d.vlans) v(id integer, name text) group by v.id
  union all
  select 'VLAN_NAME', v.name, v.name, array_agg(distinct d.id)
  from device d cross join jsonb_to_recordset(d.vlans) v(id integer, name text)
  where v.name in (select u.value from used u where u.type = 'VLAN_NAME') group by v.name
)
select coalesce(k.type, u.type) as "accessType", coalesce(k.value, u.value) as "accessValue",
  coalesce(nullif(k.label, ''), k.value, u.value) as label, coalesce(u.number, 0) as "usedBy",
  coalesce(cardinality(k.devices), 0) as "knownOn",
  case when coalesce(k.type, u.type) in ('VLAN_ID', 'VLAN_NAME') then (
    select coalesce(jsonb_agg(jsonb_build_object('deviceID', m.id, 'deviceName', m.name) order by m.name), '[]'::jsonb)
    from (select d.id, d.name from device d
      where d.vlans <> '[]'::jsonb and (k.devices is null or d.id <> all(k.devices)) order by d.name limit ${devicesShownMax}) m)
  else '[]'::jsonb end as "missingOn"
from known k full join used u on u.type = k.type and u.value = k.value
order by 1, lpad(coalesce(k.value, u.value), 253) limit ${valuesMax}`;

const configurationValuesSql = `select a.direct_configuration from access_configuration a where a.type = 'DIRECT'`;

/** Returns the values of the devices and of access configurations; `alsoUsed` is SQL of further values in use. */
export async function choicesOf(
  context: Context,
  selection: DeviceSelection,
  ...alsoUsed: readonly string[]
): Promise<DirectChoice[]> {
  const { deviceID, deviceGroupID, containerID } = selection;
  const selectedRecords = [
    [networkDevice, deviceID],
    [group, deviceGroupID],
    [container, containerID],
  ] as const;
  for (const [declaration, id] of selectedRecords)
    if (id !== undefined) {
      const visibleRows = await context.query(`select r.id from ${context.visible(declaration)} r where r.id = $1`, [
        id,
      ]);
      if (visibleRows.length === 0) throw notFound(declaration.title, id);
    }
  return context.query<DirectChoice>(choicesSql(context, [configurationValuesSql, ...alsoUsed].join(' union all ')), [
    deviceID ?? null,
    deviceGroupID ?? null,
    containerID ?? null,
  ]);
}
