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

/** Limit on the values of one list. */
export const valuesMax = 200;
/** Limit on the conditions of one policy, all filters together. */
export const conditionsMax = 50;
/**
 * Limit on the patterns with their wildcards and the networks of one policy, all conditions together. Each may be compared with a value
 * of every connection; a thousand comparisons take a fraction of a millisecond.
 */
export const comparisonsMax = 1_000;
/** An SSID has at most 32 bytes. */
export const ssidBytesMax = 32;

const ids = (doc: string, help: string) => ({ kind: 'list', item: shapes.id, max: valuesMax, doc, help }) as const;

const condition = {
  kind: 'object',
  name: 'Condition',
  required: ['attribute', 'op'],
  properties: {
    attribute: {
      ...shapes.word(100),
      doc: 'Name of an attribute, such as host.operatingSystem.',
      help: 'Attribute of the host, adapter, user or connection, such as host.operatingSystem.',
    },
    op: {
      kind: 'choice',
      values: operators,
      doc: `Operator. LIKE takes the wildcards * and ?; a policy has at most ${comparisonsMax.toLocaleString('en')} patterns, wildcards in them and networks. GT, GE, LT and LE take a number or a time; a text matches only if it is a number. OLDER_THAN and NEWER_THAN take minutes; IS_SET and NOT_SET take no value.`,
      help: 'LIKE: * matches any text, ? one character. GT, GE, LT and LE: compare numbers or times. OLDER_THAN and NEWER_THAN: minutes. IS_SET and NOT_SET: no value.',
    },
    value: {
      kind: 'mixed',
      max: 8_192,
      items: valuesMax,
      nullable: true,
      listWith: { property: 'op', values: ['IN', 'NOT_IN'] },
      doc: 'Value that the attribute is compared with; a list for IN and NOT_IN.',
      help: 'Value to compare with. Several values, one per line, for IN and NOT_IN.',
    },
  },
} as const satisfies ObjectShape;

const attributeFilter = {
  kind: 'object',
  name: 'AttributeFilter',
  required: ['conditions'],
  properties: {
    conditions: {
      kind: 'list',
      item: condition,
      min: 1,
      max: conditionsMax,
      doc: 'Conditions; all must match.',
      help: 'All conditions must match.',
    },
  },
} as const satisfies ObjectShape;

const whereShape = {
  kind: 'object',
  name: 'PolicyWhere',
  doc: 'Places; a match in any of the four lists is enough. All empty: any place.',
  help: 'The connection must match at least one entry of the four lists. All lists empty: any place.',
  properties: {
    containers: ids('Containers, including nested containers.', 'Includes the containers inside them.'),
    deviceGroups: ids('Device groups, including nested groups.', 'Includes nested groups.'),
    portGroups: ids('Port groups, including nested groups.', 'Includes nested groups.'),
    ssids: {
      kind: 'list',
      item: shapes.word(ssidBytesMax),
      max: valuesMax,
      doc: 'Names of SSIDs, case-sensitive.',
      help: 'One SSID per line, case-sensitive.',
    },
  },
} as const satisfies ObjectShape;

const criteriaShape = {
  kind: 'object',
  name: 'Criteria',
  properties: {
    who: {
      kind: 'object',
      name: 'PolicyWho',
      doc: 'Hosts and users. All three lists must match; an empty list matches everything.',
      help: 'Each of the three lists must match. An empty list matches every host.',
      properties: {
        roles: {
          kind: 'list',
          item: shapes.word(120),
          max: valuesMax,
          doc: 'Names of roles; one match is enough.',
          help: 'The host must have one of these roles.',
        },
        groups: ids(
          'Groups of hosts, adapters or users, including nested groups; one match is enough.',
          'The host, adapter or user must be in one of these groups or their nested groups.',
        ),
        attributes: {
          kind: 'list',
          item: attributeFilter,
          max: conditionsMax,
          doc: 'Attribute filters; one match is enough.',
          help: 'One of these filters must match.',
        },
      },
    },
    where: whereShape,
    when: {
      ...nestedSchedule.shape,
      doc: 'Schedule, in the time zone of the cell.',
      help: 'In the time zone of the cell.',
    },
  },
} as const satisfies ObjectShape;

export interface CriteriaRecord {
  who: { roles: string[]; groups: number[]; attributes: AttributeFilter[] };
  where: Where;
  when: WeeklySchedule;
}

/** A record as a client sends it: every property is optional, at any depth. */
type PartialInput<T> = {
  [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? PartialInput<T[K]> : T[K];
};

export const anywhere: Where = { containers: [], deviceGroups: [], portGroups: [], ssids: [] };
const anybody: CriteriaRecord['who'] = { roles: [], groups: [], attributes: [] };
const noCriteria: CriteriaRecord = { who: anybody, where: anywhere, when: nestedSchedule.initial };

/** Adds the value null to conditions without a value. */
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

/** The names of the roles whose ids are stored, in their order. */
const roleNames = `(select coalesce(jsonb_agg(o.name order by x.place), '[]'::jsonb)
  from jsonb_array_elements_text(r.criteria #> '{who,roles}') with ordinality x(id, place) join role o on o.id = x.id::bigint)`;

const stored = "r.criteria -> 'when'";

/** The criteria of a policy. Roles are stored by id and shown by name. */
export const criteria: Field<CriteriaRecord> = {
  ...field<CriteriaRecord>(criteriaShape, {
    default: noCriteria,
    doc: 'Conditions for hosts and users, places and times. All sections must match; an empty section matches everything. Omitted parts keep their value.',
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

/** Places without the other sections, for role mappings. */
export const where: Field<Where> = {
  ...field<Where>(whereShape, {
    default: anywhere,
    doc: 'Places; a match in any of the four lists is enough. All empty: any place.',
    nestedReferences: placeReferences([]),
  }),
  merge: (input, before) => mergeWhere(input as Partial<Where>, before as Where | undefined),
};

const policyRecord = 9;

/** Element type of the events of all policies and mappings. */
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

/** Returns the fields of the policies of one family, by its table. */
export const policyFields = (table: string) => ({
  ...configurationFields,
  rank,
  enabled: flag({ default: true, doc: 'False: the policy is not evaluated.', help: 'Off: this policy is skipped.' }),
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

/** Limit on the policies of one family. */
export const policiesMax = 1_000;

/** The heading marks `shadowedBy` as an id, because lists show it next to a column of ranks. */
export const policyLabels = { shadowedBy: 'Shadowed by (ID)' } as const;

/** First columns of the lists of policies. */
export const policyColumns = ['id', 'rank', 'name', 'enabled', 'criteriaSummary', 'shadowedBy'] as const;
