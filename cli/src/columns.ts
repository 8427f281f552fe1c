import type { Document, Schema } from './document.ts';
import { suggestion } from './nearest.ts';
import { identityOf, isBookkeeping, isScalar, isTime, kindOf, labelOf } from './schema.ts';
import { UsageError } from './usage-error.ts';

/** One column of a table. */
export interface Column {
  /** Dotted name of the field. */
  path: string;
  isNumber: boolean;
  isTime: boolean;
  /** Worth its place even where every row says the same. */
  isAlways: boolean;
  width: number;
}

/** What the group marked as telling; else identity, place, name and state. Then plain fields, then what is kept about the record. */
export function columnsByWorth(record: Schema | undefined, document: Document): Column[] {
  const names = Object.keys(record?.properties ?? {});
  if (!record || names.length === 0) return [columnAt('value', undefined, document)];
  const schemaOf = (name: string) => document.resolve(record.properties![name]!);
  const marked = record['x-columns'] ?? [];
  const first = marked.length > 0 ? [...marked] : [identityOf(record), 'rank', labelOf(record), 'enabled'];
  // A state in words; one that is a number says little without its meaning.
  if (marked.length === 0 && names.includes('state') && kindOf(schemaOf('state')) === 'string') first.push('state');
  // In the audit log itself, what others keep aside is what it is about.
  const isAudit = isBookkeeping(first[0] ?? '');
  const worth = (name: string): number => {
    if (first.includes(name)) return first.indexOf(name) - first.length;
    return isBookkeeping(name) && !isAudit ? 1 : 0;
  };
  const scalars = names.filter((name) => isScalar(schemaOf(name)));
  return (scalars.length > 2 ? scalars : names)
    .sort((a, b) => worth(a) - worth(b))
    .map((name) => ({ ...columnAt(name, record, document), isAlways: first.includes(name) }));
}

/** The column of a dotted name; one that the record does not have is refused with a guess. */
export function columnAt(path: string, record: Schema | undefined, document: Document): Column {
  let schema: Schema | undefined = record && document.resolve(record);
  for (const step of path.split('.')) {
    if (!schema?.properties) break;
    const next: Schema | undefined = schema.properties[step];
    if (!next) throw new UsageError(`There is no field ${path}.${suggestion(step, Object.keys(schema.properties))}`);
    schema = document.resolve(next);
  }
  const kind = schema ? kindOf(schema) : 'string';
  return {
    path,
    isNumber: kind === 'integer' || kind === 'number',
    isTime: schema !== undefined && isTime(schema),
    isAlways: false,
    width: 0,
  };
}
