import { auditFields, collection, deletes, type RowOf } from '../../kernel/declare/declaration.ts';
import { elementCodes, elementTypes } from '../../kernel/declare/element-type.ts';
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
  withoutEffect,
} from '../../kernel/declare/field.ts';
import { literal } from '../../kernel/declare/names.ts';
import type { ObjectShape, Shape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { memberCountSql, membersShown, membersSql } from './element-view.ts';

const { auditObjectName, auditObjectType, yamsEventTag, auditObj } = auditFields('group');

/** The element type of groups in the contract. */
export const groupElementType = 8;

/** Maximum number of ids in one call. */
export const idsMax = 5_000;

const { id, count } = shapes;
const idList = (max: number) => ({ kind: 'list', item: id, max }) as const satisfies Shape;

/** A member in short form. */
export const memberShape = {
  kind: 'object',
  name: 'GroupMember',
  properties: {
    id,
    name: { kind: 'text', max: 500, doc: 'Name of the element.' },
    img: { kind: 'text', max: 200, doc: 'Path of its icon.' },
  },
  required: ['id'],
} as const satisfies ObjectShape;

const elementClass = `case r.type ${Object.entries(elementCodes)
  .map(([type, code]) => `when ${literal(type)} then ${code}`)
  .join(' ')} end`;

/** The order in which host states are checked; a port is in at most one of them. */
const enforcementRank = `case when r.type = 'PORT' then case r.enforcement when 'DEAD_END' then 1 when 'REMEDIATION' then 2
  when 'REGISTRATION' then 3 when 'AUTHENTICATION' then 4 when 'ROLE' then 5 end end`;

/** Selects the ids on the other side of a relation of the group `r`, in order. */
const relatedIds = (table: string, ownColumn: string, otherColumn: string): string =>
  `(select coalesce(jsonb_agg(e.${otherColumn} order by e.${otherColumn}), '[]'::jsonb) from ${table} e where e.${ownColumn} = r.id)`;

const parentIds = relatedIds('group_edge', 'child_id', 'parent_id');
const managedIds = relatedIds('group_manages', 'group_id', 'managed_id');

/** The same for callers with row limits: only visible groups on the other side. */
const visibleRelated = (sql: string, otherColumn: string) => ({
  sql,
  restricted: sql.replace(' e where ', ` e join "group" g on g.id = e.${otherColumn} where `),
});

const members: Field<object[]> = {
  shape: {
    kind: 'list',
    item: memberShape,
    max: membersShown,
    doc: `In a fetch the first ${membersShown} direct members by id; [] in lists. Sent as ids: replaces the members; empty or unchanged: no change.`,
  },
  access: 'computed',
  stored: false,
  detailOnly: true,
  sqlOver: membersSql,
};

/** A named set of hosts, adapters, devices, ports, users or administrators. */
export const group = collection({
  name: 'group',
  title: 'Group',
  path: '/system/group',
  permission: 'groups',
  doc: 'Typed sets of elements that policies, enforcement, schedules and administrators refer to; a group may contain other groups of its type.',
  columns: ['dbid', 'type', 'name', 'memberCount', 'childCount', 'source', 'tag', 'description'],
  patterns: ['list', 'fetch', 'count', 'countAll', 'usage', 'create', 'update', ...deletes],
  identity: 'dbid',
  typeInPath: { parameter: 'groupType', field: 'type' },
  events: { elementType: groupElementType },
  scopedBy: { selected: true },
  deciding: { fields: ['tag', 'enforcement'] },
  restrictedSql: [visibleRelated(parentIds, 'parent_id'), visibleRelated(managedIds, 'managed_id')],
  uniqueTogether: [['type', 'name']],
  example: { name: 'Laboratory', description: 'Instruments of the chemistry building', daysValid: 90 },
  extraInput: {
    members: { ...members.shape, kind: 'list', item: memberShape, max: idsMax, short: id },
    childGroups: {
      kind: 'list',
      item: id,
      max: idsMax,
      doc: 'Replaces its children by these groups.',
      help: 'Groups that this group contains. The list replaces the current child groups.',
    },
  },
  sections: {
    Group: ['name', 'description', 'type', 'source', 'accessPolicy'],
    Members: ['memberCount', 'members', 'childCount', 'parentIDs', 'managesGroupIDs'],
    Lifetime: ['daysValid', 'daysInactive'],
    Directory: ['directoryID', 'directoryKey', 'dn'],
  },
  units: { daysValid: 'd', daysInactive: 'd' },
  fields: {
    dbid: identity(),
    landscape,
    version,
    ...modified,
    name: text({
      min: 1,
      max: 120,
      search: true,
      doc: 'Unique among groups of its type.',
      help: 'Must be unique among the groups of this type.',
    }),
    description: text({ max: 2_000, default: '', search: true }),
    type: {
      ...choice(elementTypes, {
        doc: 'Type of its members, as in the path.',
        help: 'Type of the members. It cannot be changed later.',
      }),
      immutable: true,
    },
    elementClass: computed<number>({ kind: 'integer', min: 0, max: 11 }, elementClass, {
      doc: 'Element type code of its members.',
    }),
    userGroup: derived<boolean>({ kind: 'flag' }, true, 'True: created by a user; false: built in.'),
    tag: {
      ...derived<string | null>(
        { kind: 'text', max: 80, nullable: true },
        null,
        'Stable key of a built-in group, used instead of its name.',
      ),
      unique: true,
    },
    source: derived<'LOCAL' | 'DIRECTORY' | 'SYSTEM'>(
      { kind: 'choice', values: ['LOCAL', 'DIRECTORY', 'SYSTEM'] },
      'LOCAL',
      'LOCAL: created here; DIRECTORY: name and members come from a directory; SYSTEM: built in.',
    ),
    directoryID: derived<number | null>({ ...id, nullable: true }, null, 'The directory it comes from.'),
    directoryKey: derived<string | null>(
      { kind: 'text', max: 80, nullable: true },
      null,
      'Its key in the directory (entryUUID or objectGUID), which survives a rename.',
    ),
    dn: derived<string | null>(
      { kind: 'text', max: 2_000, nullable: true },
      null,
      'Its distinguished name in the directory.',
    ),
    accessPolicy: withoutEffect(
      integer({ min: -1, max: 2_147_483_647, default: -1, doc: 'Kept for compatibility.' }),
      'further notice',
    ),
    daysValid: integer({
      min: 0,
      max: 36_500,
      default: 0,
      doc: 'Days after registration, or after creation of a rogue, when member hosts expire that have no date of their own; 0: no limit. For users not supported yet.',
    }),
    daysInactive: integer({
      min: 0,
      max: 36_500,
      default: 0,
      doc: 'Days of absence after which member hosts expire that have no limit of their own; 0: no limit. For users not supported yet.',
    }),
    rank: computed<number | null>({ kind: 'integer', min: 1, max: 5, nullable: true }, enforcementRank, {
      doc: 'Precedence of an enforcement group of ports, by host state; null: not an enforcement group.',
    }),
    enforcement: derived<string>(
      {
        kind: 'choice',
        values: ['REGISTRATION', 'AUTHENTICATION', 'REMEDIATION', 'DEAD_END', 'ROLE', 'NONE'],
      },
      'NONE',
      'Host state that its ports isolate; built-in groups only.',
    ),
    nameLabel: computed<string>({ kind: 'text', max: 120 }, 'r.name', {
      doc: 'Localised name; only English in this release.',
    }),
    memberCount: computed<number>(count, memberCountSql('r.id'), { doc: 'Direct members.' }),
    childCount: computed<number>(count, '(select count(*) from group_edge e where e.parent_id = r.id)', {
      doc: 'Number of child groups.',
    }),
    parentIDs: computed<number[]>(idList(idsMax), parentIds, {
      doc: 'Parent groups.',
    }),
    members,
    managesGroupIDs: computed<number[]>(idList(idsMax), managedIds, {
      doc: 'Only administrator groups: groups whose members its members may see and change if their profile limits visibility.',
    }),
    ...managed,
    auditObjectName,
    auditObjectType,
    yamsEventTag,
    auditObj,
  },
});

declare module '../../database.ts' {
  interface Database {
    group: RowOf<typeof group>;
  }
}
