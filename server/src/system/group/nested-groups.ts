import { type Context, everyRow, type WriteTx } from '../../context.ts';
import { Failure, protectedRecord, rejected } from '../../kernel/failure.ts';
import { markClaimsDue, markMembersDue, roleAssign } from '../../policy/role/role.service.ts';
import { refuseWiderReach, requireNotExceedingWithout } from '../../user/admin-profile/admin-profile.service.ts';
import { emitChanges, type GroupChange, idsSummary, shownIds } from './emit-changes.ts';
import { group, idsMax } from './group.ts';
import { type LockedGroup, lockGroups, refuseHiddenMembers, refuseMorePower, visibleGroups } from './membership.ts';
import { type Edge, edgesAt, nest, unnest } from './nesting.ts';

const everyGroup = everyRow(group, 'changes of the nesting are stored and reported completely');

/** Adds and removes edges between groups. Requires that the caller has locked the graph. */
async function rearrange(
  context: Context,
  changes: { parents: readonly LockedGroup[]; children: readonly LockedGroup[]; without: readonly Edge[] },
): Promise<void> {
  const { tx } = context;
  const { parents, children, without: removedEdges } = changes;
  requireNestableGroups(parents, children);
  const moved = [...new Set([...children.map(({ id }) => id), ...removedEdges.map(({ child }) => child)])];
  const before = await parentsOf(tx, moved);
  if (!changesAnything(before, changes)) return;
  await refuseMorePower(tx, children.length > 0 ? parents : []);
  await requireNotExceedingWithout(
    tx,
    removedEdges.map(({ parent }) => parent),
  );
  await refuseWiderVisibilityByNesting(tx, parents, children);
  await refuseHiddenMembers(context, moved, 'protected');
  // Ending claims of roles must be recorded before the change, and starting claims after it.
  const endsClaim = await markClaimsDue(tx.client, moved);
  if (removedEdges.length > 0) await unnest(tx.client, removedEdges);
  if (parents.length > 0)
    await nest(
      tx.client,
      parents.map(({ id }) => id),
      children.map(({ id }) => id),
      tx.visible(group),
    );
  const startsClaim = await markClaimsDue(tx.client, moved);
  if (endsClaim || startsClaim) context.tx.notify(roleAssign.name);
  await emitParentChanges(tx, before, await parentsOf(tx, moved));
}

/** Throws if a caller with row limits nests hidden groups in a managed group, because its administrators would see their members. */
async function refuseWiderVisibilityByNesting(
  tx: WriteTx,
  parents: readonly LockedGroup[],
  children: readonly LockedGroup[],
): Promise<void> {
  if (!tx.origin.limits?.byGroups) return;
  const { rowCount } = await tx.client.query(
    `select from group_closure c join group_manages m on m.managed_id = c.ancestor_id where c.descendant_id = any($1::bigint[]) limit 1`,
    [parents.map(({ id }) => id)],
  );
  if (rowCount) await refuseWiderReach(tx, { shown: children.map(({ id }) => id) });
}

function changesAnything(
  before: readonly Parents[],
  { parents, children, without }: Parameters<typeof rearrange>[1],
): boolean {
  const above = new Map(before.map((child) => [child.id, new Set(child.parents)]));
  const comes = children.some((child) => parents.some((parent) => !above.get(child.id)!.has(parent.id)));
  return comes || without.some(({ parent, child }) => above.get(child)!.has(parent));
}

/** Replaces the direct children of a group. Hidden ones stay. */
export async function setChildren(context: Context, parent: LockedGroup, ids: readonly number[]): Promise<void> {
  const children = await lockGroups(context.tx, ids);
  const edges = await edgesAt(context.tx.client, parent.id);
  const otherEdges = edges.filter((edge) => edge.parent === parent.id && !ids.includes(edge.child));
  const visibleChildren = new Set(
    await visibleGroups(
      context.tx,
      otherEdges.map(({ child }) => child),
    ),
  );
  const removedEdges = otherEdges.filter(({ child }) => visibleChildren.has(child));
  await rearrange(context, { parents: [parent], children, without: removedEdges });
}

/** Adds parents to a group. With `replace`, visible parents that are not listed are removed. */
export async function setParents(
  context: Context,
  child: LockedGroup,
  ids: readonly number[],
  replace: boolean,
): Promise<void> {
  const parents = await lockGroups(context.tx, ids);
  const current = (await edgesAt(context.tx.client, child.id)).filter((edge) => edge.child === child.id);
  const visibleParents = new Set(
    await visibleGroups(
      context.tx,
      current.map(({ parent }) => parent),
    ),
  );
  const removedEdges = replace
    ? current.filter(({ parent }) => visibleParents.has(parent) && !ids.includes(parent))
    : [];
  const total = new Set([...current.map(({ parent }) => parent), ...ids]).size - removedEdges.length;
  if (total > idsMax)
    throw rejected(`parentID: a group has at most ${idsMax} parents; this would be ${total}.`, '/parentID');
  await rearrange(context, { parents, children: [child], without: removedEdges });
}

/** Removes direct children from a group. Groups that are not its children are ignored. */
export const removeChildren = (
  context: Context,
  parent: LockedGroup,
  children: readonly LockedGroup[],
): Promise<void> =>
  rearrange(context, {
    parents: [],
    children: [],
    without: children.map(({ id }) => ({ parent: parent.id, child: id })),
  });

/** Removes the edges of a group before its deletion. Its ancestors and descendants stay connected only by other paths. */
export async function removeFromGraph(context: Context, id: number): Promise<void> {
  const { client } = context.tx;
  const edges = await edgesAt(client, id);
  const children = edges.filter(({ parent }) => parent === id).map(({ child }) => child);
  await refuseHiddenMembers(context, [id], 'in-use');
  if ((await visibleGroups(context.tx, children)).length < children.length)
    throw new Failure('in-use', 'The group contains groups that you cannot see.');
  const membersDue = await markMembersDue(client, id);
  if ((await markClaimsDue(client, children)) || membersDue) context.tx.notify(roleAssign.name);
  await unnest(client, edges);
}

function requireNestableGroups(parents: readonly LockedGroup[], children: readonly LockedGroup[]): void {
  for (const child of children) {
    const otherParent = parents.find(({ type }) => type !== child.type);
    if (otherParent)
      throw rejected(
        `${child.name} is a ${child.type} group and ${otherParent.name} a ${otherParent.type} group; a group can only contain groups of its own type.`,
      );
    if (parents.length > 0 && !child.userGroup)
      throw protectedRecord(`${child.name} is built in and cannot have a parent.`);
  }
}

interface Parents {
  id: number;
  name: string;
  parents: number[];
}

async function parentsOf({ client }: WriteTx, ids: readonly number[]): Promise<Parents[]> {
  const { rows } = await client.query<Parents>(
    `select g.id, g.name, array(select e.parent_id from group_edge e where e.child_id = g.id order by e.parent_id) as parents
     from ${everyGroup} g where g.id = any($1::bigint[]) order by g.id`,
    [ids],
  );
  return rows;
}

async function emitParentChanges(tx: WriteTx, before: readonly Parents[], after: readonly Parents[]): Promise<void> {
  const changes = before.map(({ id, name, parents }, index): GroupChange => {
    const [was, is] = [parents, after[index]!.parents];
    const summary = idsSummary('parentIDs', was, is);
    return { id, name, field: 'parentIDs', before: shownIds(was), after: shownIds(is), summary };
  });
  await emitChanges(
    tx,
    changes.filter(({ before: was, after: is }) => was !== is),
  );
}
