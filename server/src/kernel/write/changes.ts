import { isDeepStrictEqual } from 'node:util';
import type { Table } from '../model.ts';
import type { RecordValue } from '../read/select.ts';
import type { FieldChange } from './sinks.ts';

const textMax = 2_000;
const summaryLines = 4;

/** What a secret is in an audit row. */
const masked = '•••';

export const same = isDeepStrictEqual;

/** The configured fields that differ between two states of a record, both sides as text. */
export function fieldChanges(
  table: Table,
  before: RecordValue | undefined,
  after: RecordValue | undefined,
  sent: Readonly<RecordValue>,
): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const [field, { access, stored, reference }] of table.fields) {
    if (access === 'secret') {
      // Only that it was set or cleared is known here; absent and null keep it.
      if (typeof sent[field] === 'string')
        changes.push({ field, before: before ? masked : null, after: sent[field] === '' ? '' : masked });
    } else if (access === 'write' && (stored || reference) && !same(before?.[field], after?.[field])) {
      changes.push({ field, before: shown(before?.[field]), after: shown(after?.[field]) });
    }
  }
  return changes;
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
