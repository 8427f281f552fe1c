import { collection } from '../../kernel/declare/declaration.ts';
import { choice, derived, flag, identity, integer, map, modified, text, version } from '../../kernel/declare/field.ts';
import { definedValues, namedNumberMax, radiusTypes } from '../dictionary-types/dictionary-types.ts';

const namePattern = {
  source: '^[A-Za-z0-9][A-Za-z0-9_.-]*$',
  words: 'letters, digits, hyphens, points and underscores',
};

const vendorMax = 16_777_215;

/** An attribute of RADIUS: those that the engine knows, and the site's own. */
export const radiusDictionaryEntry = collection({
  name: 'radius-dictionary-entry',
  title: 'RADIUS attribute',
  path: '/radius/dictionary',
  permission: 'radius',
  doc: 'Attributes of RADIUS: all that the engine knows, which nobody changes, and your own.',
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
      doc: 'Its name.',
    }),
    value: text({
      min: 1,
      max: 60,
      pattern: { source: '^[0-9]{1,10}(\\.[0-9]{1,10}){0,4}$', words: 'a number, or numbers with points between' },
      example: '1',
      doc: 'Its number; of a member of another attribute the numbers of both, such as 26.1.',
    }),
    type: choice(radiusTypes, { doc: 'What its values are.' }),
    format: text({
      max: 5,
      nullable: true,
      pattern: { source: '^[124],[012](,c)?$', words: 'octets of type and length, such as 1,1' },
      example: '1,1',
      doc: 'Octets of type and length in the attributes of its vendor; null for the usual 1,1.',
    }),
    vendor: text({
      min: 1,
      max: 60,
      nullable: true,
      search: true,
      pattern: namePattern,
      example: 'Example',
      doc: 'Name of its vendor; null for an attribute of the standard.',
    }),
    vendorID: integer({ min: 1, max: vendorMax, nullable: true, doc: 'Number of its vendor, assigned by IANA.' }),
    hasTag: flag({ default: false, doc: 'Its values carry a tag (RFC 2868).' }),
    encryptMethod: integer({
      min: 0,
      max: 3,
      default: 0,
      doc: 'How values are hidden: 0 not at all, 1 as User-Password, 2 as Tunnel-Password, 3 as Ascend does.',
    }),
    custom: derived<boolean>({ kind: 'flag' }, true, 'Made here; the others are of the engine and cannot be changed.'),
    definedValues: map<string>(definedValues, {
      default: {},
      example: { 1: 'Gold' },
      doc: `Names of numbers, each from 0 to ${namedNumberMax}.`,
    }),
    ...modified,
    version,
  },
});
