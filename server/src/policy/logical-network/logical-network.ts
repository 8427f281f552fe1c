import { collection, deletes, type RowOf } from '../../kernel/declare/declaration.ts';
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

/** Number of devices with a value of their own, or of a container around them. */
const configuredDevices = `(with recursive covered (id) as (
    select v.container_id from logical_network_configuration v where v.logical_network_id = r.id and v.container_id is not null
    union
    select c.id from container c join covered on c.parent_id = covered.id
  ) select count(*) from network_device d
  where d.container_id in (select covered.id from covered)
    or d.id in (select v.device_id from logical_network_configuration v where v.logical_network_id = r.id))`;

/** A named level of access; its configurations define the value on each device. */
export const logicalNetwork = collection({
  name: 'logical-network',
  title: 'Logical network',
  path: '/policy/logical-network',
  permission: 'policy-access',
  doc: 'Levels of access, such as Cameras or Registration, that policies grant. Each device can have its own value for a network.',
  columns: ['id', 'name', 'accessState', 'configuredOn', 'predefined', 'description'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes],
  events: { elementType: 9 },
  everyRow: [{ sql: configuredDevices, reason: 'a number of devices discloses no name' }],
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
        doc: 'Access state of hosts in the network. All states but PRODUCTION belong to built-in networks.',
        help: 'Access state of hosts in this network. States other than Production are for built-in networks.',
      }),
      immutable: true,
    },
    predefined: derived<boolean>({ kind: 'flag' }, false, 'True: built in; cannot be renamed or deleted.'),
    defaultValue: accessValueField('Value where no port, SSID, device or container has one; null: none.'),
    configuredOn: computed<number>(shapes.count, configuredDevices, {
      doc: 'Number of devices with a value, their own or that of a container.',
    }),
  },
});

declare module '../../database.ts' {
  interface Database {
    logical_network: RowOf<typeof logicalNetwork>;
  }
}
