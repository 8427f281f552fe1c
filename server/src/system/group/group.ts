import { auditFields, collection, deletes } from '../../kernel/declare.ts';
import { elementCodes, elementTypes } from '../../kernel/element.ts';
import {
  choice,
  computed,
  derived,
  type Field,
  identity,
  integer,
  landscape,
  managed,
  modified,
  text,
  version,
} from '../../kernel/field.ts';
import { literal } from '../../kernel/names.ts';
import { integerMax, type ObjectShape, type Shape } from '../../kernel/shape.ts';
import { memberCountSql, membersShown, membersSql } from './element-view.ts';

const { auditObjectName, auditObjectType, yamsEventTag, auditObj } = auditFields('group');

/** The code of groups among elements. */
export const groupElementType = 8;

/** Ids in one call. */
export const idsMax = 5_000;

const id: Shape = { kind: 'integer', min: 1, max: integerMax };
const count: Shape = { kind: 'integer', min: 0, max: integerMax };
const idList = (max: number): Shape => ({ kind: 'list', item: id, max });

/** A member in short. */
export const memberShape: ObjectShape = {
  kind: 'object',
  name: 'GroupMember',
  properties: {
    id,
    name: { kind: 'text', max: 500, doc: 'What it is called.' },
    img: { kind: 'text', max: 200, doc: 'Path of its picture.' },
  },
  required: ['id'],
};

const elementClass = `case r.type ${Object.entries(elementCodes)
  .map(([type, code]) => `when ${literal(type)} then ${code}`)
  .join(' ')} end`;

/** The order in which the states of a host are looked at; no port is in two of them at once. */
const enforcementRank = `case when r.type = 'PORT' then case r.enforcement when 'DEAD_END' then 1 when 'REMEDIATION' then 2
  when 'REGISTRATION' then 3 when 'AUTHENTICATION' then 4 when 'ROLE' then 5 end end`;

/** Ids of the other side of a relation of the group `r`, in order. */
const relatedIds = (table: string, own: string, other: string): string =>
  `(select coalesce(jsonb_agg(e.${other} order by e.${other}), '[]'::jsonb) from ${table} e where e.${own} = r.id)`;

const members: Field<object[]> = {
  shape: {
    kind: 'list',
    item: memberShape,
    max: membersShown,
    doc: `On a fetch the first ${membersShown} direct members, by id; [] in lists. Sent as ids: exactly these become its members; empty, or as it was read: no change.`,
  },
  access: 'computed',
  stored: false,
  fetched: true,
  sqlOver: membersSql,
};

/** A named set of hosts, adapters, devices, ports, users or administrators. */
export const group = collection({
  name: 'group',
  title: 'Group',
  path: '/system/group',
  permission: 'groups',
  doc: 'Typed sets of elements that policies, enforcement, schedules and administrators refer to; a group may hold other groups of its type.',
  columns: ['dbid', 'type', 'name', 'memberCount', 'childCount', 'source', 'tag', 'description'],
  patterns: ['list', 'fetch', 'count', 'countAll', 'usage', 'create', 'update', ...deletes],
  identity: 'dbid',
  typed: { parameter: 'groupType', field: 'type' },
  events: { elementType: groupElementType },
  scopedBy: { selected: true },
  uniqueTogether: [['type', 'name']],
  example: { name: 'Laboratory', description: 'Instruments of the chemistry building', daysValid: 90 },
  alsoTakes: {
    members: { ...members.shape, kind: 'list', item: memberShape, max: idsMax, short: id },
    childGroups: {
      kind: 'list',
      item: id,
      max: idsMax,
      doc: 'Exactly these groups become its children.',
    },
  },
  fields: {
    dbid: identity(),
    landscape,
    version,
    ...modified,
    name: text({ min: 1, max: 120, search: true, doc: 'Unique among groups of its type.' }),
    description: text({ max: 2_000, default: '', search: true }),
    type: { ...choice(elementTypes, { doc: 'What its members are; the word of the path.' }), fixed: true },
    elementClass: computed<number>({ kind: 'integer', min: 0, max: 11 }, elementClass, {
      doc: 'Code of its members among elements.',
    }),
    userGroup: derived<boolean>({ kind: 'flag' }, true, 'Made by people; false: built in.'),
    tag: {
      ...derived<string | null>(
        { kind: 'text', max: 80, nullable: true },
        null,
        'Stable key of a built-in group: code finds it by this, never by name.',
      ),
      unique: true,
    },
    source: derived<'LOCAL' | 'DIRECTORY' | 'SYSTEM'>(
      { kind: 'choice', values: ['LOCAL', 'DIRECTORY', 'SYSTEM'] },
      'LOCAL',
      'LOCAL: made here; DIRECTORY: name and members come from a directory; SYSTEM: built in.',
    ),
    directoryID: derived<number | null>({ ...id, nullable: true }, null, 'The directory it comes from.'),
    directoryKey: derived<string | null>(
      { kind: 'text', max: 80, nullable: true },
      null,
      'Its key there (entryUUID or objectGUID), which outlives a rename.',
    ),
    dn: derived<string | null>({ kind: 'text', max: 2_000, nullable: true }, null, 'Its distinguished name there.'),
    accessPolicy: integer({ min: -1, max: 2_147_483_647, default: -1, doc: 'Unused; kept for compatibility.' }),
    daysValid: integer({
      min: 0,
      max: 36_500,
      default: 0,
      doc: 'Days after which member hosts and users expire; 0: the group says nothing.',
    }),
    daysInactive: integer({
      min: 0,
      max: 36_500,
      default: 0,
      doc: 'Days of absence after which member hosts and users expire; 0: the group says nothing.',
    }),
    rank: computed<number | null>({ kind: 'integer', min: 1, max: 5, nullable: true }, enforcementRank, {
      doc: 'Place of an enforcement group among those of ports, by the state it is for; null: it is none.',
    }),
    enforcement: derived<string>(
      {
        kind: 'choice',
        values: ['REGISTRATION', 'AUTHENTICATION', 'REMEDIATION', 'DEAD_END', 'ROLE', 'NONE'],
      },
      'NONE',
      'The state whose isolation its ports take part in; built-in groups only.',
    ),
    nameLabel: computed<string>({ kind: 'text', max: 120 }, 'r.name', {
      doc: 'The name in the language of the reader; English only so far.',
    }),
    memberCount: computed<number>(count, memberCountSql('r.id'), { doc: 'Direct members.' }),
    childCount: computed<number>(count, '(select count(*) from group_edge e where e.parent_id = r.id)', {
      doc: 'Groups right below it.',
    }),
    parentIDs: computed<number[]>(idList(idsMax), relatedIds('group_edge', 'child_id', 'parent_id'), {
      doc: 'Groups right above it.',
    }),
    members,
    managesGroupIDs: computed<number[]>(idList(idsMax), relatedIds('group_manages', 'group_id', 'managed_id'), {
      doc: 'Of an administrator group: the groups whose members its members may see and change, where their profile limits rows.',
    }),
    ...managed,
    auditObjectName,
    auditObjectType,
    yamsEventTag,
    auditObj,
  },
});
