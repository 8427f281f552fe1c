import { action, type Context } from '../../context.ts';
import { type ElementType, elementTypes } from '../../kernel/element.ts';
import { invalid, notFound, rejected } from '../../kernel/failure.ts';
import type { QueryParameter } from '../../kernel/operation.ts';
import { integerMax, type ObjectShape, type Shape } from '../../kernel/shape.ts';
import { descendantShape, descendantsOf } from './descendants.ts';
import { holdGraph, lockGraph } from './graph-lock.ts';
import { group, idsMax, memberShape } from './group.ts';
import { setManaged } from './managing.ts';
import { memberIdsOf, membersOf } from './members.ts';
import {
  copyMembers,
  editableGroups,
  type HeldGroup,
  heldGroups,
  holdElements,
  join,
  leave,
  pairsMax,
  refuseRepeated,
  setMembership,
} from './membership.ts';
import { setChildren, setParents, takeOut } from './nested-groups.ts';

const id: Shape = { kind: 'integer', min: 1, max: integerMax };
const ids = (doc: string, min = 1): Shape => ({ kind: 'list', item: id, min, max: idsMax, doc });
const nestedParameter = (doc: string): QueryParameter => ({ shape: { kind: 'flag', doc } });

async function heldGroup(context: Context, wanted: number): Promise<HeldGroup> {
  return (await heldGroups(context.tx, [wanted]))[0]!;
}

/** The type of a group that is only read. */
async function typeOf({ db }: Context, wanted: number): Promise<ElementType> {
  const found = await db.selectFrom('group').select('type').where('id', '=', wanted).executeTakeFirst();
  if (!found) throw notFound(group.title, wanted);
  return found.type as ElementType;
}

const pageMax = 1_000;

const members = action(group, {
  name: 'members',
  method: 'GET',
  path: '/{id}/members',
  doc: 'List the members of a group, by id; nested, each once, with the nearest group that holds it',
  query: {
    nested: nestedParameter('Members of the groups below too; false unless said.'),
    start: { shape: { kind: 'integer', min: 0, max: 2_000_000_000, doc: 'How many members to skip.' } },
    count: { shape: { kind: 'integer', min: 0, max: pageMax, doc: 'How many members to answer at most.' } },
    after: { shape: { ...id, doc: 'Where a walk goes on; from the Link header.' } },
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
        doc: 'The group below that holds it; null for a direct member.',
      },
    },
  },
  errors: ['too-expensive'],
  async run(call, context) {
    const { nested = false, start = 0, count = pageMax, after = 0 } = call.query as Partial<MemberQuery>;
    if (start > 0 && after > 0) throw invalid('start and after exclude each other.');
    const type = await typeOf(context, call.id);
    const found = await membersOf(context, { group: call.id, type, nested, start, count: count + 1, after });
    const results = found.slice(0, count);
    return { results, ...(found.length > count && count > 0 && { next: String(results.at(-1)!.id) }) };
  },
});

interface MemberQuery {
  nested: boolean;
  start: number;
  count: number;
  after: number;
}

const memberIds = action(group, {
  name: 'member-ids',
  method: 'GET',
  path: '/{id}/member-ids',
  doc: 'Answer the ids of all members of a group, at most 500,000',
  query: { nested: nestedParameter('Members of the groups below too; true unless said.') },
  result: id,
  errors: ['rejected', 'too-expensive'],
  async run(call, context) {
    const type = await typeOf(context, call.id);
    return memberIdsOf(context, call.id, type, (call.query.nested as boolean | undefined) ?? true);
  },
});

const descendants = action(group, {
  name: 'descendants',
  method: 'GET',
  path: '/{id}/descendants',
  doc: 'List all groups below a group, nearest first, with their depth and the shortest path to them',
  result: descendantShape,
  errors: ['rejected', 'too-expensive'],
  async run(call, context) {
    await typeOf(context, call.id);
    return descendantsOf(context, call.id);
  },
});

const pairs: ObjectShape = {
  kind: 'object',
  name: 'GroupMembership',
  properties: {
    elemID: ids('Ids of hosts, adapters, devices, ports or accounts, by the type of the groups.'),
    groupID: ids('The groups, all of one type.'),
  },
  required: ['elemID', 'groupID'],
};

interface Pairs {
  elemID: number[];
  groupID: number[];
}

function refuseTooManyPairs({ elemID, groupID }: Pairs): void {
  const count = elemID.length * groupID.length;
  if (count > pairsMax)
    throw invalid(`elemID, groupID: these are ${count} memberships; at most ${pairsMax} are changed at once.`);
}

/** Every one of the elements with every one of the groups. */
const pairAction = (
  name: 'add-members' | 'remove-members',
  doc: string,
  change: (context: Context, groups: readonly HeldGroup[], elements: readonly number[]) => Promise<void>,
) =>
  action(group, {
    name,
    method: 'POST',
    path: `/${name}`,
    doc,
    body: pairs,
    example: { elemID: [1], groupID: [1, 2] },
    errors: ['not-found', 'protected', 'rejected'],
    async run(call, context) {
      const { elemID, groupID } = call.body as Pairs;
      refuseRepeated({ elemID, groupID });
      refuseTooManyPairs({ elemID, groupID });
      await holdGraph(context.tx.client);
      const groups = await editableGroups(context.tx, groupID);
      await holdElements(context, groups[0]!.type, elemID);
      await change(context, groups, elemID);
      return undefined;
    },
  });

const addMembers = pairAction('add-members', 'Let every one of these elements join every one of these groups', join);
const removeMembers = pairAction(
  'remove-members',
  'Let every one of these elements leave every one of these groups',
  leave,
);

const membership = action(group, {
  name: 'membership',
  method: 'POST',
  path: '/membership',
  doc: 'Make these the only groups of a type that elements are direct members of',
  body: {
    kind: 'object',
    name: 'GroupMembershipOfType',
    properties: {
      ...pairs.properties,
      groupID: ids('The groups, all of the type; none: they leave every group of it.', 0),
      type: { kind: 'choice', values: elementTypes, doc: 'The type of groups that is meant; others are left alone.' },
      serverIP: {
        kind: 'text',
        max: 255,
        nullable: true,
        doc: 'The managed cell to do it on; no cell is managed yet, so only null or empty.',
      },
    },
    required: ['elemID', 'groupID', 'type'],
  },
  example: { elemID: [1], groupID: [1], type: 'PORT' },
  errors: ['not-found', 'protected', 'rejected'],
  async run(call, context) {
    const { elemID, groupID, type, serverIP } = call.body as Pairs & { type: ElementType; serverIP?: string | null };
    refuseRepeated({ elemID, groupID });
    refuseTooManyPairs({ elemID, groupID });
    if (serverIP) throw rejected(`serverIP: this cell manages no server ${serverIP}.`, '/serverIP');
    await holdGraph(context.tx.client);
    const groups = groupID.length > 0 ? await editableGroups(context.tx, groupID) : [];
    const other = groups.find((each) => each.type !== type);
    if (other) throw rejected(`groupID: ${other.name} is a ${other.type} group, not a ${type} group.`, '/groupID');
    await holdElements(context, type, elemID);
    await setMembership(context, type, groups, elemID);
    return undefined;
  },
});

const addToParents = action(group, {
  name: 'add-to-parents',
  method: 'POST',
  path: '/add-to-parents',
  doc: 'Put a group below others',
  body: {
    kind: 'object',
    name: 'GroupParents',
    properties: {
      groupID: { ...id, doc: 'The group.' },
      parentID: ids('The groups above it.', 0),
      replace: { kind: 'flag', doc: 'It leaves the parents that are not named; true unless said.' },
    },
    required: ['groupID', 'parentID'],
  },
  example: { groupID: 2, parentID: [1], replace: false },
  errors: ['not-found', 'protected', 'rejected'],
  async run(call, context) {
    const {
      groupID,
      parentID,
      replace = true,
    } = call.body as {
      groupID: number;
      parentID: number[];
      replace?: boolean;
    };
    refuseRepeated({ parentID });
    if (parentID.includes(groupID))
      throw invalid([{ pointer: '/parentID', message: 'parentID: a group is not its own parent.' }]);
    await lockGraph(context.tx.client);
    await setParents(context, await heldGroup(context, groupID), parentID, replace);
    return undefined;
  },
});

const removeFromParent = action(group, {
  name: 'remove-from-parent',
  method: 'POST',
  path: '/remove-from-parent',
  doc: 'Take groups out of a group that they are right below',
  body: {
    kind: 'object',
    name: 'GroupChildren',
    properties: { parentID: { ...id, doc: 'The group above.' }, id: ids('The groups below it.') },
    required: ['parentID', 'id'],
  },
  example: { parentID: 1, id: [2] },
  errors: ['not-found', 'rejected'],
  async run(call, context) {
    const body = call.body as { parentID: number; id: number[] };
    refuseRepeated({ id: body.id });
    await lockGraph(context.tx.client);
    await takeOut(context, await heldGroup(context, body.parentID), await heldGroups(context.tx, body.id));
    return undefined;
  },
});

const copy = action(group, {
  name: 'copy',
  method: 'POST',
  path: '/copy',
  verb: 'add',
  doc: 'Make a local group of the same type, with the same members and children',
  body: {
    kind: 'object',
    name: 'GroupCopy',
    properties: {
      id: { ...id, doc: 'The group to copy.' },
      name: { kind: 'text', min: 1, max: 120, doc: 'Name of the new group.' },
      description: { kind: 'text', max: 2_000, doc: 'That of the group itself when absent.' },
      members: { kind: 'flag', doc: 'Its direct members too; true unless said.' },
      children: { kind: 'flag', doc: 'The groups right below it too; true unless said.' },
    },
    required: ['id', 'name'],
  },
  example: { id: 1, name: 'Laboratory of the annex' },
  success: 201,
  saves: true,
  errors: ['not-found', 'duplicate', 'rejected'],
  async run(call, context) {
    const body = call.body as { id: number; name: string; description?: string; members?: boolean; children?: boolean };
    const { tx } = context;
    const from = await heldGroup(context, body.id);
    const { description, daysValid, daysInactive } = (await tx.records.fetch(group, from.id))!;
    const { id: made } = await tx.records.create(group, {
      type: from.type,
      name: body.name,
      description: body.description ?? description,
      daysValid,
      daysInactive,
    });
    const to = await heldGroup(context, made);
    if (body.members ?? true) await copyMembers(context, from, to);
    if (body.children ?? true) {
      // Nothing lies above the copy, so its members change nothing there: the lock that others wait for comes last.
      await lockGraph(tx.client);
      await setChildren(context, to, await childrenOf(context, from.id));
    }
    return {
      location: `/api/v2${group.path}/${made}`,
      version: 1,
      ...(call.dryRun && { results: [await tx.records.fetch(group, made)] }),
    };
  },
});

/** More than one call may name: a copy takes all of them, or refuses. */
async function childrenOf({ tx }: Context, wanted: number): Promise<number[]> {
  const { rows } = await tx.client.query<{ id: number }>(
    `select e.child_id as id from group_edge e where e.parent_id = $1 order by e.child_id limit ${idsMax + 1}`,
    [wanted],
  );
  if (rows.length > idsMax)
    throw rejected(`children: the group has more than ${idsMax} of them; copy it without, and nest them in parts.`);
  return rows.map((row) => row.id);
}

const aging = action(group, {
  name: 'aging',
  method: 'POST',
  path: '/aging',
  doc: 'Store after how many days the members of groups expire',
  body: {
    kind: 'object',
    name: 'GroupAging',
    properties: {
      id: ids('Host and user groups.'),
      daysValid: group.fields.daysValid.shape,
      daysInactive: group.fields.daysInactive.shape,
      apply: {
        kind: 'flag',
        doc: 'Work out the dates of present members again; true unless said. Neither hosts nor accounts take dates from groups yet, so nothing follows.',
      },
    },
    required: ['id', 'daysValid', 'daysInactive'],
  },
  example: { id: [1], daysValid: 90, daysInactive: 30 },
  errors: ['not-found', 'rejected'],
  async run(call, { tx }) {
    const {
      id: wanted,
      daysValid,
      daysInactive,
    } = call.body as {
      id: number[];
      daysValid: number;
      daysInactive: number;
    };
    refuseRepeated({ id: wanted });
    await heldGroups(tx, wanted);
    for (const each of [...wanted].sort((a, b) => a - b))
      await tx.records.update(group, each, { daysValid, daysInactive });
    return undefined;
  },
});

const manageable: readonly ElementType[] = ['HOST', 'ADAPTER', 'PORT', 'USER'];

const manages = action(group, {
  name: 'manages',
  method: 'POST',
  path: '/{groupID}/manages',
  pathShapes: { groupID: id },
  doc: 'Say which groups the members of an administrator group may see and change',
  body: {
    kind: 'object',
    name: 'GroupManages',
    properties: { id: ids('Exactly these groups; none: nothing.', 0) },
    required: ['id'],
  },
  example: { id: [1] },
  errors: ['not-found', 'rejected'],
  async run(call, context) {
    const { tx } = context;
    const { id: wanted } = call.body as { id: number[] };
    refuseRepeated({ id: wanted });
    const administrators = await heldGroup(context, Number(call.parameters.groupID));
    if (administrators.type !== 'ADMINISTRATOR')
      throw rejected(`${administrators.name} is a ${administrators.type} group; only administrators manage groups.`);
    const other = (await heldGroups(tx, wanted)).find(({ type }) => !manageable.includes(type));
    if (other)
      throw rejected(`id: ${other.name} is a ${other.type} group; name host, adapter, port and user groups.`, '/id');
    await setManaged(context, administrators, wanted);
    return undefined;
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
