import type { DeviceVlan } from '../../drivers/driver.ts';
import type { ObjectShape, Shape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import type { ValueOf } from '../../kernel/declare/value-of.ts';
import { type Failure, type Fault, invalid, notFound, rejected } from '../../kernel/failure.ts';
import { port } from './port.ts';

export const portsMax = 5_000;
/** Number of ports that are changed while the client waits, if they belong to one device. */
export const portsAtOnce = 20;

/** A VLAN as text: its number, or its name on the device. */
const vlan = (doc: string, min: number) => ({ kind: 'text', min, max: 64, doc }) as const satisfies Shape;

/** Properties of ports that an administrator can set. */
export const portPropertiesShape = {
  kind: 'object',
  name: 'PortProperties',
  properties: {
    id: { ...shapes.ids(portsMax), doc: 'The ports.' },
    name: { ...port.fields.label.shape, doc: 'Label: the name assigned by administrators.' },
    adminStatus: { kind: 'flag', doc: 'Set the port up or down on the device.' },
    defaultVlan: vlan(
      'VLAN the port returns to when no host is connected: number, or name on the device. Empty: none.',
      0,
    ),
    currentVlan: vlan(
      'Move the port to this VLAN on the device: number, or name on the device. A later decision may change it.',
      1,
    ),
    newUplink: { kind: 'integer', min: 0, max: 1, doc: '1: mark as a user-defined uplink; 0: no change.' },
    clearUplink: { kind: 'flag', doc: 'Make it an edge port again, until it is detected as an uplink.' },
    uplinkDisabled: port.fields.uplinkDisabled.shape,
    notes: port.fields.notes.shape,
  },
  required: ['id'],
} as const satisfies ObjectShape;

export type PortProperties = ValueOf<typeof portPropertiesShape>;

/** Settings to write to the device: none, one or both. */
export interface DesiredPortState {
  vlan?: string;
  isUp?: boolean;
}

/** A port to change, with the data that decides whether it can be changed. */
export interface TargetPort {
  id: number;
  name: string;
  deviceID: number;
  deviceName: string;
  ifIndex: number | null;
  currentVlan: string;
  ifadminStatus: number;
  ifoperStatus: number;
  isUplink: boolean;
  /** Abilities of the device. */
  canSetVlan: boolean;
  canSetAdminStatus: boolean;
  vlans: readonly DeviceVlan[];
}

/** Returns the display name of a port: device name and port name. */
export const nameOfPort = ({ deviceName, name }: Pick<TargetPort, 'deviceName' | 'name'>): string =>
  `${deviceName} ${name}`;

export const desiredPortStateOf = ({ currentVlan, adminStatus }: PortProperties): DesiredPortState | null =>
  currentVlan === undefined && adminStatus === undefined
    ? null
    : {
        ...(currentVlan !== undefined && { vlan: currentVlan }),
        ...(adminStatus !== undefined && { isUp: adminStatus }),
      };

/** Returns the fields that the service alone stores. */
export function ownFieldsOf({ name, defaultVlan, uplinkDisabled, notes }: PortProperties): Record<string, unknown> {
  const fields = { label: name, defaultVlan, uplinkDisabled, notes };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const vlanNumbers = { min: 1, max: 4_094 };

/** Returns the number of a VLAN; null for a name that the device does not have. */
export function vlanNumberOf(text: string, vlans: readonly DeviceVlan[]): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  const namedVlan = vlans.find(({ name }) => name === text) ?? vlans.find(({ name }) => same(name, text));
  return namedVlan?.id ?? null;
}

const same = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** Checks the request without stored data. */
export function requireValidProperties(desired: PortProperties): void {
  const { id, currentVlan, defaultVlan, newUplink, clearUplink, ...rest } = desired;
  const faults: Fault[] = [];
  const isNumberBeyond = (text = '') => /^\d+$/.test(text) && (+text < vlanNumbers.min || +text > vlanNumbers.max);
  for (const [field, text] of Object.entries({ currentVlan, defaultVlan })) {
    if (isNumberBeyond(text))
      faults.push({
        pointer: `/${field}`,
        message: `${field}: VLAN numbers are ${vlanNumbers.min} to ${vlanNumbers.max}.`,
      });
  }
  if (newUplink === 1 && clearUplink)
    faults.push({
      pointer: '/clearUplink',
      message: 'clearUplink: conflicts with newUplink 1; send only one of them.',
    });
  if (newUplink === 1 && currentVlan !== undefined)
    faults.push({
      pointer: '/currentVlan',
      message: 'currentVlan: the VLAN of an uplink cannot be set; send only one of newUplink and currentVlan.',
    });
  if (new Set(id).size !== id.length) faults.push({ pointer: '/id', message: 'id: contains a port twice.' });
  const desiredValues = [currentVlan, defaultVlan, newUplink, clearUplink, ...Object.values(rest)];
  if (desiredValues.every((desiredValue) => desiredValue === undefined))
    faults.push({ pointer: '', message: 'Nothing to change; send at least one field in addition to id.' });
  if (faults.length > 0) throw invalid(faults);
}

export function refuseUnknown(requestedIds: readonly number[], visiblePorts: readonly { id: number }[]): void {
  const visibleIds = new Set(visiblePorts.map(({ id }) => id));
  const missing = requestedIds.filter((id) => !visibleIds.has(id));
  if (missing.length > 0) throw notFound('Port', missing.slice(0, portsAtOnce).join(', '));
}

/** Checks the request against the stored ports; throws for the first one that cannot be changed. */
export function refuseImpossible(desired: PortProperties, ports: readonly TargetPort[]): void {
  for (const targetPort of ports) {
    const refusal = refusalOf(desired, targetPort);
    if (refusal) throw refusal;
  }
}

/** Returns why a port cannot be changed; undefined if it can. */
export function refusalOf(desired: PortProperties, targetPort: TargetPort): Failure | undefined {
  const what = `Port ${nameOfPort(targetPort)}`;
  if (desired.currentVlan !== undefined) {
    if (targetPort.isUplink)
      return rejected(
        `currentVlan: ${what} is an uplink, so its VLAN cannot be set; send clearUplink first.`,
        '/currentVlan',
      );
    if (!targetPort.canSetVlan || targetPort.ifIndex === null)
      return rejected(`currentVlan: Portreeve does not manage VLANs on ${what}.`, '/currentVlan');
  }
  if (desired.adminStatus !== undefined && (!targetPort.canSetAdminStatus || targetPort.ifIndex === null))
    return rejected(`adminStatus: Portreeve does not manage the admin status of ${what}.`, '/adminStatus');
  for (const field of ['currentVlan', 'defaultVlan'] as const) {
    const text = desired[field];
    if (text && vlanNumberOf(text, targetPort.vlans) === null)
      return rejected(`${field}: ${targetPort.deviceName} reports no VLAN named ${text}; use its number.`, `/${field}`);
  }
  return undefined;
}
