import { action, type Context } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { notFound, rejected } from '../../kernel/failure.ts';
import { valuesOfDevice } from '../../policy/logical-network-configuration/logical-network-configuration.service.ts';
import { logicalNetworkConfiguration } from '../../policy/logical-network-configuration/logical-network-configuration.ts';
import { readGroups, requestedGroups, visibleReplyDevice } from './radius-attribute-group.service.ts';
import { radiusAttributeGroup } from './radius-attribute-group.ts';
import { type ReplyGroup, replyAttributes, replyOrigins } from './reply-attributes.ts';
import { type TemplateValues, vlanValues } from './templates.ts';

const { id, count, text } = shapes;

const names = action(radiusAttributeGroup, {
  name: 'names',
  method: 'GET',
  path: '/list',
  doc: 'List the names of all attribute groups',
  result: {
    kind: 'object',
    name: 'RadiusAttributeGroupName',
    properties: { name: text(120), id },
  },
  async run(_call, { query }) {
    return query('select g.name, g.id from radius_attribute_group g order by lower(g.name), g.id', []);
  },
});

const byName = action(radiusAttributeGroup, {
  name: 'by-name',
  method: 'GET',
  path: '/name/{groupName}',
  pathShapes: { groupName: { kind: 'text', min: 1, max: 120, example: 'RFC_Vlan', doc: 'Its name, exactly.' } },
  doc: 'Return the attribute group of a name',
  result: 'record',
  errors: ['not-found'],
  async run({ parameters: { groupName } }, context) {
    const rows = await context.query<{ dbid: number }>(
      'select g.id as dbid from radius_attribute_group g where g.name = $1',
      [groupName],
    );
    const group = rows[0] && (await context.fetch(radiusAttributeGroup, rows[0].dbid));
    if (!group) throw notFound(radiusAttributeGroup.title, groupName);
    return [group];
  },
});

const responseValues = action(radiusAttributeGroup, {
  name: 'response-values',
  method: 'GET',
  path: '/responsevalues/{deviceAttrGrpId}/{logicalNetworkAttrGrpId}',
  pathShapes: {
    deviceAttrGrpId: { ...count, doc: 'Id of the attribute group of the device; 0: none.' },
    logicalNetworkAttrGrpId: { ...count, doc: 'Id of the attribute group of the logical network; 0: none.' },
  },
  doc: 'Show the combined values of two attribute groups',
  query: {
    accessValue: { shape: { ...text(253), doc: 'Access value; a VLAN ID also fills the VLAN variables.' } },
    vlanName: { shape: { ...text(64), doc: 'Name of the VLAN.' } },
    role: { shape: { ...text(120), doc: 'Role of the host.' } },
    mac: { shape: { kind: 'mac', doc: 'MAC address of the host.' } },
    userName: { shape: { ...text(253), doc: 'Name of the user.' } },
    nasPort: { shape: { ...count, doc: 'Number of the port in the request.' } },
    sessionTimeout: { shape: { ...count, doc: 'Seconds until the device authenticates the host again.' } },
    redirectUrl: { shape: { ...text(1_000), doc: 'URL to which browsers are redirected.' } },
    decisionID: { shape: { ...text(60), doc: 'Identity of the decision.' } },
  },
  result: {
    kind: 'object',
    name: 'RadiusResponseValues',
    columns: ['attribute', 'tag', 'values', 'from'],
    properties: {
      attribute: text(120),
      tag: { kind: 'integer', min: 0, max: 31 },
      values: {
        kind: 'list',
        item: text(2_000),
        max: 64,
        doc: 'Values; variables without a value in the query stay unchanged.',
      },
      from: { kind: 'choice', values: replyOrigins, doc: 'Group that the attribute comes from.' },
    },
  } as const satisfies ObjectShape,
  errors: ['not-found'],
  async run({ parameters: { deviceAttrGrpId, logicalNetworkAttrGrpId }, query }, context) {
    const groups = [
      ...(await groupOf(context, deviceAttrGrpId, 'DEVICE')),
      ...(await groupOf(context, logicalNetworkAttrGrpId, 'LOGICAL_NETWORK')),
    ];
    return replyAttributes(groups, templateValues(query), 'keep');
  },
});

async function groupOf(context: Context, groupID: number, origin: ReplyGroup['from']): Promise<ReplyGroup[]> {
  if (groupID === 0) return [];
  const groups = await readGroups(context, [{ from: origin, id: groupID }]);
  if (groups.length === 0) throw notFound(radiusAttributeGroup.title, groupID);
  return groups;
}

const isVlanID = (value: string): boolean => /^[1-9]\d{0,3}$/.test(value) && Number(value) <= 4_094;

function templateValues(query: {
  accessValue?: string;
  vlanName?: string;
  role?: string;
  mac?: string;
  userName?: string;
  nasPort?: number;
  sessionTimeout?: number;
  redirectUrl?: string;
  decisionID?: string;
}): TemplateValues {
  const { accessValue, vlanName, role, mac, userName, nasPort, sessionTimeout, redirectUrl, decisionID } = query;
  const queryValues = {
    ACCESS_VALUE: accessValue,
    VLAN_NAME: vlanName,
    ROLE: role,
    MAC: mac,
    USERNAME: userName,
    NAS_PORT: nasPort?.toString(),
    SESSION_TIMEOUT: sessionTimeout?.toString(),
    REDIRECT_URL: redirectUrl,
    DECISION_ID: decisionID,
  };
  return {
    ...(accessValue !== undefined && isVlanID(accessValue) && vlanValues(Number(accessValue))),
    ...Object.fromEntries(Object.entries(queryValues).filter(([, value]) => value !== undefined)),
  };
}

const deviceId = { ...id, doc: 'The device.' } as const;
const logicalNetwork = { ...id, doc: 'A logical network on the device; absent: the device itself.' } as const;

const ofDevice = action(radiusAttributeGroup, {
  name: 'model-configuration',
  method: 'GET',
  path: '/modelcfg/{deviceId}',
  pathShapes: { deviceId },
  doc: 'Show the attribute groups of the replies to a device',
  query: { logicalNetwork: { shape: logicalNetwork } },
  result: {
    kind: 'object',
    name: 'RadiusAttributeGroupOfDevice',
    properties: {
      radiusAttrGroupID: id,
      name: text(120),
      from: {
        kind: 'choice',
        values: replyOrigins,
        doc: 'Record that assigns the group; if two records do, both groups are sent.',
      },
    },
  } as const satisfies ObjectShape,
  errors: ['not-found'],
  async run({ parameters, query }, context) {
    const device = await visibleReplyDevice(context, parameters.deviceId);
    const network = query.logicalNetwork;
    const value =
      network === undefined
        ? undefined
        : (await valuesOfDevice(context, device.id)).find((networkValue) => networkValue.logicalNetworkID === network);
    if (network !== undefined && !value) throw notFound('Logical network', network);
    const requested = requestedGroups(
      { accessType: value?.accessType ?? 'VLAN_ID', radiusAttrGroupID: value?.radiusAttrGroupID ?? null },
      device,
    );
    return (await readGroups(context, requested)).map((replyGroup) => ({
      radiusAttrGroupID: replyGroup.id,
      name: replyGroup.group.name,
      from: replyGroup.from,
    }));
  },
});

/** Returns the configuration of a logical network on the device itself. */
async function ownConfiguration({ query }: Context, device: number, network: number) {
  const rows = await query<{ id: number; group: number | null }>(
    `select c.id, c.radius_attr_group_id as "group" from logical_network_configuration c
     where c.logical_network_id = $1 and c.element_type = 'DEVICE' and c.element_id = $2`,
    [network, device],
  );
  return rows[0];
}

const assign = action(radiusAttributeGroup, {
  name: 'assign-to-device',
  method: 'POST',
  path: '/modelcfg/{deviceId}/{attrGroupId}',
  pathShapes: { deviceId, attrGroupId: { ...id, doc: 'The attribute group.', example: 1 } },
  doc: 'Assign an attribute group to a device or a network on it',
  body: {
    kind: 'object',
    name: 'RadiusAttributeGroupAssignment',
    properties: { logicalNetwork },
  } as const satisfies ObjectShape,
  bodyOptional: true,
  errors: ['not-found', 'rejected'],
  example: {},
  async run({ parameters, body }, context) {
    const { attrGroupId: radiusAttrGroupID } = parameters;
    const device = await visibleReplyDevice(context, parameters.deviceId);
    await groupOf(context, radiusAttrGroupID, 'DEVICE');
    const network = body?.logicalNetwork;
    if (network === undefined) {
      await context.tx.records.update(networkDevice, device.id, { radiusAttrGroupID });
      return {};
    }
    const configuration = await ownConfiguration(context, device.id, network);
    if (!configuration)
      throw rejected(`logicalNetwork: ${network} has no configuration on device ${device.id}.`, '/logicalNetwork');
    await context.tx.records.update(logicalNetworkConfiguration, configuration.id, { radiusAttrGroupID });
    return {};
  },
});

const clear = action(radiusAttributeGroup, {
  name: 'clear-of-device',
  method: 'DELETE',
  path: '/modelcfg/{deviceId}',
  pathShapes: { deviceId },
  doc: 'Clear the attribute group of a device or a network on it',
  query: { logicalNetwork: { shape: logicalNetwork } },
  errors: ['not-found'],
  async run({ parameters, query: { logicalNetwork: network } }, context) {
    const device = await visibleReplyDevice(context, parameters.deviceId);
    if (network === undefined) {
      if (device.radiusAttrGroupID === null) throw notFound('Attribute group of device', device.id);
      await context.tx.records.update(networkDevice, device.id, { radiusAttrGroupID: null });
      return {};
    }
    const configuration = await ownConfiguration(context, device.id, network);
    if (!configuration?.group) throw notFound('Attribute group of logical network', network);
    await context.tx.records.update(logicalNetworkConfiguration, configuration.id, { radiusAttrGroupID: null });
    return {};
  },
});

export const radiusAttributeGroupActions = [names, byName, responseValues, ofDevice, assign, clear];
