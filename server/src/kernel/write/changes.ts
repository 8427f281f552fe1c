import { isDeepStrictEqual } from 'node:util';
import { secretMask } from '../inner-secrets.ts';
import type { Table } from '../model.ts';
import type { RecordValue } from '../read/select.ts';
import type { FieldChange } from './sinks.ts';

const textMax = 2_000;
const summaryLines = 4;
const entriesMax = 100;

export const same = isDeepStrictEqual;

/** The configured fields that differ between two states of a record, both sides as text. */
export function fieldChanges(
  table: Table,
  before: RecordValue | undefined,
  after: RecordValue | undefined,
  sent: Readonly<RecordValue>,
  resealed: ReadonlyMap<string, unknown> = new Map(),
): FieldChange[] {
  const changes: FieldChange[] = [];
  // A secret inside that is all that changed looks the same on both sides.
  const differs = (field: string) => resealed.has(field) || !same(before?.[field] ?? null, after?.[field] ?? null);
  for (const [field, { access, audited, stored, reference, shape }] of table.fields) {
    if (access === 'secret') {
      // Only that it was set or cleared is known here; absent and null keep it.
      if (typeof sent[field] === 'string')
        changes.push({ field, before: before ? secretMask : null, after: sent[field] === '' ? '' : secretMask });
    } else if ((access === 'write' || audited) && (stored || reference) && differs(field)) {
      if (shape.kind === 'map') changes.push(...entryChanges(field, before?.[field], after?.[field]));
      else changes.push({ field, before: shown(before?.[field]), after: shown(after?.[field]) });
    }
  }
  return changes;
}

/** The entries of a map that differ, each by itself: in one text a reader would have to look for them. */
function entryChanges(field: string, before: unknown, after: unknown): FieldChange[] {
  // Without a prototype: a map may have an entry called `constructor`, and the other side of the change none.
  const [was, is] = [before, after].map((map) => Object.assign(Object.create(null), map) as RecordValue) as [
    RecordValue,
    RecordValue,
  ];
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((key) => !same(was[key], is[key]));
  if (keys.length > entriesMax) return [{ field, before: shown(before), after: shown(after) }];
  return keys.map((key) => ({
    field: `${field}.${key}`.slice(0, 200),
    before: shown(was[key]),
    after: shown(is[key]),
  }));
}

const shown = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > textMax ? `${text.slice(0, textMax - 1)}…` : text;
};

/** At most four lines `field: old → new`, for people who skim. */
export function summaryOf(changes: readonly FieldChange[]): string {
  const brief = (text: string | null) =>
    text === null ? 'nothing' : text.length > 80 ? `${text.slice(0, 79)}…` : text;
  const lines = changes
    .slice(0, summaryLines)
    .map(({ field, before, after }) => `${field}: ${brief(before)} → ${brief(after)}`);
  if (changes.length > summaryLines) lines[summaryLines - 1] = `and ${changes.length - summaryLines + 1} more fields`;
  return lines.join('\n');
}
