import { collection, deletes, type RowOf } from '../../kernel/declare/declaration.ts';
import { choice, computed, derived, identity, managed, modified, text, version } from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

/** Icon of a type without one. */
export const unknownImage = '/icons/circle-question-mark.svg';

/** Length of a data URI for 64 KiB in base64. */
const iconCharactersMax = 87_424;

const icon = (doc: string) =>
  text({
    max: iconCharactersMax,
    nullable: true,
    pattern: {
      source: '^data:image/(?:png|svg\\+xml)[;,]',
      words: 'a data URI of a PNG or SVG image, such as data:image/png;base64,…',
    },
    example: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
    doc,
  });

export const deviceTypeFields = {
  name: text({ min: 1, max: 64, search: true }),
  tag: text({
    max: 40,
    unique: true,
    immutable: true,
    search: true,
    pattern: { source: '^[a-z0-9-]{2,40}$', words: '2 to 40 lower-case letters, digits and hyphens' },
    example: 'badge-printer',
    doc: 'Stable key of the type for rules and other systems; it cannot be changed.',
  }),
  category: choice(
    [
      'COMPUTER',
      'MOBILE',
      'NETWORK',
      'VOICE',
      'PRINT',
      'VIDEO',
      'IOT',
      'INDUSTRIAL',
      'MEDICAL',
      'ENTERTAINMENT',
      'OTHER',
    ],
    { doc: 'Category, for grouping.' },
  ),
};

const hostCount = '(select count(*) from host h where h.device_type = r.id)';

/** A kind of device, with an icon. */
export const deviceType = collection({
  name: 'device-type',
  title: 'Device type',
  path: '/settings/device/device-type',
  permission: 'device-profiling',
  doc: 'Types of devices (printer, camera, IP phone) with their icons.',
  columns: ['id', 'tag', 'name', 'category', 'defaultType', 'hostCount'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes],
  events: { elementType: 9 },
  everyRow: [{ sql: hostCount, reason: 'a number of all hosts names none' }],
  example: { name: 'Badge printer', tag: 'badge-printer', category: 'PRINT', imageFile: '/icons/printer.svg' },
  fields: {
    id: identity(),
    dbid: computed<number>(shapes.count, 'r.id', { doc: 'Same as the identity.' }),
    name: deviceTypeFields.name,
    tag: deviceTypeFields.tag,
    imageFile: text({
      min: 1,
      max: 120,
      default: unknownImage,
      doc: 'Path of the icon to show: one of the library, or the uploaded one at /icons/device-type/{id}. Absent on create: the uploaded one, if there is one.',
    }),
    smallIcon: icon(
      'Icon for tables: a data URI of a PNG or SVG image, at most 64 KiB. Everything but drawing elements is removed from SVG.',
    ),
    largeIcon: icon(
      'Icon for pages: a data URI of a PNG or SVG image, at most 64 KiB. Everything but drawing elements is removed from SVG.',
    ),
    category: deviceTypeFields.category,
    defaultType: derived<boolean>({ kind: 'flag' }, false, 'Built in; cannot be changed or deleted.'),
    hostCount: computed<number>(shapes.count, hostCount, {
      doc: 'Hosts of this type.',
    }),
    guid: managed.guid,
    globalModifiedDate: managed.globalModifiedDate,
    ...modified,
    version,
  },
});

/** SQL: the type that a column refers to, as other records show it: `{name, tag, imageFile, id}`; null if none. */
export const deviceTypeSql = (column: string): string =>
  `(select jsonb_build_object('name', t.name, 'tag', t.tag, 'imageFile', t.image_file, 'id', t.id) from device_type t where t.id = ${column})`;

declare module '../../database.ts' {
  interface Database {
    device_type: RowOf<typeof deviceType>;
  }
}
