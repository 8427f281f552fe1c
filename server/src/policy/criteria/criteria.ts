import { deletes, type Pattern, ranking } from '../../kernel/declare/declaration.ts';
import {
  type Field,
  field,
  flag,
  identity,
  landscape,
  managed,
  modified,
  rank,
  text,
  version,
} from '../../kernel/declare/field.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { nestedSchedule, type WeeklySchedule } from '../../kernel/declare/weekly-schedule.ts';
import { type AttributeFilter, operators, type Where } from '../decide/decide.service.ts';
import { criteriaViews } from './criteria-sql.ts';

export { hitsShape, placeChoiceShapes, whoChoiceShapes } from './choice-shapes.ts';

/** Values of one list. */
export const valuesMax = 200;
/** Conditions of one policy, all filters together. */
export const conditionsMax = 50;
/**
 * Patterns with their wildcards, and networks, of one policy, all conditions together: each may be compared with a value of each
 * connection, and a thousand of them take a fraction of a millisecond.
 */
export const comparisonsMax = 1_000;
/** An SSID has at most 32 bytes. */
export const ssidBytesMax = 32;

const ids = (doc: string) => ({ kind: 'list', item: shapes.id, max: valuesMax, doc }) as const;

const condition = {
  kind: 'object',
  name: 'Condition',
  required: ['attribute', 'op'],
  properties: {
    attribute: { ...shapes.word(100), doc: 'Name of an attribute, such as host.operatingSystem.' },
    op: {
      kind: 'choice',
      values: operators,
      doc: `LIKE takes * and ?; a policy has at most ${comparisonsMax.toLocaleString('en')} patterns, wildcards in them and networks. GT, GE, LT and LE take a number, or a time, and on texts compare those that are numbers. OLDER_THAN and NEWER_THAN take minutes; IS_SET and NOT_SET take nothing.`,
    },
    value: {
      kind: 'mixed',
      max: 8_192,
      items: valuesMax,
      nullable: true,
      listWith: { property: 'op', values: ['IN', 'NOT_IN'] },
      doc: 'What it is compared with; a list for IN and NOT_IN.',
    },
  },
} as const satisfies ObjectShape;

const attributeFilter = {
  kind: 'object',
  name: 'AttributeFilter',
  required: ['conditions'],
  properties: {
    conditions: { kind: 'list', item: condition, min: 1, max: conditionsMax, doc: 'All of them must hold.' },
  },
} as const satisfies ObjectShape;

const whereShape = {
  kind: 'object',
  name: 'PolicyWhere',
  doc: 'Places; one hit in any of the four lists is enough. All empty: anywhere.',
  properties: {
    containers: ids('Containers, with those inside them.'),
    deviceGroups: ids('Groups of devices, with those nested in them.'),
    portGroups: ids('Groups of ports, with those nested in them.'),
    ssids: { kind: 'list', item: shapes.word(ssidBytesMax), max: valuesMax, doc: 'SSIDs, letter for letter.' },
  },
} as const satisfies ObjectShape;

const criteriaShape = {
  kind: 'object',
  name: 'Criteria',
  properties: {
    who: {
      kind: 'object',
      name: 'PolicyWho',
      doc: 'Who; the three lists must all match, and an empty one means anybody.',
      properties: {
        roles: { kind: 'list', item: shapes.word(120), max: valuesMax, doc: 'Names of roles; one is enough.' },
        groups: ids('Groups of hosts, adapters or users, with those nested in them; one is enough.'),
        attributes: {
          kind: 'list',
          item: attributeFilter,
          max: conditionsMax,
          doc: 'Filters; one is enough.',
        },
      },
    },
    where: whereShape,
    when: { ...nestedSchedule.shape, doc: 'When, in the time zone of the cell.' },
  },
} as const satisfies ObjectShape;

export interface CriteriaRecord {
  who: { roles: string[]; groups: number[]; attributes: AttributeFilter[] };
  where: Where;
  when: WeeklySchedule;
}

/** What a client may send of it: any part. */
type PartialInput<T> = {
  [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? PartialInput<T[K]> : T[K];
};

export const anywhere: Where = { containers: [], deviceGroups: [], portGroups: [], ssids: [] };
const anybody: CriteriaRecord['who'] = { roles: [], groups: [], attributes: [] };
const noCriteria: CriteriaRecord = { who: anybody, where: anywhere, when: nestedSchedule.initial };

/** A condition without a value is one with null. */
const completeFilters = (filters: readonly AttributeFilter[]): AttributeFilter[] =>
  filters.map(({ conditions }) => ({
    conditions: conditions.map(({ attribute, op, value }) => ({ attribute, op, value: value ?? null })),
  }));

function mergeCriteria(input: PartialInput<CriteriaRecord>, before: CriteriaRecord = noCriteria): CriteriaRecord {
  const who = { ...before.who, ...input.who };
  return {
    who: { roles: who.roles, groups: who.groups, attributes: completeFilters(who.attributes) },
    where: mergeWhere(input.where ?? {}, before.where),
    when: input.when ? nestedSchedule.merge(input.when, before.when) : before.when,
  };
}

function mergeWhere(input: Partial<Where>, before: Where = anywhere): Where {
  const { containers, deviceGroups, portGroups, ssids } = { ...before, ...input };
  return { containers, deviceGroups, portGroups, ssids };
}

const placeReferences = (path: readonly string[]) =>
  [
    { path: [...path, 'containers', '*'], to: 'container', onDelete: 'restrict' },
    { path: [...path, 'deviceGroups', '*'], to: 'group', onDelete: 'restrict', where: { type: 'DEVICE' } },
    { path: [...path, 'portGroups', '*'], to: 'group', onDelete: 'restrict', where: { type: 'PORT' } },
  ] as const;

/** Names of the roles that the stored ids stand for, in their order. */
const roleNames = `(select coalesce(jsonb_agg(o.name order by x.place), '[]'::jsonb)
  from jsonb_array_elements_text(r.criteria #> '{who,roles}') with ordinality x(id, place) join role o on o.id = x.id::bigint)`;

const stored = "r.criteria -> 'when'";

/** Who, where and when; roles are stored by id and shown by name. */
export const criteria: Field<CriteriaRecord> = {
  ...field<CriteriaRecord>(criteriaShape, {
    default: noCriteria,
    doc: 'Who, where and when. Sections must all match; an empty one matches everything. What is left out keeps its value.',
    nestedReferences: [
      { path: ['who', 'roles', '*'], to: 'role', by: 'name', onDelete: 'restrict' },
      { path: ['who', 'groups', '*'], to: 'group', onDelete: 'restrict' },
      ...placeReferences(['where']),
    ],
    sql: `jsonb_build_object('who', jsonb_set(r.criteria -> 'who', '{roles}', ${roleNames}), 'where', r.criteria -> 'where', 'when', ${nestedSchedule.sql(`(${stored})`)})`,
    store: (value) => {
      const { who, where, when } = value as CriteriaRecord;
      return { who, where, when: nestedSchedule.store(when) };
    },
  }),
  faultsIn: (input, before, pointer) => {
    const { when } = input as PartialInput<CriteriaRecord>;
    return when ? nestedSchedule.faultsIn(when, (before as CriteriaRecord | undefined)?.when, `${pointer}/when`) : [];
  },
  merge: (input, before) => mergeCriteria(input as PartialInput<CriteriaRecord>, before as CriteriaRecord | undefined),
};

/** Places alone. */
export const where: Field<Where> = {
  ...field<Where>(whereShape, {
    default: anywhere,
    doc: 'Places; one hit in any of the four lists is enough. All empty: anywhere.',
    nestedReferences: placeReferences([]),
  }),
  merge: (input, before) => mergeWhere(input as Partial<Where>, before as Where | undefined),
};

const policyRecord = 9;

/** What all policies and mappings are alike in, besides their fields. */
export const policyEvents = { elementType: policyRecord } as const;

/** Fields of every policy, mapping and configuration. */
export const configurationFields = {
  id: identity(),
  landscape,
  version,
  ...modified,
  guid: managed.guid,
  globalModifiedDate: managed.globalModifiedDate,
  note: text({ max: 2_000, default: '' }),
  name: text({ min: 1, max: 120, unique: true, search: true }),
};

/** Fields of the policies of one family, whose table is named. */
export const policyFields = (table: string) => ({
  ...configurationFields,
  rank,
  enabled: flag({ default: true, doc: 'False: it is passed over.' }),
  criteria,
  ...criteriaViews(table),
});

/** Operations that all families have. */
export const policyPatterns = [
  'list',
  'fetch',
  'create',
  'update',
  ...deletes,
  'enable',
  'disable',
  'enableMany',
  'disableMany',
  ...ranking,
] as const satisfies Pattern[];

/** Policies of one family. */
export const policiesMax = 1_000;

/** Lists show this id beside a column of ranks, so the heading marks it as an id. */
export const policyLabels = { shadowedBy: 'Shadowed by (ID)' } as const;

/** Columns that tables of policies begin and end with. */
export const policyColumns = ['id', 'rank', 'name', 'enabled', 'criteriaSummary', 'shadowedBy'] as const;
