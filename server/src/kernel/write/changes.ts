import { isDeepStrictEqual } from 'node:util';
import type { AuditAction, AuditEntry, FieldChange } from '../declare/audit-entry.ts';
import type { Collection } from '../declare/declaration.ts';
import type { ChangeEvents, EventEntry } from '../declare/event-type.ts';
import type { Table } from '../model/model.ts';
import { secretMask } from '../model/nested-secrets.ts';
import type { RecordValue } from '../read/select.ts';
import type { Tx } from './engine.ts';

const textMax = 2_000;
const summaryLines = 4;
const entriesMax = 100;
const nameMax = 300;

export const same = isDeepStrictEqual;

/** Returns the configured fields that differ between two states of a record, with both values as text. */
export function fieldChanges(
  table: Table,
  before: RecordValue | undefined,
  after: RecordValue | undefined,
  input: Readonly<RecordValue>,
  resealed: ReadonlyMap<string, unknown> = new Map(),
): FieldChange[] {
  const changes: FieldChange[] = [];
  // If only a secret inside the value changed, both sides are equal in text.
  const differs = (field: string) => resealed.has(field) || !same(before?.[field] ?? null, after?.[field] ?? null);
  for (const [field, { access, audited, stored, reference, shape }] of table.fields) {
    if (access === 'secret') {
      // Only setting and clearing are visible here; absent and null keep the secret.
      if (typeof input[field] === 'string')
        changes.push({ field, before: before ? secretMask : null, after: input[field] === '' ? '' : secretMask });
    } else if ((access === 'write' || audited) && (stored || reference) && differs(field)) {
      if (shape.kind === 'map') changes.push(...entryChanges(field, before?.[field], after?.[field]));
      else changes.push({ field, before: shown(before?.[field]), after: shown(after?.[field]) });
    }
  }
  return changes;
}

/** Returns each changed entry of a map separately, so that readers need not search one long text. */
function entryChanges(field: string, before: unknown, after: unknown): FieldChange[] {
  // Without a prototype: a map may have an entry called `constructor`, and the other side of the change none.
  const [previousMap, currentMap] = [before, after].map(
    (map) => Object.assign(Object.create(null), map) as RecordValue,
  ) as [RecordValue, RecordValue];
  const keys = [...new Set([...Object.keys(previousMap), ...Object.keys(currentMap)])].filter(
    (key) => !same(previousMap[key], currentMap[key]),
  );
  if (keys.length > entriesMax) return [{ field, before: shown(before), after: shown(after) }];
  return keys.map((key) => ({
    field: `${field}.${key}`.slice(0, 200),
    before: shown(previousMap[key]),
    after: shown(currentMap[key]),
  }));
}

const shown = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > textMax ? `${text.slice(0, textMax - 1)}…` : text;
};

/** Returns a summary of at most four lines `field: old → new`. */
export function summaryOf(changes: readonly FieldChange[]): string {
  const brief = (text: string | null) =>
    text === null ? 'nothing' : text.length > 80 ? `${text.slice(0, 79)}…` : text;
  const lines = changes
    .slice(0, summaryLines)
    .map(({ field, before, after }) => `${field}: ${brief(before)} → ${brief(after)}`);
  if (changes.length > summaryLines) lines[summaryLines - 1] = `and ${changes.length - summaryLines + 1} more fields`;
  return lines.join('\n');
}

/** A change, as stored in the audit log and as an event. */
interface WrittenChange {
  id: number;
  /** The id of the audit row that the record itself stores. */
  auditId?: number;
  record: RecordValue;
  changes: readonly FieldChange[];
}

/** Writes the audit rows and the events of a change. */
export async function writeChanges(
  { client, origin, engine }: Tx,
  table: Table,
  action: AuditAction,
  happened: keyof ChangeEvents,
  writtenChanges: readonly WrittenChange[],
): Promise<void> {
  const { declaration } = table as Table & { declaration: Collection };
  const type = table.changes![happened]!;
  const audits: AuditEntry[] = [];
  const events: EventEntry[] = [];
  for (const { id, auditId, record, changes } of writtenChanges) {
    const recordName = nameOfRecord(declaration, record);
    const summary = summaryOf(changes);
    audits.push({
      ...(auditId !== undefined && { auditId }),
      action,
      table: table.name,
      recordId: id,
      recordName,
      eventTag: type.name,
      summary,
      changes,
    });
    events.push({
      type,
      element: { id, name: recordName },
      ...macOf(declaration, record),
      message: `${action} ${recordName} by ${origin.user}${summary ? `: ${summary.replaceAll('\n', '; ')}` : ''}`,
    });
  }
  await engine.sinks.audit(client, origin, audits);
  await engine.sinks.events(client, origin, events);
}

/** Writes an audit row for each record that an action was executed on, other than changes of the record itself. */
export async function auditExecuted(
  { client, origin, engine }: Tx,
  collection: Pick<Collection, 'name'>,
  records: readonly { id: number; name: string }[],
  summary: string,
): Promise<void> {
  const { name: table } = engine.model.byName(collection.name);
  const entries = records.map(
    ({ id, name }): AuditEntry => ({
      action: 'EXECUTE',
      table,
      recordId: id,
      recordName: name.slice(0, nameMax),
      eventTag: '',
      summary,
      changes: [],
    }),
  );
  await engine.sinks.audit(client, origin, entries);
}

const macOf = ({ events: { mac } }: Collection, record: RecordValue) =>
  mac !== undefined && record[mac] ? { mac: String(record[mac]) } : {};

/** Returns the name of a record in audit rows and events. */
function nameOfRecord(declaration: Collection, record: RecordValue): string {
  const { single, title, label, fallbackLabel: otherLabel, labelPrefix } = declaration;
  if (single) return title;
  const name = String(record[label] || (otherLabel && record[otherLabel]) || '');
  return (labelPrefix ? `${record[labelPrefix]} ${name}` : name).slice(0, nameMax);
}
