import { collection, deletes } from '../../kernel/declare/declaration.ts';
import {
  choice,
  computed,
  type Field,
  field,
  identity,
  landscape,
  list,
  managed,
  modified,
  reference,
  text,
  version,
} from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { accessValueShapes, firewallTagsMax } from '../access-value/access-value.ts';
import { connectionChange } from '../connection-change/connection-change.ts';
import type { AccessType } from '../decide/decide.service.ts';

/** The kinds of elements that values can be configured on, with the field that has the id of the element. */
export const elementFields = {
  CONTAINER: 'containerID',
  DEVICE: 'deviceID',
  SSID: 'ssidID',
  PORT: 'portID',
} as const;
export type ConfiguredElementType = keyof typeof elementFields;
export const configuredElementTypes = Object.keys(elementFields) as ConfiguredElementType[];

export const accessEnforcements = ['ENFORCE', 'BYPASS', 'DENY'] as const;

/** Returns a reference to the element by its kind: deletes the value with the element, and serves filters. */
const elementOf = (target: string, doc: string): Field<number | null> => ({
  ...reference(target, 'cascade', { nullable: true, doc }),
  access: 'computed',
});

/** The device of a port or SSID: an SSID has the id of its port. */
const deviceOfPort = '(select p.device_id from port p where p.id = coalesce(r.port_id, r.ssid_id))';
const ofNamedPort = (column: string) =>
  `(select d.name || ' ' || p.${column} from port p join network_device d on d.id = p.device_id where p.id = coalesce(r.port_id, r.ssid_id))`;
const elementName = `coalesce(case r.element_type
    when 'CONTAINER' then (select c.name from container c where c.id = r.container_id)
    when 'DEVICE' then (select d.name from network_device d where d.id = r.device_id)
    else ${ofNamedPort('name')} end, '')`;

/** Null if there is nothing to compare: the value is not a VLAN, the element has no device, or its VLANs were not read. */
const valueKnown = `(select case r.access_type
    when 'VLAN_ID' then exists (select from jsonb_array_elements(d.vlans) v where v ->> 'id' = r.access_value)
    when 'VLAN_NAME' then exists (select from jsonb_array_elements(d.vlans) v where v ->> 'name' = r.access_value) end
  from network_device d where d.id = coalesce(r.device_id, ${deviceOfPort}) and d.vlans <> '[]'::jsonb)`;

/** The value of a logical network on a container, device, SSID or port. */
export const logicalNetworkConfiguration = collection({
  name: 'logical-network-configuration',
  title: 'Logical network configuration',
  path: '/policy/logical-network-configuration',
  permission: 'policy-access',
  doc: 'Values of logical networks on containers, devices, SSIDs and ports.',
  columns: ['id', 'logicalNetworkName', 'elementType', 'elementName', 'accessEnforcement', 'accessType', 'accessValue'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes],
  label: 'logicalNetworkName',
  events: { elementType: 9 },
  uniqueTogether: [['logicalNetworkID', 'elementType', 'elementID']],
  example: {
    logicalNetworkID: 1,
    elementType: 'CONTAINER',
    elementID: 1,
    accessType: 'VLAN_ID',
    accessValue: '20',
  },
  deciding: {
    fields: [
      'logicalNetworkID',
      'elementType',
      'elementID',
      'accessEnforcement',
      'accessType',
      'accessValue',
      'radiusAttrGroupID',
      'cliApply',
      'cliUndo',
      'firewallTagIDs',
    ],
    impact: connectionChange,
  },
  sections: {
    Place: ['logicalNetworkID', 'logicalNetworkName', 'elementType', 'elementID', 'elementName', 'note'],
    Access: ['accessEnforcement', 'accessType', 'accessValue', 'valueKnownOnDevice', 'radiusAttrGroupID'],
    'Command line': ['cliApply', 'cliUndo'],
    Firewall: ['firewallTagIDs'],
  },
  fields: {
    id: identity(),
    landscape,
    version,
    ...modified,
    guid: managed.guid,
    globalModifiedDate: managed.globalModifiedDate,
    note: text({ max: 2_000, default: '' }),
    logicalNetworkID: {
      ...reference('logical-network', 'cascade', { counted: true, doc: 'The logical network.' }),
      immutable: true,
    },
    logicalNetworkName: {
      ...computed<string>(
        { kind: 'text', max: 120 },
        '(select n.name from logical_network n where n.id = r.logical_network_id)',
        { doc: 'Name of the logical network.' },
      ),
      via: 'logicalNetworkID.name',
      search: true,
    },
    elementType: choice(configuredElementTypes, {
      immutable: true,
      doc: 'Kind of the element that the value is configured on.',
      help: 'Kind of element for which the value applies. It cannot be changed later.',
    }),
    elementID: field<number>(shapes.id, {
      immutable: true,
      doc: 'Id of the container, device, SSID or port.',
    }),
    elementName: computed<string>({ kind: 'text', max: 400 }, elementName, {
      doc: 'Name of the element; empty: the caller does not see it.',
    }),
    containerID: elementOf('container', 'The element, if it is a container; otherwise null.'),
    deviceID: elementOf('network-device', 'The element, if it is a device; otherwise null.'),
    ssidID: elementOf('ssid', 'The element, if it is an SSID; otherwise null.'),
    portID: elementOf('port', 'The element, if it is a port; otherwise null.'),
    accessEnforcement: choice(accessEnforcements, {
      default: 'ENFORCE',
      doc: 'ENFORCE: apply the value. BYPASS: accept without a value, so that the default of the device applies. DENY: reject.',
      help: 'Enforce: apply the value. Bypass: accept without a value, so that the device uses its default. Deny: reject.',
    }),
    accessType: field<AccessType>(accessValueShapes.accessType, { default: 'NONE' }),
    accessValue: field<string>(accessValueShapes.accessValue, { default: '' }),
    radiusAttrGroupID: reference('radius-attribute-group', 'restrict', {
      nullable: true,
      doc: accessValueShapes.radiusAttrGroupID.doc,
    }),
    cliApply: field<string[]>(accessValueShapes.cliApply, { default: [] }),
    cliUndo: field<string[]>(accessValueShapes.cliUndo, { default: [] }),
    firewallTagIDs: list<number>(
      { item: shapes.id, max: firewallTagsMax },
      {
        default: [],
        nestedReferences: [{ path: ['*'], to: 'firewall-tag', onDelete: 'restrict' }],
        doc: "Tags that the host's address has while it is in this network here.",
      },
    ),
    valueKnownOnDevice: computed<boolean | null>({ kind: 'flag', nullable: true }, valueKnown, {
      doc: 'True: the VLAN was among those last read from the device. Null: nothing to compare.',
    }),
  },
});
