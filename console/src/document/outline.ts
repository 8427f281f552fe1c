import { labelOf } from '@portreeve/server/kernel/documents/label.ts';
import { type Schedule, scheduleWords } from './schedule.ts';
import { markHidden } from './value.ts';

/** What a part of a value is called, and what it says, itself or by parts of its own. */
export interface Part {
  label: string;
  text: string;
  parts: readonly Part[];
}

type Keyed = Readonly<Record<string, unknown>>;

/** What a line does not hold: an object, or a list of them. */
export const hasParts = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && (!Array.isArray(value) || value.some((entry) => hasParts(entry)));

/** A value with parts as people read it: what says nothing is left out, and an entry that is alone has no number. */
export function outlineOf(value: unknown): Part[] {
  if (Array.isArray(value) && value.length === 1 && hasParts(value[0]) && !isPair(value[0])) return outlineOf(value[0]);
  if (Array.isArray(value)) return value.flatMap((entry, index) => entryOf(`${index + 1}`, entry));
  return Object.entries(value as Keyed).flatMap(([name, part]) => partsOf(markHidden(labelOf(name)), part));
}

/** An entry of a list; one without parts of parts is a line. */
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

/** What fits into one line, which may be empty; undefined: it does not. */
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

/** A property that somebody has named. */
const isPair = (value: unknown): value is { name: string; value: unknown } => {
  const names = Object.keys(value as Keyed);
  return names.length === 2 && typeof (value as Keyed).name === 'string' && 'value' in (value as Keyed);
};
