import { collection, deletes } from '../../kernel/declare/declaration.ts';
import {
  choice,
  computed,
  derived,
  identity,
  landscape,
  managed,
  modified,
  text,
  version,
} from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { accessValueField } from '../access-value/access-value.ts';
import { connectionChange } from '../connection-change/connection-change.ts';
import { accessStates } from '../decide/decide.service.ts';

/** Devices with a value of their own, or in a container that has one or lies beneath one that has. */
const configuredDevices = `(with recursive covered (id) as (
    select v.container_id from logical_network_configuration v where v.logical_network_id = r.id and v.container_id is not null
    union
    select c.id from container c join covered on c.parent_id = covered.id
  ) select count(*) from network_device d
  where d.container_id in (select covered.id from covered)
    or d.id in (select v.device_id from logical_network_configuration v where v.logical_network_id = r.id))`;

/** A named level of access: what it means on a device is said by its configurations. */
export const logicalNetwork = collection({
  name: 'logical-network',
  title: 'Logical network',
  path: '/policy/logical-network',
  permission: 'policy-access',
  doc: 'Levels of access, such as Cameras or Registration, that policies grant and devices know by values of their own.',
  columns: ['id', 'name', 'accessState', 'configuredOn', 'predefined', 'description'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes],
  events: { elementType: 9 },
  everyRow: [{ sql: configuredDevices, reason: 'a number of all devices names none' }],
  example: {
    name: 'Laboratory',
    description: 'Instruments',
    defaultValue: { accessType: 'VLAN_ID', accessValue: '30' },
  },
  deciding: { fields: ['name', 'accessState', 'defaultValue'], impact: connectionChange },
  fields: {
    id: identity(),
    landscape,
    version,
    ...modified,
    guid: managed.guid,
    globalModifiedDate: managed.globalModifiedDate,
    note: text({ max: 2_000, default: '' }),
    name: text({ min: 1, max: 120, unique: true, search: true }),
    description: text({ max: 2_000, default: '', search: true }),
    accessState: {
      ...choice(accessStates, {
        default: 'PRODUCTION',
        doc: 'State of hosts in it; all but PRODUCTION belong to built-in networks.',
      }),
      immutable: true,
    },
    predefined: derived<boolean>({ kind: 'flag' }, false, 'Built in; cannot be renamed or deleted.'),
    defaultValue: accessValueField('Value where neither port, SSID, device nor container has one; null: none.'),
    configuredOn: computed<number>(shapes.count, configuredDevices, {
      doc: 'Number of devices with a value, of their own or of a container.',
    }),
  },
});
