import { type Fault, invalid, notFound, rejected } from '../../kernel/failure.ts';
import type { ObjectShape, Shape } from '../../kernel/shape.ts';
import { integerMax } from '../../kernel/shape.ts';
import type { DeviceVlan } from '../../parts/drivers/driver.ts';
import { port } from './port.ts';

export const portsMax = 5_000;
/** So many ports, if they are of one device, are changed while the client waits. */
export const portsAtOnce = 20;

/** A VLAN as people write it: its number, or the name that the device has for it. */
const vlan = (doc: string, min: number): Shape => ({ kind: 'text', min, max: 64, doc });

/** What an administrator may want of ports. */
export const portPropertiesShape: ObjectShape = {
  kind: 'object',
  name: 'PortProperties',
  properties: {
    id: { kind: 'list', item: { kind: 'integer', min: 1, max: integerMax }, min: 1, max: portsMax, doc: 'The ports.' },
    name: { ...port.fields.label.shape, doc: 'Label: the name that administrators give it.' } as Shape,
    adminStatus: { kind: 'flag', doc: 'Put it up or down, on the device.' },
    defaultVlan: vlan('VLAN it returns to when empty: number, or name on the device. Empty: none.', 0),
    currentVlan: vlan(
      'Put it into this VLAN, on the device: number, or name there. A later decision may change it.',
      1,
    ),
    newUplink: { kind: 'integer', min: 0, max: 1, doc: '1: it is an uplink, because you say so; 0: as it is.' },
    clearUplink: { kind: 'flag', doc: 'It is an edge port again, until something makes it an uplink.' },
    uplinkDisabled: port.fields.uplinkDisabled.shape,
    notes: port.fields.notes.shape,
  },
  required: ['id'],
};

/** The same, checked by its shape. */
export interface PortProperties {
  id: number[];
  name?: string;
  adminStatus?: boolean;
  defaultVlan?: string;
  currentVlan?: string;
  newUplink?: 0 | 1;
  clearUplink?: boolean;
  uplinkDisabled?: boolean;
  notes?: string;
}

/** What the device has to do: nothing of it, one, or both. */
export interface DeviceWish {
  vlan?: string;
  isUp?: boolean;
}

/** A port that is to be changed, as far as that decides whether it can be. */
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
  /** What the device itself can be told. */
  canSetVlan: boolean;
  canSetAdminStatus: boolean;
  vlans: readonly DeviceVlan[];
}

export const deviceWishOf = ({ currentVlan, adminStatus }: PortProperties): DeviceWish | null =>
  currentVlan === undefined && adminStatus === undefined
    ? null
    : {
        ...(currentVlan !== undefined && { vlan: currentVlan }),
        ...(adminStatus !== undefined && { isUp: adminStatus }),
      };

/** The fields of the record that only we keep. */
export function ownFieldsOf({ name, defaultVlan, uplinkDisabled, notes }: PortProperties): Record<string, unknown> {
  const fields = { label: name, defaultVlan, uplinkDisabled, notes };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const vlanNumbers = { min: 1, max: 4_094 };

/** The number of a VLAN; null when it is a name that the device does not have. */
export function vlanNumberOf(text: string, vlans: readonly DeviceVlan[]): number | null {
  if (/^\d+$/.test(text)) return Number(text);
  const named = vlans.find(({ name }) => name === text) ?? vlans.find(({ name }) => same(name, text));
  return named?.id ?? null;
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** What the request alone shows to be wrong. */
export function refuseNonsense(wish: PortProperties): void {
  const { id, currentVlan, defaultVlan, newUplink, clearUplink, ...rest } = wish;
  const faults: Fault[] = [];
  const isNumberBeyond = (text = '') => /^\d+$/.test(text) && (+text < vlanNumbers.min || +text > vlanNumbers.max);
  for (const [field, text] of Object.entries({ currentVlan, defaultVlan })) {
    if (isNumberBeyond(text))
      faults.push({
        pointer: `/${field}`,
        message: `${field}: VLANs have numbers from ${vlanNumbers.min} to ${vlanNumbers.max}.`,
      });
  }
  if (newUplink === 1 && clearUplink)
    faults.push({ pointer: '/clearUplink', message: 'clearUplink: cannot go together with newUplink 1; send one.' });
  if (newUplink === 1 && currentVlan !== undefined)
    faults.push({ pointer: '/currentVlan', message: 'currentVlan: an uplink is put into no VLAN; send one of both.' });
  if (new Set(id).size !== id.length) faults.push({ pointer: '/id', message: 'id: names a port twice.' });
  const wanted = [currentVlan, defaultVlan, newUplink, clearUplink, ...Object.values(rest)];
  if (wanted.every((each) => each === undefined))
    faults.push({ pointer: '', message: 'Nothing is to be changed; send a field besides id.' });
  if (faults.length > 0) throw invalid(faults);
}

export function refuseUnknown(wanted: readonly number[], found: readonly { id: number }[]): void {
  const known = new Set(found.map(({ id }) => id));
  const missing = wanted.filter((id) => !known.has(id));
  if (missing.length > 0) throw notFound('Port', missing.slice(0, portsAtOnce).join(', '));
}

/** What it takes the stored ports to know: the first of them that cannot be changed so. */
export function refuseImpossible(wish: PortProperties, ports: readonly TargetPort[]): void {
  for (const each of ports) {
    const what = `Port ${each.deviceName} ${each.name}`;
    if (wish.currentVlan !== undefined) {
      if (each.isUplink)
        throw rejected(`currentVlan: ${what} is an uplink and is put into no VLAN; clear that first.`, '/currentVlan');
      if (!each.canSetVlan || each.ifIndex === null)
        throw rejected(`currentVlan: ${what} is not told its VLAN by this service.`, '/currentVlan');
    }
    if (wish.adminStatus !== undefined && (!each.canSetAdminStatus || each.ifIndex === null))
      throw rejected(`adminStatus: ${what} is not put up or down by this service.`, '/adminStatus');
    for (const field of ['currentVlan', 'defaultVlan'] as const) {
      const text = wish[field];
      if (text && vlanNumberOf(text, each.vlans) === null)
        throw rejected(
          `${field}: ${each.deviceName} reports no VLAN of the name ${text}; use its number.`,
          `/${field}`,
        );
    }
  }
}
