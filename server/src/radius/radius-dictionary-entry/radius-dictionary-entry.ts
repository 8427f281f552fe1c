import { collection } from '../../kernel/declare/declaration.ts';
import { choice, derived, flag, identity, integer, map, modified, text, version } from '../../kernel/declare/field.ts';
import { definedValues, namedNumberMax, radiusTypes } from '../dictionary-types/dictionary-types.ts';

const namePattern = {
  source: '^[A-Za-z0-9][A-Za-z0-9_.-]*$',
  words: 'letters, digits, hyphens, points and underscores',
};

const vendorMax = 16_777_215;

/** A RADIUS attribute, from the engine's dictionary or added by the site. */
export const radiusDictionaryEntry = collection({
  name: 'radius-dictionary-entry',
  title: 'RADIUS attribute',
  path: '/radius/dictionary',
  permission: 'radius',
  doc: "RADIUS attributes: those of the engine's dictionary, which cannot be changed, and your own.",
  identity: 'dbid',
  label: 'attribute',
  columns: ['dbid', 'attribute', 'vendor', 'value', 'type', 'custom'],
  patterns: ['list', 'create', 'update', 'deleteOne', 'deleteMany'],
  recordsMax: 50_000,
  example: {
    attribute: 'Example-Tier',
    value: '1',
    type: 'integer',
    vendor: 'Example',
    vendorID: 99_999,
    definedValues: { 1: 'Gold', 2: 'Silver' },
  },
  fields: {
    dbid: identity(),
    attribute: text({
      min: 1,
      max: 120,
      unique: true,
      search: true,
      pattern: namePattern,
      example: 'Example-Tier',
      doc: 'Name of the attribute.',
    }),
    value: text({
      min: 1,
      max: 60,
      pattern: { source: '^[0-9]{1,10}(\\.[0-9]{1,10}){0,4}$', words: 'a number, or numbers with points between' },
      example: '1',
      doc: 'Number of the attribute. A member of another attribute has the numbers of both, such as 26.1.',
    }),
    type: choice(radiusTypes, { doc: 'Type of the values.' }),
    format: text({
      max: 5,
      nullable: true,
      pattern: { source: '^[124],[012](,c)?$', words: 'octets of type and length, such as 1,1' },
      example: '1,1',
      doc: 'Octets of type and length in the attributes of the vendor; null: the default 1,1.',
    }),
    vendor: text({
      min: 1,
      max: 60,
      nullable: true,
      search: true,
      pattern: namePattern,
      example: 'Example',
      doc: 'Name of the vendor; null: a standard attribute.',
    }),
    vendorID: integer({
      min: 1,
      max: vendorMax,
      nullable: true,
      doc: 'Number of the vendor, assigned by IANA; null: a standard attribute.',
    }),
    hasTag: flag({ default: false, doc: 'True: values have a tag (RFC 2868).' }),
    encryptMethod: integer({
      min: 0,
      max: 3,
      default: 0,
      doc: 'Encryption of values: 0 none, 1 as User-Password, 2 as Tunnel-Password, 3 as Ascend does.',
    }),
    custom: derived<boolean>(
      { kind: 'flag' },
      true,
      'True: added by an administrator. False: from the engine; cannot be changed.',
    ),
    definedValues: map<string>(definedValues, {
      default: {},
      example: { 1: 'Gold' },
      doc: `Names of values, by number from 0 to ${namedNumberMax}.`,
    }),
    ...modified,
    version,
  },
});
