import { action, type Context } from '../../context.ts';
import { type ElementType, elementTypes } from '../../kernel/declare/element-type.ts';
import type { ObjectShape, Shape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import type { ValueOf } from '../../kernel/declare/value-of.ts';
import { invalid, invalidField, notFound, rejected } from '../../kernel/failure.ts';
import { connectionChange } from '../../policy/connection-change/connection-change.ts';
import { descendantShape, descendantsOf } from './descendants.ts';
import { lockGraph, lockGraphShared } from './graph-lock.ts';
import { group, idsMax, memberShape } from './group.ts';
import { setManaged } from './managing.ts';
import { memberIdsOf, membersOf } from './members.ts';
import {
  copyMembers,
  editableGroups,
  join,
  type LockedGroup,
  leave,
  lockElements,
  lockGroups,
  pairsMax,
  refuseRepeated,
  setMembership,
  visibleGroups,
} from './membership.ts';
import { removeChildren, setChildren, setParents } from './nested-groups.ts';

const { id } = shapes;
const ids = (doc: string, min = 1) => ({ kind: 'list', item: id, min, max: idsMax, doc }) as const satisfies Shape;
const nestedParameter = (doc: string) => ({ shape: { kind: 'flag', doc } }) as const;

async function lockGroup(context: Context, groupID: number): Promise<LockedGroup> {
  return (await lockGroups(context.tx, [groupID]))[0]!;
}

/** Returns the type of a group, without locking it. */
async function typeOf({ db }: Context, groupID: number): Promise<ElementType> {
  const storedGroup = await db.selectFrom('group').select('type').where('id', '=', groupID).executeTakeFirst();
  if (!storedGroup) throw notFound(group.title, groupID);
  return storedGroup.type as ElementType;
}

/** Only ports and devices in groups affect decisions directly. Other members affect them through their roles, which are assigned later. */
const impactOn = (type: ElementType) =>
  type === 'PORT' || type === 'DEVICE' ? undefined : { hasNoImpact: true as const };

const pageMax = 1_000;

const members = action(group, {
  name: 'members',
  method: 'GET',
  path: '/{id}/members',
  doc: 'List the members of a group, optionally of nested groups',
  query: {
    nested: nestedParameter('Include members of nested groups. Default: false.'),
    start: { shape: { kind: 'integer', min: 0, max: 2_000_000_000, doc: 'Number of members to skip.' } },
    count: { shape: { kind: 'integer', min: 0, max: pageMax, doc: 'Maximum number of members to return.' } },
    after: { shape: { ...id, doc: 'Position of the next page, from the Link header.' } },
  },
  result: {
    ...memberShape,
    name: 'NestedGroupMember',
    properties: {
      ...memberShape.properties,
      via: {
        kind: 'object',
        name: 'MemberVia',
        nullable: true,
        properties: { id, name: { kind: 'text', max: 120 } },
        doc: 'The nested group that contains it; null for a direct member.',
      },
    },
  },
  errors: ['too-expensive'],
  async run(call, context) {
    const { nested = false, start = 0, count = pageMax, after = 0 } = call.query;
    if (start > 0 && after > 0) throw invalid('Send either start or after, not both.');
    const type = await typeOf(context, call.id);
    const nextMembers = await membersOf(context, { group: call.id, type, nested, start, count: count + 1, after });
    const results = nextMembers.slice(0, count);
    return { results, ...(nextMembers.length > count && count > 0 && { next: String(results.at(-1)!.id) }) };
  },
});

const memberIds = action(group, {
  name: 'member-ids',
  method: 'GET',
  path: '/{id}/member-ids',
  doc: 'Return the ids of all members of a group, at most 500,000',
  query: { nested: nestedParameter('Include members of nested groups. Default: true.') },
  result: id,
  errors: ['rejected', 'too-expensive'],
  async run(call, context) {
    const type = await typeOf(context, call.id);
    return memberIdsOf(context, call.id, type, call.query.nested ?? true);
  },
});

const descendants = action(group, {
  name: 'descendants',
  method: 'GET',
  path: '/{id}/descendants',
  doc: 'List all descendants of a group, nearest first',
  result: descendantShape,
  errors: ['rejected', 'too-expensive'],
  async run(call, context) {
    await typeOf(context, call.id);
    return descendantsOf(context, call.id);
  },
});

const pairs = {
  kind: 'object',
  name: 'GroupMembership',
  properties: {
    elemID: ids('Ids of hosts, adapters, devices, ports or accounts, by the type of the groups.'),
    groupID: ids('The groups, all of one type.'),
  },
  required: ['elemID', 'groupID'],
} as const satisfies ObjectShape;

function refuseTooManyPairs({ elemID, groupID }: ValueOf<typeof pairs>): void {
  const count = elemID.length * groupID.length;
  if (count > pairsMax)
    throw invalid(`elemID, groupID: ${count} memberships; at most ${pairsMax} can be changed at once.`);
}

/** Creates an action that changes the membership of each element in each group. */
const pairAction = (
  name: 'add-members' | 'remove-members',
  doc: string,
  change: (context: Context, groups: readonly LockedGroup[], elements: readonly number[]) => Promise<void>,
) =>
  action(group, {
    name,
    method: 'POST',
    path: `/${name}`,
    doc,
    body: pairs,
    impact: connectionChange,
    impactMayBeNone: true,
    example: { elemID: [1], groupID: [1, 2] },
    errors: ['not-found', 'protected', 'rejected'],
    async run(call, context) {
      const { elemID, groupID } = call.body;
      refuseRepeated({ elemID, groupID });
      refuseTooManyPairs({ elemID, groupID });
      await lockGraphShared(context.tx.client);
      const groups = await editableGroups(context.tx, groupID);
      await lockElements(context, groups[0]!.type, elemID);
      await change(context, groups, elemID);
      return impactOn(groups[0]!.type);
    },
  });

const addMembers = pairAction('add-members', 'Add each of these elements to each of these groups', join);
const removeMembers = pairAction('remove-members', 'Remove each of these elements from each of these groups', leave);

const membership = action(group, {
  name: 'membership',
  method: 'POST',
  path: '/membership',
  doc: 'Replace the group memberships of elements for one type',
  body: {
    kind: 'object',
    name: 'GroupMembershipOfType',
    properties: {
      ...pairs.properties,
      groupID: ids('The groups, all of this type; empty: remove the elements from all of them.', 0),
      type: {
        kind: 'choice',
        values: elementTypes,
        doc: 'Group type to change; other types are not changed.',
        help: 'Group type to change. Groups of other types are not changed.',
      },
      serverIP: {
        kind: 'text',
        max: 255,
        nullable: true,
        doc: 'Managed cell; must be null or empty in this release.',
      },
    },
    required: ['elemID', 'groupID', 'type'],
  },
  impact: connectionChange,
  impactMayBeNone: true,
  example: { elemID: [1], groupID: [1], type: 'PORT' },
  errors: ['not-found', 'protected', 'rejected'],
  async run(call, context) {
    const { elemID, groupID, type, serverIP } = call.body;
    refuseRepeated({ elemID, groupID });
    refuseTooManyPairs({ elemID, groupID });
    if (serverIP) throw rejected(`serverIP: this cell manages no server ${serverIP}.`, '/serverIP');
    await lockGraphShared(context.tx.client);
    const groups = groupID.length > 0 ? await editableGroups(context.tx, groupID) : [];
    const otherGroup = groups.find((candidate) => candidate.type !== type);
    if (otherGroup)
      throw rejected(`groupID: ${otherGroup.name} is a ${otherGroup.type} group, not a ${type} group.`, '/groupID');
    await lockElements(context, type, elemID);
    await setMembership(context, type, groups, elemID);
    return impactOn(type);
  },
});

const addToParents = action(group, {
  name: 'add-to-parents',
  method: 'POST',
  path: '/add-to-parents',
  doc: 'Set the parents of a group',
  body: {
    kind: 'object',
    name: 'GroupParents',
    properties: {
      groupID: { ...id, doc: 'The group.' },
      parentID: ids('The parent groups.', 0),
      replace: {
        kind: 'flag',
        doc: 'Remove the parents that are not listed. Default: true.',
        help: 'Yes: parents that are not listed are removed. Default: yes.',
      },
    },
    required: ['groupID', 'parentID'],
  },
  impact: connectionChange,
  impactMayBeNone: true,
  example: { groupID: 2, parentID: [1], replace: false },
  errors: ['not-found', 'protected', 'rejected'],
  async run(call, context) {
    const { groupID, parentID, replace = true } = call.body;
    refuseRepeated({ parentID });
    if (parentID.includes(groupID)) throw invalidField('parentID', 'a group cannot be its own parent');
    await lockGraph(context.tx.client);
    const child = await lockGroup(context, groupID);
    await setParents(context, child, parentID, replace);
    return impactOn(child.type);
  },
});

const removeFromParent = action(group, {
  name: 'remove-from-parent',
  method: 'POST',
  path: '/remove-from-parent',
  doc: 'Remove direct children from a group',
  body: {
    kind: 'object',
    name: 'GroupChildren',
    properties: { parentID: { ...id, doc: 'The parent group.' }, id: ids('The child groups.') },
    required: ['parentID', 'id'],
  },
  impact: connectionChange,
  impactMayBeNone: true,
  example: { parentID: 1, id: [2] },
  errors: ['not-found', 'protected', 'rejected'],
  async run(call, context) {
    const { body } = call;
    refuseRepeated({ id: body.id });
    await lockGraph(context.tx.client);
    const parent = await lockGroup(context, body.parentID);
    await removeChildren(context, parent, await lockGroups(context.tx, body.id));
    return impactOn(parent.type);
  },
});

const copy = action(group, {
  name: 'copy',
  method: 'POST',
  path: '/copy',
  verb: 'add',
  doc: 'Copy a group with its members and children',
  body: {
    kind: 'object',
    name: 'GroupCopy',
    properties: {
      id: { ...id, doc: 'The group to copy.' },
      name: { kind: 'text', min: 1, max: 120, doc: 'Name of the new group.' },
      description: {
        kind: 'text',
        max: 2_000,
        doc: 'Absent: the description of the copied group.',
        help: 'Empty: the description of the copied group.',
      },
      members: {
        kind: 'flag',
        doc: 'Copy direct members. Default: true.',
        help: 'Yes: copy the direct members. Default: yes.',
      },
      children: {
        kind: 'flag',
        doc: 'Copy child groups. Default: true.',
        help: 'Yes: copy the child groups. Default: yes.',
      },
    },
    required: ['id', 'name'],
  },
  example: { id: 1, name: 'Laboratory of the annex' },
  success: 201,
  saves: true,
  errors: ['not-found', 'duplicate', 'rejected'],
  async run(call, context) {
    const { body } = call;
    const { tx } = context;
    const sourceGroup = await lockGroup(context, body.id);
    const { description, daysValid, daysInactive } = (await tx.records.fetch(group, sourceGroup.id))!;
    const { id: copyID } = await tx.records.create(group, {
      type: sourceGroup.type,
      name: body.name,
      description: body.description ?? description,
      daysValid,
      daysInactive,
    });
    const copiedGroup = await lockGroup(context, copyID);
    if (body.members ?? true) await copyMembers(context, sourceGroup, copiedGroup);
    if (body.children ?? true) {
      // The copy has no parents, so its members can be added before the exclusive lock, which blocks other requests.
      await lockGraph(tx.client);
      await setChildren(context, copiedGroup, await visibleGroups(tx, await childrenOf(context, sourceGroup.id)));
    }
    return {
      location: `/api/v2${group.path}/${copyID}`,
      version: 1,
      ...(call.dryRun && { results: [await tx.records.fetch(group, copyID)] }),
    };
  },
});

/** Returns the children of a group. Throws if there are more than a call may contain, so that a copy is complete. */
async function childrenOf({ tx }: Context, groupID: number): Promise<number[]> {
  const { rows } = await tx.client.query<{ id: number }>(
    `select e.child_id as id from group_edge e where e.parent_id = $1 order by e.child_id limit ${idsMax + 1}`,
    [groupID],
  );
  if (rows.length > idsMax)
    throw rejected(
      `children: the group has more than ${idsMax} children; copy it without children, and add them in batches.`,
    );
  return rows.map((row) => row.id);
}

const aging = action(group, {
  name: 'aging',
  method: 'POST',
  path: '/aging',
  doc: 'Set after how many days the members of groups expire',
  body: {
    kind: 'object',
    name: 'GroupAging',
    properties: {
      id: ids('Host and user groups.'),
      daysValid: group.fields.daysValid.shape,
      daysInactive: group.fields.daysInactive.shape,
      apply: {
        kind: 'flag',
        doc: 'Whether current members are limited too. Default: true; false is not supported yet.',
      },
    },
    required: ['id', 'daysValid', 'daysInactive'],
  },
  example: { id: [1], daysValid: 90, daysInactive: 30 },
  errors: ['not-found', 'rejected'],
  async run(call, { tx }) {
    const { id: groupIDs, daysValid, daysInactive, apply } = call.body;
    if (apply === false) throw rejected('apply: not supported yet; current members are always limited too.', '/apply');
    refuseRepeated({ id: groupIDs });
    await lockGroups(tx, groupIDs);
    for (const groupID of [...groupIDs].sort((a, b) => a - b))
      await tx.records.update(group, groupID, { daysValid, daysInactive });
    return undefined;
  },
});

const manageable: readonly ElementType[] = ['HOST', 'ADAPTER', 'PORT', 'USER'];

const manages = action(group, {
  name: 'manages',
  method: 'POST',
  path: '/{groupID}/manages',
  pathShapes: { groupID: id },
  doc: 'Set the groups that an administrator group manages',
  body: {
    kind: 'object',
    name: 'GroupManages',
    properties: { id: ids('Exactly these groups; empty: none.', 0) },
    required: ['id'],
  },
  example: { id: [1] },
  saves: true,
  errors: ['not-found', 'rejected'],
  async run(call, context) {
    const { tx } = context;
    const { id: managedIDs } = call.body;
    refuseRepeated({ id: managedIDs });
    const administrators = await lockGroup(context, call.parameters.groupID);
    if (administrators.type !== 'ADMINISTRATOR')
      throw rejected(
        `${administrators.name} is a ${administrators.type} group; only administrator groups manage groups.`,
      );
    const unmanageable = (await lockGroups(tx, managedIDs)).find(({ type }) => !manageable.includes(type));
    if (unmanageable)
      throw rejected(
        `id: ${unmanageable.name} is a ${unmanageable.type} group; use host, adapter, port and user groups.`,
        '/id',
      );
    await setManaged(context, administrators, managedIDs);
    return call.dryRun ? { results: [await tx.records.fetch(group, administrators.id)] } : undefined;
  },
});

export const groupActions = [
  members,
  memberIds,
  descendants,
  addMembers,
  removeMembers,
  membership,
  addToParents,
  removeFromParent,
  copy,
  aging,
  manages,
];
