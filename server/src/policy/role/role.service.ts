import type pg from 'pg';
import { everyRow, type RecordValue, type WriteTx } from '../../context.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import type { EventEntry, EventType } from '../../kernel/declare/event-type.ts';
import { lockGraph } from '../../system/group/group.service.ts';
import { group } from '../../system/group/group.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { hostRoleChanged, userRoleChanged } from './role.events.ts';
import { defaultRole } from './role.ts';

export { roleAssign } from './role.jobs.ts';

const everyAdapter = everyRow(adapter, 'roles follow from all groups and hosts');
const everyHost = everyRow(host, 'roles follow from all groups and hosts');
const everyUser = everyRow(userAccount, 'roles follow from all groups and hosts');
const everyGroup = everyRow(group, 'roles follow from all groups and hosts');

/** Limit on the accounts and hosts that one transaction assigns roles to. */
const holdersMax = 5_000;

/** A kind of record that has a role: accounts or hosts. */
interface Holders {
  /** All rows of the kind. */
  table: string;
  elementType: number;
  /** SQL of the name, over the row `a`. */
  name: string;
  /** The column of `role_due` with the id. */
  due: 'account_id' | 'host_id';
  changed: EventType<string>;
}

interface RoleChange {
  id: number;
  name: string;
  old: string;
  now: string;
  source: string;
}

/** Assigns accounts the role of the first source that has one. */
export const assignRoles = (tx: WriteTx, accounts: readonly number[]): Promise<void> =>
  assign(tx, accountHolders, accounts);

/** Assigns hosts the role of the first source that has one. */
export const assignHostRoles = (tx: WriteTx, hosts: readonly number[]): Promise<void> => assign(tx, hostHolders, hosts);

/** Selects the role that each of these holders should have, as `wanted (id, old_id, role_id, source)`; `$2` is the name of the default role. */
const desiredRolesSql = ({ table, elementType }: Holders, which: string): string => `claimed as (
       select a.id, a.role_id as old_id, a.role_source as old_source, g.role_id
       from ${table} a
       left join lateral (
         select x.from_id as role_id
         from group_member m
         join group_closure c on c.descendant_id = m.group_id
         join reference x on x.to_table = 'group' and x.to_id = c.ancestor_id and x.from_table = 'role' and x.field = 'groupIDs'
         join role r on r.id = x.from_id
         where m.element_type = ${elementType} and m.member_id = a.id
         order by r.rank limit 1
       ) g on true
       where ${which} and a.role_source not in ('ADMIN', 'PROFILING_RULE', 'DIRECTORY')
     ), wanted as (
       select c.id, c.old_id, coalesce(c.role_id, d.id) as role_id, case when c.role_id is null then 'DEFAULT' else 'GROUP' end as source
       from claimed c
       join role d on lower(d.name) = lower($2)
       where c.role_id is not null or c.old_source in ('GROUP', 'DEFAULT')
     )`;

/**
 * Keeps a role that an administrator, directory or profiling rule set. Otherwise assigns the highest role that claims one of the groups,
 * otherwise the default. Locks the rows before it reads the claims, so that the later of two changes of one holder sees both.
 */
async function assign(tx: WriteTx, holders: Holders, ids: readonly number[]): Promise<void> {
  const { table, name, changed } = holders;
  await tx.client.query(`select a.id from ${table} a where a.id = any($1::bigint[]) order by a.id for no key update`, [
    ids,
  ]);
  const { rows } = await tx.client.query<RoleChange>(
    `with ${desiredRolesSql(holders, 'a.id = any($1::bigint[])')}, changed as (
       update ${table} a set role_id = w.role_id, role_source = w.source
       from wanted w
       where a.id = w.id and (a.role_id, a.role_source) is distinct from (w.role_id, w.source)
       returning a.id, ${name} as name, w.old_id, w.role_id, w.source
     )
     select c.id, c.name, o.name as old, n.name as now, c.source
     from changed c join role n on n.id = c.role_id left join role o on o.id = c.old_id
     where c.old_id is distinct from c.role_id
     order by c.id`,
    [ids, defaultRole],
  );
  const events = rows.map((row) => roleChanged(changed, row));
  if (events.length > 0) await tx.engine.sinks.events(tx.client, tx.origin, events);
}

const accountHolders: Holders = {
  table: everyUser,
  elementType: userAccount.events.elementType,
  name: 'a.user_id',
  due: 'account_id',
  changed: userRoleChanged,
};

const hostHolders: Holders = {
  table: everyHost,
  elementType: host.events.elementType,
  name: `coalesce(nullif(a.host_name, ''), (select x.physical_address from ${everyAdapter} x where x.host_id = a.id order by x.id limit 1), '')`,
  due: 'host_id',
  changed: hostRoleChanged,
};

const roleChanged = (type: EventType<string>, { id, name, old, now, source }: RoleChange): EventEntry => ({
  type,
  element: { id, name },
  attributes: { old, new: now, source },
});

/** Marks a chosen role as set by an administrator. An empty role resets it, so that the other sources apply again. */
export function claimRole(after: RecordValue): void {
  after.roleSource = after.role === '' ? 'DEFAULT' : 'ADMIN';
  if (after.role === '') after.role = defaultRole;
}

/** True if a role claims the members of a group, through the group itself or one of its ancestors. */
const isClaimed = (group: string): string => `exists (
  select from group_closure c
  join reference x on x.to_table = 'group' and x.to_id = c.ancestor_id and x.from_table = 'role' and x.field = 'groupIDs'
  where c.descendant_id = ${group})`;

/** Marks these groups so that their members, including those of nested groups, get their roles assigned again. False if none is of hosts or users. */
export async function markRolesDue(client: pg.PoolClient, groups: readonly number[]): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into role_due (group_id) select g.id from ${everyGroup} g where g.id = any($1::bigint[]) and g.type in ('USER', 'HOST')`,
    [groups],
  );
  return rowCount! > 0;
}

/** Marks the groups among these that a role claims with the current nesting. Called when groups are nested or taken apart. */
export async function markClaimsDue(client: pg.PoolClient, groups: readonly number[]): Promise<boolean> {
  const { rows } = await client.query<{ id: number }>(
    `select g.id from unnest($1::bigint[]) g(id) where ${isClaimed('g.id')}`,
    [groups],
  );
  return markRolesDue(
    client,
    rows.map(({ id }) => id),
  );
}

/** Marks the direct members of a group before its deletion, which deletes the memberships. */
export async function markMembersDue(client: pg.PoolClient, group: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into role_due (account_id, host_id)
     select case m.element_type when ${accountHolders.elementType} then m.member_id end, case m.element_type when ${hostHolders.elementType} then m.member_id end
     from group_member m
     where m.group_id = $1 and m.element_type in (${accountHolders.elementType}, ${hostHolders.elementType}) and ${isClaimed('$1')}`,
    [group],
  );
  return rowCount! > 0;
}

/** Serialises changes of the groups that roles claim with each other and with changes of membership; see `assignRoles`. */
export const lockClaims = (client: pg.PoolClient): Promise<void> => lockGraph(client);

/** Assigns roles to some of the accounts and hosts that are due. True if there may be more. */
export async function assignDueRoles(tx: WriteTx): Promise<boolean> {
  return (await assignDue(tx, accountHolders)) || (await assignDue(tx, hostHolders)) || (await assignDueGroup(tx));
}

async function assignDue(tx: WriteTx, holders: Holders): Promise<boolean> {
  const { due } = holders;
  const { rows } = await tx.client.query<{ id: number }>(
    `delete from role_due d where d.id in (
       select x.id from role_due x where x.${due} is not null order by x.id limit ${holdersMax} for update skip locked)
     returning d.${due} as id`,
  );
  if (rows.length === 0) return false;
  await assign(
    tx,
    holders,
    rows.map(({ id }) => id),
  );
  return true;
}

/** Changes of roles that are due but not assigned yet, by the id of the account or host. */
export interface PendingRoles {
  /** Owners and logged-on users of connected hosts. */
  users: ReadonlyMap<number, number>;
  /** Connected hosts. */
  hosts: ReadonlyMap<number, number>;
}

/** Computes the pending roles as the transaction sees them. */
export async function readPendingRoles(client: pg.ClientBase): Promise<PendingRoles> {
  const { rows } = await client.query<{ isDue: boolean }>('select exists (select from role_due) as "isDue"');
  if (!rows[0]!.isDue) return { users: new Map(), hosts: new Map() };
  const users = await roleOfDue(
    client,
    accountHolders,
    `(exists (select from ${everyHost} h where h.owner_id = a.id and ${isConnected('h')})
      or exists (select from ${everyHost} h where lower(h.logged_on_user_id) = lower(a.user_id) and ${isConnected('h')}))`,
  );
  return { users, hosts: await roleOfDue(client, hostHolders, isConnected('a')) };
}

const isConnected = (host: string): string =>
  `exists (select from ${everyAdapter} x join connection_active c on c.mac = x.physical_address where x.host_id = ${host}.id)`;

async function roleOfDue(client: pg.ClientBase, holders: Holders, which: string): Promise<Map<number, number>> {
  const { rows } = await client.query<{ id: number; roleID: number }>(
    `with due as (
       select d.${holders.due} as id from role_due d where d.${holders.due} is not null
       union
       select m.member_id
       from role_due d
       join group_closure c on c.ancestor_id = d.group_id
       join group_member m on m.group_id = c.descendant_id and m.element_type = $1
     ), ${desiredRolesSql(holders, `a.id in (select u.id from due u) and ${which}`)}
     select w.id, w.role_id as "roleID" from wanted w where w.old_id is distinct from w.role_id`,
    [holders.elementType, defaultRole],
  );
  return new Map(rows.map(({ id, roleID }) => [id, roleID]));
}

/** Assigns roles to one page of the members of one group, and stores its position in the row. */
async function assignDueGroup(tx: WriteTx): Promise<boolean> {
  const { rows } = await tx.client.query<{ id: number; group: number; after: number; type: string | null }>(
    `select d.id, d.group_id as "group", d.after_id as "after", (select g.type from ${everyGroup} g where g.id = d.group_id) as type from role_due d
     where d.group_id is not null order by d.id limit 1 for update skip locked`,
  );
  const due = rows[0];
  if (!due) return false;
  const holders = due.type === 'HOST' ? hostHolders : accountHolders;
  const { rows: members } = await tx.client.query<{ id: number }>(
    `select distinct m.member_id as id
     from group_closure c
     cross join lateral (
       select m.member_id from group_member m
       where m.group_id = c.descendant_id and m.element_type = ${holders.elementType} and m.member_id > $2
       order by m.member_id limit ${holdersMax}
     ) m
     where c.ancestor_id = $1
     order by id limit ${holdersMax}`,
    [due.group, due.after],
  );
  const ids = members.map(({ id }) => id);
  await assign(tx, holders, ids);
  if (ids.length < holdersMax) await tx.client.query('delete from role_due where id = $1', [due.id]);
  else await tx.client.query('update role_due set after_id = $2 where id = $1', [due.id, ids.at(-1)]);
  return true;
}
