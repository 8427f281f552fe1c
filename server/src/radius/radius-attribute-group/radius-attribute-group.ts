import { auditFields, collection, type RowOf } from '../../kernel/declare/declaration.ts';
import {
  computed,
  derived,
  identity,
  landscape,
  list,
  managed,
  modified,
  text,
  version,
} from '../../kernel/declare/field.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { noControlCharacters, shapes } from '../../kernel/declare/shapes.ts';
import { definedValues, radiusTypes } from '../dictionary-types/dictionary-types.ts';
import { templateVariables } from './templates.ts';

const { yamsEventTag, auditObj, auditObjectName, auditObjectType } = auditFields('radius-attribute-group');
const { id, count } = shapes;

const templateMax = 1_000;

/** An attribute of a group as a client sends it. */
export interface StoredAttribute {
  dbid: number;
  responseValues: string[];
  tag: number;
}

/** An attribute of a group with the properties of its dictionary entry. */
export interface GroupAttribute extends StoredAttribute {
  attribute: string;
  type: (typeof radiusTypes)[number];
  value: string;
  vendor: string | null;
  vendorID: number | null;
  hasTag: boolean;
  encryptMethod: number;
  custom: boolean;
  definedValues: Record<string, string>;
}

const attributeShape = {
  kind: 'object',
  name: 'RadiusGroupAttribute',
  required: ['dbid', 'responseValues'],
  properties: {
    dbid: { ...id, doc: 'Id of the attribute in the dictionary.' },
    attribute: { kind: 'text', max: 120, doc: 'Name of the attribute.' },
    type: { kind: 'choice', values: radiusTypes, doc: 'Type of the values.' },
    value: { kind: 'text', max: 60, doc: 'Number of the attribute.' },
    vendor: { kind: 'text', max: 60, nullable: true, doc: 'Name of the vendor; null: a standard attribute.' },
    vendorID: { ...count, nullable: true, doc: 'IANA number of the vendor; null: a standard attribute.' },
    hasTag: { kind: 'flag', doc: 'True: values have a tag.' },
    encryptMethod: {
      kind: 'integer',
      min: 0,
      max: 3,
      doc: 'Encryption of values: 0 none, 1 as User-Password, 2 as Tunnel-Password, 3 as Ascend does.',
    },
    custom: { kind: 'flag', doc: 'True: added by an administrator; false: from the engine.' },
    definedValues: { ...definedValues, doc: 'Names of values, by number.' },
    responseValues: {
      kind: 'list',
      item: {
        kind: 'text',
        min: 1,
        max: templateMax,
        pattern: noControlCharacters,
        example: '%ACCESS_VALUE%',
      },
      min: 1,
      max: 32,
      doc: `Values that are sent, one attribute per value. Variables: ${templateVariables.map((name) => `%${name}%`).join(', ')}; %% is a percent sign.`,
    },
    tag: { kind: 'integer', min: 0, max: 31, doc: 'Tag of the values (RFC 2868); 0: none.' },
  },
} as const satisfies ObjectShape;

/** The attributes with the current properties of their dictionary entries. */
const attributesSql = `coalesce((select jsonb_agg(jsonb_build_object('dbid', e.id, 'attribute', e.attribute, 'type', e.type, 'value', e.value,
    'vendor', e.vendor, 'vendorID', e.vendor_id, 'hasTag', e.has_tag, 'encryptMethod', e.encrypt_method, 'custom', e.custom,
    'definedValues', e.defined_values, 'responseValues', i.item -> 'responseValues', 'tag', i.item -> 'tag') order by i.place)
  from jsonb_array_elements(r.attributes) with ordinality i(item, place)
  join radius_dictionary_entry e on e.id = (i.item ->> 'dbid')::bigint), '[]')`;

const usageSql = `((select count(*) from network_device d where d.radius_attr_group_id = r.id)
  + (select count(*) from logical_network_configuration c where c.radius_attr_group_id = r.id)
  + (select count(*) from reference f where f.to_table = 'radius_attribute_group' and f.to_id = r.id))`;

/** A list of attributes that carry a VLAN, role or filter to the devices of one vendor. */
export const radiusAttributeGroup = collection({
  name: 'radius-attribute-group',
  title: 'RADIUS attribute group',
  path: '/radius/attrgroups',
  permission: 'radius',
  doc: 'Lists of RADIUS attributes that carry the VLAN, role or filter to the devices of one vendor.',
  identity: 'dbid',
  columns: ['dbid', 'name', 'usage', 'builtIn'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', 'deleteOne', 'deleteMany'],
  paths: { fetch: '/{attrGroupId}', usage: '/{attrGroupId}/usage' },
  everyRow: [{ sql: usageSql, reason: 'a number of records that use the group discloses no name' }],
  recordsMax: 1_000,
  example: {
    name: 'Branch filter',
    attributes: [{ dbid: 1, responseValues: ['%ACCESS_VALUE%.in'], tag: 0 }],
  },
  fields: {
    dbid: identity(),
    landscape,
    version,
    ...modified,
    name: text({ min: 1, max: 120, unique: true, search: true, example: 'Branch filter' }),
    attributes: list<GroupAttribute, StoredAttribute>(
      { item: attributeShape, max: 50 },
      {
        sql: attributesSql,
        nestedReferences: [{ path: ['*', 'dbid'], to: 'radius-dictionary-entry', onDelete: 'restrict' }],
        store: (value) =>
          (value as StoredAttribute[]).map(({ dbid, responseValues, tag }) => ({
            dbid,
            responseValues,
            tag: tag ?? 0,
          })),
        doc: 'Attributes, in the order they are sent.',
      },
    ),
    usage: computed<number>(count, usageSql, { doc: 'Number of records that use the group.' }),
    builtIn: derived<boolean>({ kind: 'flag' }, false, 'True: built in; cannot be renamed or deleted.'),
    ...managed,
    yamsEventTag,
    auditObj,
    auditObjectName,
    auditObjectType,
  },
});

declare module '../../database.ts' {
  interface Database {
    radius_attribute_group: RowOf<typeof radiusAttributeGroup>;
  }
}
