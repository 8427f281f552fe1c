import { auditFields, collection, deletes, type RowOf } from '../../kernel/declare/declaration.ts';
import { eventSlot } from '../../kernel/declare/embedded-event.ts';
import {
  choice,
  computed,
  derived,
  identity,
  integer,
  landscape,
  list,
  observed,
  readOnly,
  reference,
  text,
  withoutEffect,
} from '../../kernel/declare/field.ts';
import { integerMax } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { contactEstablished, contactLost } from './container.events.ts';

const { auditObjectName, auditObjectType } = auditFields('container');

/** Element type of containers. */
export const containerElementType = 1;

const notOfContainers = computed<null>({ kind: 'text', max: 1, nullable: true }, 'null::text', {
  doc: 'Always null; only devices have it.',
});
const code = { kind: 'integer', min: 0, max: 1_000_000 } as const;
const attributePair = {
  kind: 'object',
  name: 'ContainerAttribute',
  properties: { name: { kind: 'text', min: 1, max: 80 }, value: { kind: 'text', max: 2_000 } },
  required: ['name', 'value'],
} as const;

/** Bits of `changeMask` and `lastChangeMask`, by field. */
export const containerMask = {
  name: 1,
  parent: 2,
  role: 4,
  group: 8,
  pollingInterval: 16,
  suffix: 32,
  notes: 64,
  description: 128,
  status: 256,
} as const;

/** SQL: names from the root to this container; at most eight, which a rule ensures. */
const pathSql = `(with recursive up (id, parent_id, name, depth) as (
    select c.id, c.parent_id, c.name, 0 from container c where c.id = r.id
    union all
    select c.id, c.parent_id, c.name, up.depth + 1 from container c join up on c.id = up.parent_id where up.depth < 20
  ) select string_agg(up.name, '/' order by up.depth desc) from up)`;

/** A folder of the topology. */
export const container = collection({
  name: 'container',
  title: 'Container',
  path: '/device/container',
  permission: 'devices',
  doc: 'Folders of the topology (campus, building, floor) that hold devices and other containers.',
  columns: ['id', 'name', 'parent', 'status', 'pollingInterval', 'role', 'group', 'description'],
  patterns: ['list', 'fetch', 'count', 'countAll', 'usage', 'create', ...deletes, 'monitor'],
  events: { noun: 'DOMAIN', destroyed: 'DESTROYED', elementType: containerElementType },
  changeMask: { last: 'lastChangeMask', since: 'changeMask', bits: containerMask },
  scopedBy: { selected: true, descendantsBy: 'parent' },
  deciding: { fields: ['parent'] },
  uniqueTogether: [['name', 'landscape']],
  example: { name: 'Building A', parent: 'Network', pollingInterval: 300, description: 'Main campus, north side' },
  sections: {
    Container: ['name', 'parent', 'suffix', 'type', 'role', 'notes', 'description', 'group', 'attribute'],
    Polling: ['pollingInterval', 'lastPoll', 'lastSuccessfulPoll'],
  },
  units: { pollingInterval: 's' },
  fields: {
    landscape,
    id: identity(),
    state: computed<number>(shapes.code(['active', 'disabled', 'being deleted']), '0'),
    elementClass: computed<number>(code, '1', { doc: '1: a container.' }),
    role: reference('role', 'restrict', {
      by: 'name',
      nullable: true,
      doc: 'Role assigned to new devices in this container.',
      help: 'Role of new devices in this container.',
    }),
    name: text({ min: 1, max: 128, search: true, doc: 'Name, unique in the cell.', help: 'Must be unique.' }),
    type: choice(['WIRELESS'], {
      nullable: true,
      unique: true,
      doc: 'WIRELESS: access points added automatically go here; at most one container.',
      help: 'Wireless: access points that are added automatically go into this container. Only one container can have this type.',
    }),
    protocol: notOfContainers,
    status: observed<number>(shapes.code(['empty or unknown', 'all devices in contact', 'some lost', 'all lost']), 0),
    parent: reference('container', 'restrict', {
      by: 'name',
      empty: true,
      doc: 'Name of the parent container; empty for the root. Absent on create: the root.',
      help: 'Container above this one. Empty: the root.',
    }),
    suffix: text({
      max: 128,
      nullable: true,
      doc: 'DNS suffix removed from device names at discovery.',
      help: 'DNS suffix that discovery removes from device names.',
    }),
    version: readOnly<number>(
      { kind: 'decimal', min: 0, max: 2_147_483_647 },
      'r.version',
      'Number of configuration changes; send it back to detect concurrent changes.',
    ),
    notes: text({ max: 2_000, nullable: true }),
    description: text({ max: 2_000, nullable: true, search: true }),
    group: reference('group', 'set null', {
      by: 'name',
      nullable: true,
      where: { type: 'DEVICE' },
      doc: 'Device group that devices in this container join.',
      help: 'Device group to which devices in this container are added.',
    }),
    pollingInterval: integer({
      min: 60,
      max: 86_400,
      default: 600,
      doc: 'Seconds between contact polls of devices that are added to this container without an interval of their own.',
      help: 'Contact poll interval of new devices in this container, in seconds.',
    }),
    lastPoll: observed<string | null>(
      { kind: 'time', zone: '+0000', nullable: true },
      null,
      'Newest poll of its devices.',
    ),
    lastSuccessfulPoll: observed<string>(
      { kind: 'time', zone: '+0000' },
      '1970-01-01T00:00:00.000Z',
      'Newest successful poll of its devices; 1970 means never.',
    ),
    mibs: computed<string[]>(
      { kind: 'list', item: { kind: 'text', max: 120 }, max: 1_000 },
      `(select coalesce(jsonb_agg(distinct m.name order by m.name), '[]'::jsonb)
        from network_device d cross join lateral jsonb_array_elements_text(d.mibs) m(name) where d.container_id = r.id)`,
      { doc: 'MIB modules that its devices support.' },
    ),
    destroyEvent: eventSlot('DOMAIN_DESTROYED', containerElementType, '+0000'),
    creationEvent: eventSlot('DOMAIN_CREATED', containerElementType, '+0000'),
    establishedEvent: eventSlot(contactEstablished.name, containerElementType, '+0000'),
    lostEvent: eventSlot(contactLost.name, containerElementType, '+0000'),
    changeMask: computed<number>(code, '0', {
      doc: 'Bit mask of what changed since the last poll of a monitor; 0 elsewhere.',
    }),
    attributeNames: computed<string[]>(
      { kind: 'list', item: { kind: 'text', max: 80 }, max: 100 },
      `(select coalesce(jsonb_agg(a.pair -> 'name' order by a.place), '[]'::jsonb) from jsonb_array_elements(r.attribute) with ordinality a(pair, place))`,
    ),
    physicalAddress: notOfContainers,
    sysOid: notOfContainers,
    packedVersion: computed<number>({ kind: 'decimal', min: 0, max: integerMax }, 'r.version', {
      doc: 'Same as version.',
    }),
    auditObjectName,
    auditObjectType,
    addAuditSummary: computed<string>({ kind: 'text', max: 300 }, `r.name || ': added'`, {
      doc: 'Audit record of its creation.',
    }),
    domainName: computed<string>({ kind: 'text', max: 2_000 }, pathSql, {
      doc: 'Names from the root down, separated by slashes.',
    }),
    identification: computed<string>({ kind: 'text', max: 60 }, `'container:' || r.id`),
    requestString: computed<string>({ kind: 'text', max: 60 }, `'/device/container/' || r.id`, {
      doc: 'URL of the record.',
    }),
    attribute: withoutEffect(
      list<{ name: string; value: string }>(
        { item: attributePair, max: 100 },
        { default: [], doc: 'Free attributes.' },
      ),
      'policies have conditions on containers',
    ),
    lastChangeMask: derived<number>(code, 0, 'Bit mask of what the last write changed.'),
  },
});

declare module '../../database.ts' {
  interface Database {
    container: RowOf<typeof container> & { parent_id: number | null };
  }
}
