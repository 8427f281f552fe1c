import { action, type Context } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { ssid } from '../../device/ssid/ssid.ts';
import { inputShape, shapesOf } from '../../kernel/declare/declaration.ts';
import type { ObjectShape, Shape } from '../../kernel/declare/shape.ts';
import { extended, shapes } from '../../kernel/declare/shapes.ts';
import { invalid, invalidField, notFound, rejected } from '../../kernel/failure.ts';
import { connectionChange } from '../connection-change/connection-change.ts';
import { accessTypes } from '../decide/decide.service.ts';
import { type ConfiguredElement, elementsOf } from './configured-elements.ts';
import { type EffectiveValue, effectiveValues } from './effective-values.ts';
import { networkValueShape, replaceValues, upsertValues, valuesMax } from './logical-network-configuration.service.ts';
import {
  accessEnforcements,
  type ConfiguredElementType,
  configuredElementTypes,
  logicalNetworkConfiguration,
} from './logical-network-configuration.ts';
import { replyFor, replyShape } from './reply.ts';

const { id } = shapes;
const elementsMax = 100;
const batchMax = 5_000;
const { fields } = logicalNetworkConfiguration;

const elementType = { kind: 'choice', values: configuredElementTypes } as const;
const radiusAttrGroupID = {
  ...fields.radiusAttrGroupID.shape,
  doc: 'RADIUS attribute group of the device; null: the group of its driver.',
} as const;

const effectiveShape = {
  kind: 'object',
  name: 'EffectiveNetworkValue',
  properties: {
    id: {
      ...id,
      nullable: true,
      doc: 'The configuration that applies; null: the default of the network, or no value.',
    },
    ...shapesOf(fields, ['logicalNetworkID', 'logicalNetworkName', 'cliApply', 'cliUndo']),
    accessEnforcement: {
      kind: 'choice',
      values: accessEnforcements,
      nullable: true,
      doc: 'How the value applies; null: no value here.',
    },
    accessType: { kind: 'choice', values: accessTypes, nullable: true },
    accessValue: { kind: 'text', max: 253, nullable: true },
    inheritedFrom: {
      kind: 'object',
      name: 'ValueInheritedFrom',
      nullable: true,
      properties: { elementType, elementID: id, name: { kind: 'text', max: 400 } },
      doc: 'Element on which the value is configured; null: this element, or none.',
    },
  },
} as const satisfies ObjectShape;

const propertiesShape = {
  kind: 'object',
  name: 'ElementProperties',
  columns: ['elementType', 'elementID', 'elementName'],
  properties: {
    elementType,
    elementID: id,
    elementName: { kind: 'text', max: 400 },
    supportedAccessTypes: {
      kind: 'list',
      item: { kind: 'choice', values: accessTypes },
      max: accessTypes.length,
      doc: 'Access types that the device supports.',
    },
    vlans: networkDevice.fields.vlans.shape,
    radiusAttrGroupID,
    configurations: {
      kind: 'list',
      item: effectiveShape,
      max: 5_000,
      doc: 'Every logical network with its value here, by name.',
    },
  },
} as const satisfies ObjectShape;

const readProperties = action(logicalNetworkConfiguration, {
  name: 'element-properties',
  method: 'GET',
  path: '/element/properties',
  doc: 'Show the values of logical networks on elements',
  query: {
    elementType: { shape: { ...elementType, doc: 'Type of the elements.' } },
    elementID: { shape: { ...id, doc: 'Id of an element.' }, many: true },
    deviceID: { shape: { ...id, doc: 'Id of a device; the same as elementType DEVICE and elementID.' }, many: true },
  },
  result: propertiesShape,
  errors: ['not-found'],
  async run({ query }, context) {
    const { elementType: type, elementID = [], deviceID = [] } = query;
    if ((type === undefined) !== (elementID.length === 0)) throw invalid('Send elementType and elementID together.');
    const elements = [
      ...(await requireElements(context, type ?? 'DEVICE', elementID)),
      ...(await requireElements(context, 'DEVICE', deviceID)),
    ];
    if (elements.length === 0) throw invalid('Send elementType and elementID, or deviceID.');
    if (elements.length > elementsMax) throw invalid(`Request at most ${elementsMax} elements at a time.`);
    const values = await effectiveValues(context, elements);
    return elements.map(({ deviceID: _, deviceName: __, containerID: ___, ...element }, index) => ({
      ...element,
      configurations: values[index]!.map(shownValue),
    }));
  },
});

const shownValue = ({ radiusAttrGroupID: _, firewallTagIDs: __, note: ___, ...value }: EffectiveValue) => value;

/** Returns these elements. Throws 404 if the caller does not see one of them. */
async function requireElements(
  context: Context,
  type: ConfiguredElementType,
  ids: readonly number[],
): Promise<ConfiguredElement[]> {
  const elements = await elementsOf(context, type, [...new Set(ids)]);
  const unknown = ids.find((requestedID) => !elements.some(({ elementID }) => elementID === requestedID));
  if (unknown !== undefined) throw notFound(`${type.toLowerCase()} element`, unknown);
  return elements;
}

const valueOfElement = extended(networkValueShape, {
  name: 'NetworkValueOfElement',
  properties: {
    elementType: { ...elementType, doc: 'DEVICE, or SSID or PORT of the device. Absent: DEVICE.' },
    elementID: { ...id, doc: 'The SSID or port. Absent: the device.' },
  },
});

const replaceProperties = action(logicalNetworkConfiguration, {
  name: 'replace-element-properties',
  method: 'POST',
  impact: connectionChange,
  path: '/element/properties/{deviceID}',
  pathShapes: { deviceID: id },
  doc: 'Replace the values of a device and its included SSIDs, ports',
  body: {
    kind: 'object',
    name: 'DeviceNetworkValues',
    required: ['configurations'],
    properties: {
      radiusAttrGroupID,
      configurations: { kind: 'list', item: valueOfElement, max: batchMax },
    },
  } as const satisfies ObjectShape,
  errors: ['not-found', 'rejected'],
  example: { configurations: [{ logicalNetworkID: 1, accessType: 'NONE' }] },
  async run({ parameters, body }, context) {
    const { deviceID } = parameters;
    await requireElements(context, 'DEVICE', [deviceID]);
    await setAttributes(context, [deviceID], body.radiusAttrGroupID);
    const byElement = new Map<string, ReturnType<typeof withElement>[]>([[`DEVICE ${deviceID}`, []]]);
    for (const [index, value] of body.configurations.entries()) {
      const placedValue = withElement(value, deviceID);
      await refuseForeign(context, placedValue, deviceID, index);
      const key = `${placedValue.elementType} ${placedValue.elementID}`;
      byElement.set(key, [...(byElement.get(key) ?? []), placedValue]);
    }
    for (const [key, values] of byElement) {
      const [type, elementID] = key.split(' ') as [ConfiguredElementType, string];
      await replaceValues(context, type, Number(elementID), values, 'configurations');
    }
    return {};
  },
});

const withElement = <V extends { elementType?: ConfiguredElementType; elementID?: number }>(
  value: V,
  deviceID: number,
) => {
  const type = value.elementType ?? 'DEVICE';
  return { ...value, elementType: type, elementID: value.elementID ?? (type === 'DEVICE' ? deviceID : 0) };
};

/** Rejects elements other than the device itself, its SSIDs and its ports. */
async function refuseForeign(
  context: Context,
  { elementType: type, elementID }: { elementType: ConfiguredElementType; elementID: number },
  deviceID: number,
  index: number,
): Promise<void> {
  if (type === 'DEVICE' && elementID === deviceID) return;
  const [element] = type === 'CONTAINER' ? [] : await elementsOf(context, type, [elementID]);
  if (element?.deviceID === deviceID && type !== 'DEVICE') return;
  throw invalidField(`configurations.${index}.elementID`, 'must be the device, or one of its SSIDs or ports');
}

/** Sets the RADIUS attribute group of the devices, which are the only elements that have one. */
async function setAttributes(context: Context, devices: readonly number[], group: number | null | undefined) {
  if (group === undefined) return;
  for (const device of devices) await context.tx.records.update(networkDevice, device, { radiusAttrGroupID: group });
}

const mergeProperties = action(logicalNetworkConfiguration, {
  name: 'merge-element-properties',
  method: 'POST',
  impact: connectionChange,
  path: '/element/properties',
  doc: 'Set values on many elements and keep their other values',
  body: {
    kind: 'object',
    name: 'NetworkValuesOfElements',
    required: ['elements', 'configurations'],
    properties: {
      elements: {
        kind: 'list',
        item: {
          kind: 'object',
          name: 'ConfiguredElement',
          required: ['elementType', 'elementID'],
          properties: { elementType, elementID: id },
        },
        min: 1,
        max: batchMax,
      },
      radiusAttrGroupID,
      configurations: { kind: 'list', item: networkValueShape, max: valuesMax },
    },
  } as const satisfies ObjectShape,
  errors: ['rejected'],
  example: {
    elements: [{ elementType: 'CONTAINER', elementID: 1 }],
    configurations: [{ logicalNetworkID: 1, accessType: 'NONE' }],
  },
  async run({ body: { elements, configurations, radiusAttrGroupID: group } }, context) {
    if (elements.length * configurations.length > batchMax)
      throw invalid(`elements: elements times configurations may be at most ${batchMax}.`);
    const devices = elements.filter((element) => element.elementType === 'DEVICE').map(({ elementID }) => elementID);
    await setAttributes(context, devices, group);
    for (const element of elements)
      await upsertValues(
        context,
        configurations.map((value) => ({ ...value, ...element })),
        'configurations',
      );
    return {};
  },
});

const reply = action(logicalNetworkConfiguration, {
  name: 'radius',
  method: 'GET',
  path: '/radius',
  doc: 'Show the RADIUS reply for a logical network on a device',
  query: {
    logicalNetworkID: { shape: { ...id, doc: 'The logical network.' }, required: true },
    deviceID: { shape: { ...id, doc: 'The device that sends the request.' }, required: true },
    portID: { shape: { ...id, doc: 'A port of the device.' } },
    ssid: { shape: { kind: 'text', min: 1, max: 128, doc: 'Name of a wireless network of the device.' } },
    mac: { shape: { kind: 'mac', doc: 'MAC address of the host.' } },
    userName: { shape: { kind: 'text', max: 253, doc: 'Name of the user.' } },
  },
  result: replyShape,
  errors: ['not-found', 'rejected'],
  async run({ query: { logicalNetworkID, ...query } }, context) {
    const element = await replyElement(context, query);
    const [values] = await effectiveValues(context, [element]);
    const value = values!.find((networkValue) => networkValue.logicalNetworkID === logicalNetworkID);
    if (!value) throw notFound('Logical network', logicalNetworkID);
    return [await replyFor(context, value, element.deviceID!, query)];
  },
});

/** Returns the port or SSID that the query gives, or the device itself. */
async function replyElement(
  context: Context,
  { deviceID, portID, ssid: name }: { deviceID: number; portID?: number; ssid?: string },
): Promise<ConfiguredElement> {
  const [device] = await requireElements(context, 'DEVICE', [deviceID]);
  if (portID !== undefined && name !== undefined) throw invalidField('ssid', 'cannot be given with portID');
  const portOf = name === undefined ? portID : await ssidOf(context, deviceID, name);
  if (portOf === undefined) return device!;
  const [element] = await elementsOf(context, 'PORT', [portOf]);
  if (element?.deviceID !== deviceID) throw rejected(`portID: device ${deviceID} has no port ${portOf}.`, '?portID');
  return element;
}

async function ssidOf({ query, visible }: Context, deviceID: number, name: string): Promise<number> {
  const [storedSsid] = await query<{ id: number }>(
    `select s.id from ${visible(ssid)} s where s.device_id = $1 and s.name = $2`,
    [deviceID, name],
  );
  if (!storedSsid) throw rejected(`ssid: device ${deviceID} has no wireless network ${JSON.stringify(name)}.`, '?ssid');
  return storedSsid.id;
}

const batchUpsert = action(logicalNetworkConfiguration, {
  name: 'batch-upsert',
  method: 'POST',
  impact: connectionChange,
  path: '/batch-upsert',
  doc: 'Create or change many values by network and element',
  body: {
    kind: 'list',
    item: extended(inputShape(logicalNetworkConfiguration), {
      name: 'LogicalNetworkConfigurationByKey',
      properties: { logicalNetworkID: id, elementType, elementID: id },
      required: ['logicalNetworkID', 'elementType', 'elementID'],
    }),
    min: 1,
    max: batchMax,
  } as const satisfies Shape,
  result: {
    kind: 'object',
    name: 'UpsertedValue',
    properties: { id: { ...id, doc: 'Id of the configuration, in the order of the request.' } },
  },
  errors: ['rejected', 'stale'],
  example: [{ logicalNetworkID: 1, elementType: 'CONTAINER', elementID: 1, accessType: 'NONE' }],
  async run({ body }, context) {
    return (await upsertValues(context, body)).map((configurationID) => ({ id: configurationID }));
  },
});

export const logicalNetworkConfigurationActions = [
  readProperties,
  replaceProperties,
  mergeProperties,
  reply,
  batchUpsert,
];
