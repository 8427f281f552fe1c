import { collection, deletes, type RowOf } from '../../kernel/declare/declaration.ts';
import {
  choice,
  identity,
  integer,
  landscape,
  list,
  managed,
  modified,
  reference,
  text,
  version,
} from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { accessValueField, firewallTagsMax } from '../access-value/access-value.ts';
import { connectionChange } from '../connection-change/connection-change.ts';

/** The access that a policy or role mapping grants: a logical network, or a value that is the same on every device. */
export const accessConfiguration = collection({
  name: 'access-configuration',
  title: 'Access configuration',
  path: '/policy/access-configuration',
  permission: 'policy-access',
  doc: 'Access that access policies and role mappings grant: a logical network, or a direct value.',
  columns: ['id', 'name', 'type', 'logicalNetworkID', 'sessionTimeoutMinutes', 'note'],
  patterns: ['list', 'fetch', 'count', 'countAll', 'usage', 'create', 'update', ...deletes],
  events: { elementType: 9 },
  example: {
    name: 'Instruments',
    type: 'DIRECT',
    directConfiguration: { accessType: 'VLAN_ID', accessValue: '30' },
    sessionTimeoutMinutes: 480,
  },
  deciding: {
    fields: ['type', 'logicalNetworkID', 'directConfiguration', 'firewallTagIDs', 'sessionTimeoutMinutes'],
    impact: connectionChange,
  },
  units: { sessionTimeoutMinutes: 'min' },
  fields: {
    id: identity(),
    landscape,
    version,
    ...modified,
    guid: managed.guid,
    globalModifiedDate: managed.globalModifiedDate,
    note: text({ max: 2_000, default: '' }),
    name: text({ min: 1, max: 120, unique: true, search: true }),
    type: choice(['LOGICAL_NETWORK', 'DIRECT'], {
      doc: 'LOGICAL_NETWORK: the value of a logical network at the place of the host; DIRECT: directConfiguration everywhere.',
      help: 'Logical network: the access value depends on the device. Direct: the same access value on all devices.',
    }),
    logicalNetworkID: reference('logical-network', 'restrict', {
      nullable: true,
      doc: 'The logical network, in state GUEST or PRODUCTION. Required with type LOGICAL_NETWORK.',
      help: 'Only for the type logical network. Its access state must be Guest or Production.',
    }),
    directConfiguration: accessValueField('The value. Required with type DIRECT.', 'Only for the type direct.'),
    firewallTagIDs: list<number>(
      { item: shapes.id, max: firewallTagsMax },
      {
        default: [],
        nestedReferences: [{ path: ['*'], to: 'firewall-tag', onDelete: 'restrict' }],
        doc: "Tags that the host's address has while this access is in force.",
        help: 'Firewall tags for the IP address of the host while it has this access.',
      },
    ),
    sessionTimeoutMinutes: integer({
      min: 0,
      max: 10_080,
      default: 0,
      doc: 'Minutes until the device authenticates the host again; 0: never.',
      help: 'Time after which the device must authenticate the host again. 0: never.',
    }),
  },
});

declare module '../../database.ts' {
  interface Database {
    access_configuration: RowOf<typeof accessConfiguration>;
  }
}
