import { type Context, everyRow, type WriteTx } from '../../context.ts';
import { type ElementType, elementCodes } from '../../kernel/declare/element-type.ts';
import { quoted } from '../../kernel/declare/names.ts';
import { allows } from '../../kernel/declare/permissions.ts';
import { Failure, forbidden, invalid, notFound, protectedRecord, rejected } from '../../kernel/failure.ts';
import { assignHostRoles, assignRoles } from '../../policy/role/role.service.ts';
import {
  refuseWiderReach,
  requireMembersNotExceeding,
  requireNotExceedingWithout,
} from '../../user/admin-profile/admin-profile.service.ts';
import { andVisibleMember } from './element-view.ts';
import { emitChanges, type GroupChange } from './emit-changes.ts';
import { group } from './group.ts';

const everyGroup = everyRow(group, 'the locking statement adds visibleRow');

/** Maximum number of memberships that one call may write. */
export const pairsMax = 250_000;
const copiedAtOnce = 50_000;
/** Maximum number of ids in an audit row. */
const idsListedMax = 200;

/** The properties of a group that determine who may change its members. */
export interface LockedGroup {
  id: number;
  name: string;
  type: ElementType;
  source: 'LOCAL' | 'DIRECTORY' | 'SYSTEM';
  userGroup: boolean;
}

/** Returns groups and locks them against deletion until the end of the transaction. Throws 404 if one id is unknown. */
export async function lockGroups({ client, visibleRow }: WriteTx, ids: readonly number[]): Promise<LockedGroup[]> {
  const { rows } = await client.query<LockedGroup>(
    `select r.id, r.name, r.type, r.source, r.user_group as "userGroup" from ${everyGroup} r
     where r.id = any($1::bigint[])${visibleRow(group)} order by r.id for key share of r`,
    [ids],
  );
  refuseUnknown(group.title, ids, rows);
  return rows;
}

/** Returns the groups that the caller sees. Hidden ones must stay unchanged when a list is replaced. */
export async function visibleGroups(
  { client, visible, visibleRow }: WriteTx,
  ids: readonly number[],
): Promise<number[]> {
  if (visibleRow(group) === '') return [...ids];
  const { rows } = await client.query<{ id: number }>(
    `select r.id from ${visible(group)} r where r.id = any($1::bigint[])`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/**
 * Throws if the groups have members that the caller does not see, at any depth: a change of the nesting affects all of them. `word` is the
 * status of the response.
 */
export async function refuseHiddenMembers(
  { tx, elements }: Context,
  ids: readonly number[],
  word: 'in-use' | 'protected' | 'rejected',
): Promise<void> {
  for (const [type, { declaration, table }] of elements) {
    const andVisible = tx.visibleRow(declaration);
    if (andVisible === '') continue;
    const { rows } = await tx.client.query<{ name: string }>(
      `select g.name from ${everyGroup} g
       where g.id = any($1::bigint[]) and g.type = $2 and exists (
         select from group_closure c join group_member m on m.group_id = c.descendant_id
         where c.ancestor_id = g.id and not exists (select from ${quoted(table)} r where r.id = m.member_id${andVisible}))
       order by g.id limit 1`,
      [ids, type],
    );
    if (rows[0]) throw new Failure(word, `${rows[0].name} has members that you cannot see.`);
  }
}

/** Locks groups whose members the caller wants to change. Throws if they have different types or come from a directory. */
export async function editableGroups(tx: WriteTx, ids: readonly number[]): Promise<LockedGroup[]> {
  const groups = await lockGroups(tx, ids);
  const [first] = groups;
  const otherGroup = groups.find(({ type }) => type !== first!.type);
  if (otherGroup)
    throw rejected(
      `groupID: ${first!.name} is a ${first!.type} group and ${otherGroup.name} a ${otherGroup.type} group; all groups must have the same type.`,
      '/groupID',
    );
  for (const { name, source } of groups) refuseDirectoryGroup(tx, name, source);
  return groups;
}

/** Throws if a caller changes a directory group. The synchronisation, which runs as the service, may change it. */
export function refuseDirectoryGroup({ origin }: WriteTx, name: string, source: string): void {
  if (source === 'DIRECTORY' && origin.credential.kind !== 'system')
    throw protectedRecord(`${name} comes from a directory; change its name and members there.`);
}

/** Locks elements against deletion until the end of the transaction. Throws 404 if one id is unknown. */
export async function lockElements({ tx, elements }: Context, type: ElementType, ids: readonly number[]) {
  if (ids.length === 0) return;
  const source = elements.get(type);
  if (!source) throw notFound(type.toLowerCase(), ids[0]!);
  const { permission } = source.declaration;
  if (!allows(tx.origin.rights, permission, 'view')) throw forbidden(permission, 'view');
  const { rows } = await tx.client.query<{ id: number }>(
    `select r.id from ${quoted(source.table)} r where r.id = any($1::bigint[])${source.seen ? ` and ${source.seen}` : ''} order by r.id for key share of r`,
    [ids],
  );
  refuseUnknown(source.title, ids, rows);
}

/** Throws if a list contains an id twice. */
export function refuseRepeated(lists: Readonly<Record<string, readonly number[]>>): void {
  for (const [field, ids] of Object.entries(lists)) {
    if (new Set(ids).size < ids.length)
      throw invalid([{ pointer: `/${field}`, message: `${field}: contains a record twice.` }]);
  }
}

function refuseUnknown(title: string, requestedIds: readonly number[], storedRows: readonly { id: number }[]): void {
  if (storedRows.length === new Set(requestedIds).size) return;
  const storedIds = new Set(storedRows.map(({ id }) => id));
  throw notFound(
    title,
    requestedIds.find((id) => !storedIds.has(id)),
  );
}

/** The changed members of one group: their number, and the first ids. */
interface MemberChange {
  group: number;
  count: number;
  ids: number[];
}

const movedSql = `select m.group_id as "group", count(*) as count, (array_agg(m.member_id order by m.member_id))[1:${idsListedMax}] as ids
  from moved m group by m.group_id`;

/** Adds elements to groups. Existing members stay. */
export async function join(
  context: Pick<Context, 'tx'>,
  groups: readonly LockedGroup[],
  ids: readonly number[],
): Promise<void> {
  if (groups.length === 0 || ids.length === 0) return;
  const { type } = groups[0]!;
  await refuseMorePower(context.tx, groups);
  const { rows } = await context.tx.client.query<MemberChange>(
    `with moved as (
       insert into group_member (group_id, element_type, member_id)
       select g.id, $3, e.id from unnest($1::bigint[]) g(id) cross join unnest($2::bigint[]) e(id) order by g.id, e.id
       on conflict do nothing returning group_id, member_id
     ) ${movedSql}`,
    [groups.map(({ id }) => id), ids, elementCodes[type]],
  );
  await emitMembershipChanges(context.tx, groups, rows, []);
  if (rows.length > 0) await updateRoles(context.tx, type, ids);
}

/** Throws if the groups would give their new members more rights or visibility than the caller has. */
export async function refuseMorePower(tx: WriteTx, groups: readonly LockedGroup[]): Promise<void> {
  const joined = groups.filter(({ type }) => isOfPeople(type)).map(({ id }) => id);
  if (joined.length === 0) return;
  await requireMembersNotExceeding(tx, joined);
  await refuseWiderReach(tx, { joined });
}

const isOfPeople = (type: ElementType): boolean => type === 'USER' || type === 'ADMINISTRATOR';

/** Removes elements from groups. Elements that are not members are ignored. */
export async function leave(context: Context, groups: readonly LockedGroup[], ids: readonly number[]): Promise<void> {
  if (groups.length === 0 || ids.length === 0) return;
  if (isOfPeople(groups[0]!.type))
    await requireNotExceedingWithout(
      context.tx,
      groups.map(({ id }) => id),
    );
  const { rows } = await context.tx.client.query<MemberChange>(
    `with taken as (
       select m.group_id, m.member_id from group_member m
       where m.group_id = any($1::bigint[]) and m.member_id = any($2::bigint[])
       order by m.group_id, m.member_id limit ${pairsMax + 1} for update
     ), moved as (
       delete from group_member m using taken t where m.group_id = t.group_id and m.member_id = t.member_id
       returning m.group_id, m.member_id
     ) ${movedSql}`,
    [groups.map(({ id }) => id), ids],
  );
  refuseTooMany(rows.reduce((sum, { count }) => sum + count, 0));
  await emitMembershipChanges(context.tx, groups, [], rows);
  if (rows.length > 0) await updateRoles(context.tx, groups[0]!.type, ids);
}

/** Replaces the members of a group. Members that the caller does not see stay. */
export async function setMembers(context: Context, lockedGroup: LockedGroup, ids: readonly number[]): Promise<void> {
  const { rows: removedMembers } = await context.tx.client.query<{ id: number }>(
    `select m.member_id as id from group_member m
     where m.group_id = $1 and m.member_id <> all($2::bigint[])${andVisibleOf(context, lockedGroup.type)} order by m.member_id limit ${pairsMax + 1}`,
    [lockedGroup.id, ids],
  );
  refuseTooMany(removedMembers.length);
  await leave(
    context,
    [lockedGroup],
    removedMembers.map(({ id }) => id),
  );
  await join(context, [lockedGroup], ids);
}

const andVisibleOf = ({ elements }: Context, type: ElementType): string => {
  const source = elements.get(type);
  return source ? andVisibleMember(source) : '';
};

/** Replaces the groups of one type that elements are direct members of. Directory groups and hidden groups stay unchanged. */
export async function setMembership(
  context: Context,
  type: ElementType,
  groups: readonly LockedGroup[],
  ids: readonly number[],
): Promise<void> {
  const { rows: removedGroups } = await context.tx.client.query<{ id: number }>(
    `select distinct m.group_id as id from group_member m join ${context.visible(group)} r on r.id = m.group_id
     where m.element_type = $1 and m.member_id = any($2::bigint[]) and m.group_id <> all($3::bigint[]) and r.source <> 'DIRECTORY'
     order by m.group_id limit ${pairsMax}`,
    [elementCodes[type], ids, groups.map(({ id }) => id)],
  );
  const otherGroups =
    removedGroups.length > 0
      ? await lockGroups(
          context.tx,
          removedGroups.map(({ id }) => id),
        )
      : [];
  await leave(context, otherGroups, ids);
  await join(context, groups, ids);
}

/** Copies the visible direct members of a group to an empty one. In batches, because a million rows exceed the time limit of a statement. */
export async function copyMembers(context: Context, sourceGroup: LockedGroup, targetGroup: LockedGroup): Promise<void> {
  const { tx } = context;
  const moved: MemberChange = { group: targetGroup.id, count: 0, ids: [] };
  for (let after = 0, part = copiedAtOnce; part === copiedAtOnce; ) {
    const { rows } = await tx.client.query<{ part: number; last: number; ids: number[] }>(
      `with moved as (
         insert into group_member (group_id, element_type, member_id)
         select $2, m.element_type, m.member_id from group_member m
         where m.group_id = $1 and m.member_id > $3${andVisibleOf(context, sourceGroup.type)} order by m.member_id limit ${copiedAtOnce}
         returning member_id
       ) select count(*) as part, coalesce(max(m.member_id), 0) as last, coalesce((array_agg(m.member_id))[1:${idsListedMax}], '{}') as ids from moved m`,
      [sourceGroup.id, targetGroup.id, after],
    );
    const [copied] = rows;
    ({ part, last: after } = copied!);
    moved.count += part;
    if (moved.ids.length === 0) moved.ids = copied!.ids;
  }
  await emitMembershipChanges(tx, [targetGroup], moved.count > 0 ? [moved] : [], []);
}

function refuseTooMany(pairs: number): void {
  if (pairs > pairsMax)
    throw rejected(`More than ${pairsMax} memberships at once; send fewer elements or fewer groups.`);
}

/** Updates the roles that depend on the membership. */
async function updateRoles(tx: WriteTx, type: ElementType, ids: readonly number[]): Promise<void> {
  if (type === 'USER') await assignRoles(tx, ids);
  if (type === 'HOST') await assignHostRoles(tx, ids);
}

async function emitMembershipChanges(
  tx: WriteTx,
  groups: readonly LockedGroup[],
  added: readonly MemberChange[],
  removed: readonly MemberChange[],
): Promise<void> {
  const [joins, leaves] = [added, removed].map((moved) => new Map(moved.map((change) => [change.group, change])));
  const changes = groups.flatMap(({ id, name }): GroupChange[] => {
    const [addition, removal] = [joins!.get(id), leaves!.get(id)];
    if (!addition && !removal) return [];
    const summary = `+${addition?.count ?? 0} −${removal?.count ?? 0} members`;
    return [{ id, name, field: 'members', before: idsOf(removal), after: idsOf(addition), summary }];
  });
  await emitChanges(tx, changes);
}

const idsOf = (moved: MemberChange | undefined): string | null =>
  moved ? `[${moved.ids.join(', ')}${moved.count > moved.ids.length ? ', …' : ''}]` : null;
