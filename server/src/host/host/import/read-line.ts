import { checkValue } from '../../../context.ts';
import type { Shape } from '../../../kernel/declare/shape.ts';
import type { Fault } from '../../../kernel/failure.ts';
import { columnNames, type ImportedHost, importColumns } from './columns.ts';

/** Returns the fault of the column names of a file, or undefined. */
export function faultOfNames(names: readonly string[]): string | undefined {
  const unknown = names.find((name) => !Object.hasOwn(importColumns, name));
  if (unknown !== undefined)
    return `There is no column ${JSON.stringify(unknown.slice(0, 80))}; the columns are ${columnNames.join(', ')}.`;
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) return `The column ${twice} appears twice.`;
  return names.includes('adap.mac') ? undefined : 'The column adap.mac is missing.';
}

/** Converts the text of a cell to the type of its column. Items of lists are separated by semicolons, and a date means its start in UTC. */
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

/** Converts a line to the host as it is staged, or returns the fault of the line. */
export function readLine(cells: Readonly<Record<string, unknown>>): { host: ImportedHost } | { fault: string } {
  const host: Record<string, unknown> = {};
  for (const [name, cell] of Object.entries(cells)) {
    const column = Object.hasOwn(importColumns, name) ? importColumns[name] : undefined;
    if (!column) return { fault: faultOfNames([name])! };
    const text = typeof cell === 'string' ? cell.trim() : cell;
    // An empty cell keeps the stored value.
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
