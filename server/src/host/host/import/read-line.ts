import { checkValue } from '../../../context.ts';
import type { Shape } from '../../../kernel/declare/shape.ts';
import type { Fault } from '../../../kernel/failure.ts';
import { mediaTypes } from '../../adapter/adapter.ts';

/** A line of a file as it is staged; what is absent keeps what is stored. */
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

/** What a file may say of a host, by the names that its header or its keys have. */
const columns: Readonly<Record<string, { field: keyof ImportedHost; shape: Shape }>> = {
  'adap.mac': { field: 'mac', shape: { kind: 'mac' } },
  'adap.ip': { field: 'ip', shape: { kind: 'address' } },
  'adap.media': { field: 'media', shape: { kind: 'choice', values: mediaTypes } },
  'adap.descr': { field: 'description', shape: words(2_000) },
  siblings: { field: 'siblings', shape: several({ kind: 'mac' }) },
  'host.host': { field: 'name', shape: words(255) },
  'host.owner': { field: 'owner', shape: words(120) },
  'host.role': { field: 'role', shape: words(120) },
  'host.devType': { field: 'deviceType', shape: words(40) },
  'host.os': { field: 'os', shape: words(255) },
  'host.hwType': { field: 'hardware', shape: words(255) },
  'host.serial': { field: 'serial', shape: words(120) },
  'host.expireDate': { field: 'expires', shape: { kind: 'time' } },
  'host.inact': { field: 'inactiveDays', shape: { kind: 'integer', min: 1, max: 36_500 } },
  'host.topo': { field: 'container', shape: words(128) },
  'host.groups': { field: 'groups', shape: several(words(120)) },
  'host.notes': { field: 'notes', shape: words(4_000) },
  'user.uid': { field: 'owner', shape: words(120) },
  'user.fn': { field: 'firstName', shape: words(120) },
  'user.ln': { field: 'lastName', shape: words(120) },
  'user.email': { field: 'email', shape: words(254) },
};

export const columnNames = Object.keys(columns);

/** What is wrong with the names that a file uses, if anything is. */
export function faultOfNames(names: readonly string[]): string | undefined {
  const unknown = names.find((name) => !Object.hasOwn(columns, name));
  if (unknown !== undefined)
    return `There is no column ${JSON.stringify(unknown.slice(0, 80))}; the columns are ${columnNames.join(', ')}.`;
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) return `The column ${twice} appears twice.`;
  return names.includes('adap.mac') ? undefined : 'The column adap.mac is missing.';
}

/** Cells are text; lists in them have semicolons between, and a day is as good as an instant. */
function cellValue(shape: Shape, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  switch (shape.kind) {
    case 'list':
      return text
        .split(';')
        .map((item) => item.trim())
        .filter(Boolean);
    case 'integer':
      return /^\d{1,9}$/.test(text) ? Number(text) : text;
    case 'time':
      return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
    case 'choice':
      return text.toUpperCase();
    default:
      return text;
  }
}

/** Reads what a line says, by the names of its columns: the host as it is staged, or what is wrong with it. */
export function readLine(cells: Readonly<Record<string, unknown>>): { host: ImportedHost } | { fault: string } {
  const host: Record<string, unknown> = {};
  for (const [name, cell] of Object.entries(cells)) {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (!column) return { fault: faultOfNames([name])! };
    const text = typeof cell === 'string' ? cell.trim() : cell;
    // An empty cell says nothing.
    if (text === '' || text === null || text === undefined) continue;
    const faults: Fault[] = [];
    const value = checkValue(column.shape, cellValue(column.shape, text), `/${name}`, faults);
    if (faults.length > 0) return { fault: faults[0]!.message };
    if (host[column.field] !== undefined && host[column.field] !== value)
      return { fault: 'host.owner and user.uid name different users; send one of them.' };
    host[column.field] = value;
  }
  return host.mac ? { host: host as unknown as ImportedHost } : { fault: 'adap.mac: this field is required.' };
}
