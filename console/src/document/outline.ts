import { labelOf } from '@portreeve/server/kernel/documents/label.ts';
import { type Schedule, scheduleWords } from './schedule.ts';
import { markHidden } from './value.ts';

/** An entry of an outline: a label with a text or with nested entries. */
export interface Part {
  label: string;
  text: string;
  parts: readonly Part[];
}

type Keyed = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object or contains objects, so that it does not fit into one line. */
export const hasParts = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && (!Array.isArray(value) || value.some((entry) => hasParts(entry)));

/** Converts a structured value to an outline. Empty values are omitted, and a single list entry has no number. */
export function outlineOf(value: unknown): Part[] {
  if (Array.isArray(value) && value.length === 1 && hasParts(value[0]) && !isPair(value[0])) return outlineOf(value[0]);
  if (Array.isArray(value)) return value.flatMap((entry, index) => entryOf(`${index + 1}`, entry));
  return Object.entries(value as Keyed).flatMap(([name, part]) => partsOf(markHidden(labelOf(name)), part));
}

/** Converts a list entry; an entry without deeper levels becomes one line. */
function entryOf(label: string, value: unknown): Part[] {
  const parts = partsOf(label, value);
  const [{ label: entryLabel, parts: inner } = { label, parts: [] }] = parts;
  if (inner.length === 0 || inner.some((part) => part.parts.length > 0)) return parts;
  return [{ label: entryLabel, text: inner.map((part) => `${part.label} ${part.text}`).join(' · '), parts: [] }];
}

function partsOf(label: string, value: unknown): Part[] {
  const line = lineOf(value);
  if (line !== undefined) return line === '' ? [] : [{ label, text: line, parts: [] }];
  if (isPair(value)) return partsOf(markHidden(value.name), value.value);
  const parts = outlineOf(value);
  return parts.length === 0 ? [] : [{ label, text: '', parts }];
}

/** Formats a value in one line, possibly empty; undefined if it does not fit. */
function lineOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return markHidden(String(value));
  if (Array.isArray(value)) {
    const lines = value.map((entry) => (typeof entry === 'object' && entry !== null ? undefined : lineOf(entry)));
    return lines.includes(undefined) ? undefined : lines.join(', ');
  }
  return isSchedule(value) ? scheduleWords(value) : undefined;
}

const isSchedule = (value: object): value is Schedule => 'alwaysOn' in value && 'daysOfWeek' in value;

/** Returns whether a value is a pair of name and value. */
const isPair = (value: unknown): value is { name: string; value: unknown } => {
  const names = Object.keys(value as Keyed);
  return names.length === 2 && typeof (value as Keyed).name === 'string' && 'value' in (value as Keyed);
};
