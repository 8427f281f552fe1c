import type pg from 'pg';
import { type EventEntry, eventType } from '../../kernel/event-type.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import type { WriteTx } from '../../kernel/runtime.ts';
import { lockGraph } from '../../system/group/graph-lock.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { defaultRole } from './role.ts';

/** Accounts that one transaction looks at. */
const accountsMax = 5_000;

interface Changed {
  id: number;
  name: string;
  old: string;
  now: string;
  source: string;
}

/**
 * Gives accounts the role of the first source that has one: what an administrator or a directory said stays, then the highest role
 * that claims one of their groups, then the default. Rows are locked before the claims are read, so that of two changes of
 * the same account the later one sees both.
 */
export async function assignRoles(tx: WriteTx, accounts: readonly number[]): Promise<void> {
  await tx.client.query(
    'select a.id from user_account a where a.id = any($1::bigint[]) order by a.id for no key update',
    [accounts],
  );
  const { rows } = await tx.client.query<Changed>(
    `with claimed as (
       select a.id, a.role_id as old_id, a.role_source as old_source, g.role_id
       from user_account a
       left join lateral (
         select x.from_id as role_id
         from group_member m
         join group_closure c on c.descendant_id = m.group_id
         join reference x on x.to_table = 'group' and x.to_id = c.ancestor_id and x.from_table = 'role' and x.field = 'groupIDs'
         join role r on r.id = x.from_id
         where m.element_type = 6 and m.member_id = a.id
         order by r.rank limit 1
       ) g on true
       where a.id = any($1::bigint[]) and a.role_source not in ('ADMIN', 'PROFILING_RULE', 'DIRECTORY')
     ), wanted as (
       select c.id, c.old_id, coalesce(c.role_id, d.id) as role_id, case when c.role_id is null then 'DEFAULT' else 'GROUP' end as source
       from claimed c
       join role d on lower(d.name) = lower($2)
       where c.role_id is not null or c.old_source in ('GROUP', 'DEFAULT')
     ), changed as (
       update user_account a set role_id = w.role_id, role_source = w.source
       from wanted w
       where a.id = w.id and (a.role_id, a.role_source) is distinct from (w.role_id, w.source)
       returning a.id, a.user_id, w.old_id, w.role_id, w.source
     )
     select c.id, c.user_id as name, o.name as old, n.name as now, c.source
     from changed c join role n on n.id = c.role_id left join role o on o.id = c.old_id
     where c.old_id is distinct from c.role_id
     order by c.id`,
    [accounts, defaultRole],
  );
  if (rows.length > 0) await tx.engine.sinks.events(tx.client, tx.origin, rows.map(roleChanged));
}

export const userRoleChanged = eventType({
  name: 'USER_ROLE_CHANGED',
  description: 'An account has another role, because of its groups or because somebody chose it.',
  category: 'USER',
  elementType: userAccount.events.elementType,
  format: '{element}: {old} → {new}, source {source}',
});

const roleChanged = ({ id, name, old, now, source }: Changed): EventEntry => ({
  type: userRoleChanged,
  element: { id, name },
  attributes: { old, new: now, source },
});

/** A role that somebody chose stays until it is chosen empty; then the other sources are asked again. */
export function claimRole(after: RecordValue): void {
  after.roleSource = after.role === '' ? 'DEFAULT' : 'ADMIN';
  if (after.role === '') after.role = defaultRole;
}

/** Whether a role claims the members of a group, by itself or by one above it. */
const isClaimed = (group: string): string => `exists (
  select from group_closure c
  join reference x on x.to_table = 'group' and x.to_id = c.ancestor_id and x.from_table = 'role' and x.field = 'groupIDs'
  where c.descendant_id = ${group})`;

/** Notes that the members of these groups, however far below, need another look; says whether there are any such groups. */
export async function noteRolesDue(client: pg.PoolClient, groups: readonly number[]): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into role_due (group_id) select g.id from "group" g where g.id = any($1::bigint[]) and g.type = 'USER'`,
    [groups],
  );
  return rowCount! > 0;
}

/** The same where the place of groups changes: only if a role claims them, as the nesting is now. */
export async function noteClaimsDue(client: pg.PoolClient, groups: readonly number[]): Promise<boolean> {
  const { rows } = await client.query<{ id: number }>(
    `select g.id from unnest($1::bigint[]) g(id) where ${isClaimed('g.id')}`,
    [groups],
  );
  return noteRolesDue(
    client,
    rows.map(({ id }) => id),
  );
}

/** The same for the direct members of a group that is about to go: after it nobody knows who they were. */
export async function noteMembersDue(client: pg.PoolClient, group: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into role_due (account_id)
     select m.member_id from group_member m where m.group_id = $1 and m.element_type = 6 and ${isClaimed('$1')}`,
    [group],
  );
  return rowCount! > 0;
}

/** What roles claim changes one after the other, and not while somebody's membership does: see `assignRoles`. */
export const lockClaims = lockGraph;

/** Looks at some of the accounts that are due; says whether there is more to do. */
export async function assignDueRoles(tx: WriteTx): Promise<boolean> {
  return (await assignDueAccounts(tx)) || (await assignDueGroup(tx));
}

async function assignDueAccounts(tx: WriteTx): Promise<boolean> {
  const { rows } = await tx.client.query<{ account: number }>(
    `delete from role_due d where d.id in (
       select x.id from role_due x where x.account_id is not null order by x.id limit ${accountsMax} for update skip locked)
     returning d.account_id as account`,
  );
  if (rows.length === 0) return false;
  await assignRoles(
    tx,
    rows.map(({ account }) => account),
  );
  return true;
}

/** A page of the members of one group; the row remembers how far it got. */
async function assignDueGroup(tx: WriteTx): Promise<boolean> {
  const { rows } = await tx.client.query<{ id: number; group: number; after: number }>(
    `select d.id, d.group_id as "group", d.after_id as "after" from role_due d
     where d.group_id is not null order by d.id limit 1 for update skip locked`,
  );
  const due = rows[0];
  if (!due) return false;
  const { rows: members } = await tx.client.query<{ account: number }>(
    `select distinct m.member_id as account
     from group_closure c
     cross join lateral (
       select m.member_id from group_member m
       where m.group_id = c.descendant_id and m.element_type = 6 and m.member_id > $2
       order by m.member_id limit ${accountsMax}
     ) m
     where c.ancestor_id = $1
     order by account limit ${accountsMax}`,
    [due.group, due.after],
  );
  const accounts = members.map(({ account }) => account);
  await assignRoles(tx, accounts);
  if (accounts.length < accountsMax) await tx.client.query('delete from role_due where id = $1', [due.id]);
  else await tx.client.query('update role_due set after_id = $2 where id = $1', [due.id, accounts.at(-1)]);
  return true;
}
