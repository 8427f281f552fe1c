import type { Sql } from '@portreeve/server/kernel/database/connect.ts';

/** A logical network without a value on devices that may need it. */
export interface ValueMissing {
  network: string;
  devices: number;
  /** Name of one of the devices. */
  first: string;
}

/** Finds logical networks that hosts on enforced ports can get, but that have no access value there. */
const missingSql = `with recursive enforced as (
  select p.id as port_id, p.device_id, g.enforcement
  from "group" g
  join group_closure c on c.ancestor_id = g.id
  join group_member m on m.group_id = c.descendant_id and m.element_type = 3
  join port p on p.id = m.member_id
  where g.type = 'PORT' and g.enforcement <> 'NONE'
), granted as (
  select c.logical_network_id as id from access_configuration c
  where exists (select from access_policy p where p.access_configuration_id = c.id and p.enabled)
    or exists (select from role_mapping m where m.access_configuration_id = c.id)
), needed as (
  select distinct e.port_id, e.device_id, n.id as network_id, n.name
  from enforced e
  join logical_network n on n.default_value is null and case e.enforcement
    when 'ROLE' then n.id in (select g.id from granted g)
    when 'REMEDIATION' then n.access_state = 'QUARANTINE'
    else n.access_state = e.enforcement end
), above as (
  select d.id as device_id, d.container_id from network_device d where d.id in (select n.device_id from needed n)
  union
  select a.device_id, c.parent_id from above a join container c on c.id = a.container_id where c.parent_id is not null
)
select n.name as network, count(distinct n.device_id)::integer as devices, min(d.name) as first
from needed n
join network_device d on d.id = n.device_id
where not exists (
  select from logical_network_configuration v
  where v.logical_network_id = n.network_id and case v.element_type
    when 'DEVICE' then v.element_id = n.device_id
    when 'CONTAINER' then v.element_id in (select a.container_id from above a where a.device_id = n.device_id)
    else v.element_id = n.port_id end)
group by n.network_id, n.name
order by n.name
limit 100`;

export async function valuesMissing(sql: Sql): Promise<ValueMissing[]> {
  return (await sql.query<ValueMissing>(missingSql)).rows;
}
