import type { Shape } from '../../../kernel/declare/shape.ts';
import { mediaTypes } from '../../adapter/adapter.ts';

/** A line of a file as it is staged. Absent properties keep the stored values. */
export interface ImportedHost {
  mac: string;
  ip?: string;
  media?: string;
  description?: string;
  siblings?: string[];
  name?: string;
  owner?: string;
  role?: string;
  deviceType?: string;
  os?: string;
  hardware?: string;
  serial?: string;
  expires?: string;
  inactiveDays?: number;
  container?: string;
  groups?: string[];
  notes?: string;
  firstName?: string;
  lastName?: string;
  email?: string;
}

const words = (max: number) => ({ kind: 'text', min: 1, max }) as const satisfies Shape;
const several = (item: Shape) => ({ kind: 'list', item, max: 100 }) as const satisfies Shape;

interface Column {
  field: keyof ImportedHost;
  shape: Shape;
  doc: string;
  /** The value in the template file. */
  example?: string;
}

/** The columns of an import file, by the names in the CSV header or the JSON keys. */
export const importColumns: Readonly<Record<string, Column>> = {
  'adap.mac': {
    field: 'mac',
    shape: { kind: 'mac' },
    doc: 'MAC address in any notation; required',
    example: '00:1d:09:00:00:04',
  },
  'adap.ip': { field: 'ip', shape: { kind: 'address' }, doc: 'IP address', example: '198.51.100.20' },
  'adap.media': {
    field: 'media',
    shape: { kind: 'choice', values: mediaTypes },
    doc: `One of ${mediaTypes.join(', ')}`,
    example: 'WIRED',
  },
  'adap.descr': { field: 'description', shape: words(2_000), doc: 'Description of the adapter' },
  siblings: {
    field: 'siblings',
    shape: several({ kind: 'mac' }),
    doc: 'Other MAC addresses of the same host, separated by semicolons',
  },
  'host.host': { field: 'name', shape: words(255), doc: 'Name of the host', example: 'reading-room-1' },
  'host.owner': { field: 'owner', shape: words(120), doc: 'User ID of the owner' },
  'host.role': { field: 'role', shape: words(120), doc: 'Name of a role' },
  'host.devType': { field: 'deviceType', shape: words(40), doc: 'Tag of a device type' },
  'host.os': { field: 'os', shape: words(255), doc: 'Operating system' },
  'host.hwType': { field: 'hardware', shape: words(255), doc: 'Hardware' },
  'host.serial': { field: 'serial', shape: words(120), doc: 'Serial number' },
  'host.expireDate': {
    field: 'expires',
    shape: { kind: 'time' },
    doc: 'Day or time at which the host is removed, such as 2030-12-31',
  },
  'host.inact': {
    field: 'inactiveDays',
    shape: { kind: 'integer', min: 1, max: 36_500 },
    doc: 'Days without contact after which the host is removed',
  },
  'host.topo': {
    field: 'container',
    shape: words(128),
    doc: 'Container in which the host is also added as a pingable device',
  },
  'host.groups': { field: 'groups', shape: several(words(120)), doc: 'Host groups to join, separated by semicolons' },
  'host.notes': { field: 'notes', shape: words(4_000), doc: 'Notes' },
  'user.uid': { field: 'owner', shape: words(120), doc: 'The same as host.owner' },
  'user.fn': { field: 'firstName', shape: words(120), doc: 'First name of a new owner' },
  'user.ln': { field: 'lastName', shape: words(120), doc: 'Last name of a new owner' },
  'user.email': { field: 'email', shape: words(254), doc: 'Mail address of a new owner' },
};

export const columnNames = Object.keys(importColumns);
