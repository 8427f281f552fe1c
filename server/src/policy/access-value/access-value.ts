import { type Field, field } from '../../kernel/declare/field.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { integerMax } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { type AccessType, type AccessValue, accessTypes } from '../decide/decide.service.ts';

export const firewallTagsMax = 50;
const linesMax = 50;

const cliLine = {
  kind: 'text',
  min: 1,
  max: 250,
  pattern: { source: String.raw`^[^\u0000-\u001f\u007f]+$`, words: 'one line without control characters' },
} as const;

/** The properties of an access value, for records that have them among their own fields. */
export const accessValueShapes = {
  accessType: {
    kind: 'choice',
    values: accessTypes,
    doc: 'Type of the value. CLI: lines that are sent to the device; DENY: no access; NONE: access without a value.',
    help: 'Kind of access value. CLI: commands that are sent to the device. Deny: no access. None: access without a value.',
  },
  accessValue: {
    kind: 'text',
    max: 253,
    pattern: { source: String.raw`^[^\u0000-\u001f\u007f]*$`, words: 'text without control characters' },
    doc: 'VLAN ID or name, filter name, role or group, by accessType; empty for DENY and NONE.',
    help: 'VLAN ID or name, filter name, role or group, by access type. Empty for deny and none.',
    example: '30',
  },
  radiusAttrGroupID: {
    kind: 'integer',
    min: 1,
    max: integerMax,
    nullable: true,
    doc: 'RADIUS attribute group that carries the value; null: the group of the device.',
    help: 'RADIUS attributes that send the value. None: the attributes of the device.',
  },
  cliApply: {
    kind: 'list',
    item: cliLine,
    max: linesMax,
    doc: 'Lines that apply the value. Placeholders: %PORT%, %IFINDEX%, %MAC%, %VLAN%, %HOST%.',
    help: 'Commands that apply the value, one per line. Placeholders: %PORT%, %IFINDEX%, %MAC%, %VLAN%, %HOST%.',
    example: [],
  },
  cliUndo: {
    kind: 'list',
    item: cliLine,
    max: linesMax,
    doc: 'Lines sent when the connection ends or the value changes.',
    help: 'Commands to send when the connection ends or the value changes, one per line.',
    example: [],
  },
} as const;

/** The value that gives a level of access on a device, such as a VLAN. */
export const accessValueShape = {
  kind: 'object',
  name: 'AccessValue',
  properties: accessValueShapes,
  required: ['accessType'],
} as const satisfies ObjectShape;

const { id, count } = shapes;

/** Query that selects the devices whose VLANs are offered as choices. */
export const devicesQuery = {
  deviceID: { shape: { ...id, doc: 'A device. All devices if none of the three parameters is given.' } },
  deviceGroupID: { shape: { ...id, doc: 'Devices of a group, including nested groups.' } },
  containerID: { shape: { ...id, doc: 'Devices in a container or beneath it.' } },
} as const;

export const devicesShownMax = 100;

/** A direct value that a form offers, with its use. */
export const directValueShape = {
  kind: 'object',
  name: 'DirectValue',
  columns: ['accessType', 'accessValue', 'label', 'usedBy', 'knownOn'],
  properties: {
    accessType: { kind: 'choice', values: accessTypes },
    accessValue: { kind: 'text', max: 253 },
    label: { kind: 'text', max: 253, doc: 'Name of the VLAN, otherwise the value.' },
    usedBy: { ...count, doc: 'Number of records that grant it.' },
    knownOn: { ...count, doc: 'Number of these devices that have the VLAN.' },
    missingOn: {
      kind: 'list',
      item: {
        kind: 'object',
        name: 'MissingOnDevice',
        properties: { deviceID: id, deviceName: { kind: 'text', max: 128 } },
      },
      max: devicesShownMax,
      doc: `Devices whose VLANs were read and do not include this one, by name; at most ${devicesShownMax}.`,
    },
  },
} as const satisfies ObjectShape;

const nothing: AccessValue = {
  accessType: 'NONE',
  accessValue: '',
  radiusAttrGroupID: null,
  cliApply: [],
  cliUndo: [],
};

/** Returns a field that holds an access value or null. A write replaces the complete value; omitted properties become empty. */
export const accessValueField = (doc: string, help?: string): Field<AccessValue | null> => ({
  ...field<AccessValue | null>(
    { ...accessValueShape, nullable: true },
    {
      default: null,
      doc,
      ...(help && { help }),
      nestedReferences: [{ path: ['radiusAttrGroupID'], to: 'radius-attribute-group', onDelete: 'restrict' }],
    },
  ),
  merge: (input) => (input === null ? null : { ...nothing, ...(input as Partial<AccessValue>) }),
});

export const cliPlaceholders = ['%PORT%', '%IFINDEX%', '%MAC%', '%VLAN%', '%HOST%'] as const;
const placeholder = /%[A-Za-z_]+%/g;

const withoutValue: readonly AccessType[] = ['DENY', 'NONE'];

/** A fault of an access value: the invalid property, and the reason. */
export interface ValueFault {
  property: keyof AccessValue;
  message: string;
}

/** Returns the first fault of an access value that can be found without other records. */
export function valueFault({ accessType, accessValue, cliApply, cliUndo }: AccessValue): ValueFault | undefined {
  if (accessType === 'VLAN_ID' && !/^([1-9]\d{0,2}|[1-3]\d{3}|40[0-8]\d|409[0-4])$/.test(accessValue))
    return { property: 'accessValue', message: 'must be a VLAN ID from 1 to 4094' };
  if (accessType === 'VLAN_NAME' && accessValue.length > 64)
    return { property: 'accessValue', message: 'must be a VLAN name of at most 64 characters' };
  if (withoutValue.includes(accessType) && accessValue !== '')
    return { property: 'accessValue', message: `must be empty for ${accessType}` };
  if (accessType === 'CLI') return cliFault(accessValue, cliApply, cliUndo);
  if (cliApply.length > 0) return { property: 'cliApply', message: 'is for the access type CLI only' };
  if (cliUndo.length > 0) return { property: 'cliUndo', message: 'is for the access type CLI only' };
  if (!withoutValue.includes(accessType) && accessValue.trim() === '')
    return { property: 'accessValue', message: `must not be empty for ${accessType}` };
  return undefined;
}

/** Limits the characters of the value: once inserted into a command line, it must not become a second command. */
function cliFault(value: string, apply: readonly string[], undo: readonly string[]): ValueFault | undefined {
  if (apply.length === 0) return { property: 'cliApply', message: 'must have a line for the access type CLI' };
  if (!/^[A-Za-z0-9 ._:/-]*$/.test(value))
    return {
      property: 'accessValue',
      message: 'may have letters, digits, spaces and . _ : / - for the access type CLI',
    };
  const lines = { cliApply: apply, cliUndo: undo };
  for (const [property, propertyLines] of Object.entries(lines) as [keyof typeof lines, readonly string[]][]) {
    const unknown = propertyLines
      .flatMap((line) => line.match(placeholder) ?? [])
      .find((name) => !cliPlaceholders.some((placeholderName) => placeholderName === name));
    if (unknown)
      return { property, message: `has the unknown placeholder ${unknown}; use one of ${cliPlaceholders.join(', ')}` };
  }
  return undefined;
}
