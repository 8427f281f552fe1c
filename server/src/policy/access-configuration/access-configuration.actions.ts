import { action } from '../../context.ts';
import type { ObjectShape, Shape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { cliPlaceholders, devicesQuery, directValueShape } from '../access-value/access-value.ts';
import { type AccessType, accessTypes } from '../decide/decide.service.ts';
import { accessConfiguration } from './access-configuration.ts';
import { choicesOf } from './direct-values.ts';

const { id } = shapes;
const networksMax = 5_000;

const directConfiguration = action(accessConfiguration, {
  name: 'direct-configuration',
  method: 'GET',
  path: '/direct-configuration',
  doc: 'List the VLANs of devices and the direct values in use',
  query: devicesQuery,
  result: directValueShape,
  async run({ query }, context) {
    return choicesOf(context, query);
  },
});

/** Description of each access type, and the protocols by which it is sent to a device. */
const descriptionsOfTypes: Readonly<
  Record<AccessType, { description: string; radius: boolean; snmp: boolean; cli: boolean }>
> = {
  VLAN_ID: { description: 'VLAN by its number', radius: true, snmp: true, cli: true },
  VLAN_NAME: { description: 'VLAN by its name on the device', radius: true, snmp: true, cli: true },
  FILTER_ID: { description: 'Filter of the device (Filter-Id)', radius: true, snmp: false, cli: false },
  ROLE: { description: 'User role of the device', radius: true, snmp: false, cli: false },
  VPN_GROUP: { description: 'VPN group of the device', radius: true, snmp: false, cli: false },
  RADIUS_GROUP: { description: 'RADIUS attributes with the value', radius: true, snmp: false, cli: false },
  CLI: { description: 'Lines sent to the command line', radius: false, snmp: false, cli: true },
  DENY: { description: 'No access', radius: true, snmp: true, cli: true },
  NONE: { description: 'Access without a value', radius: true, snmp: true, cli: true },
};

const namedListShape = (name: string, doc: string) =>
  ({
    kind: 'list',
    item: { kind: 'object', name, properties: { id, name: { kind: 'text', max: 120 } } },
    max: networksMax,
    doc,
  }) as const satisfies Shape;

const flag = { kind: 'flag' } as const;

const supportingInfo = action(accessConfiguration, {
  name: 'supporting-info',
  method: 'GET',
  path: '/supporting-info',
  doc: 'Return the choices for an access configuration form',
  result: {
    kind: 'object',
    name: 'AccessConfigurationSupportingInfo',
    properties: {
      logicalNetworks: {
        kind: 'list',
        item: {
          kind: 'object',
          name: 'GrantedNetwork',
          properties: { id, name: { kind: 'text', max: 120 }, accessState: { kind: 'text', max: 20 } },
        },
        max: networksMax,
        doc: 'Logical networks that can be granted, by name.',
      },
      accessTypes: {
        kind: 'list',
        item: {
          kind: 'object',
          name: 'AccessTypeInfo',
          properties: {
            name: { kind: 'choice', values: accessTypes },
            description: { kind: 'text', max: 120 },
            radius: flag,
            snmp: flag,
            cli: flag,
          },
        },
        max: accessTypes.length,
        doc: 'Access types, and the protocols by which each is sent to a device.',
      },
      firewallTags: namedListShape('FirewallTagChoice', 'Firewall tags; none in this release.'),
      radiusAttributeGroups: namedListShape('AttributeGroupChoice', 'RADIUS attribute groups, by name.'),
      placeholders: {
        kind: 'list',
        item: { kind: 'text', max: 20 },
        max: cliPlaceholders.length,
        doc: 'Placeholders of CLI lines.',
      },
    },
  } as const satisfies ObjectShape,
  async run(_call, { db }) {
    const logicalNetworks = await db
      .selectFrom('logical_network')
      .select(['id', 'name', 'accessState'])
      .where('accessState', 'in', ['GUEST', 'PRODUCTION'])
      .orderBy('name')
      .limit(networksMax)
      .execute();
    const radiusAttributeGroups = await db
      .selectFrom('radius_attribute_group')
      .select(['id', 'name'])
      .orderBy('name')
      .limit(networksMax)
      .execute();
    return [
      {
        logicalNetworks,
        accessTypes: accessTypes.map((name) => ({ name, ...descriptionsOfTypes[name] })),
        firewallTags: [],
        radiusAttributeGroups,
        placeholders: cliPlaceholders,
      },
    ];
  },
});

export const accessConfigurationActions = [directConfiguration, supportingInfo];
