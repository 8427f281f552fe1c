import { type InputField, isDeepKind } from '../document/group.ts';

/** The entry of a control: text, a checkbox state, or a list of chosen values. Null removes a secret. */
export type Entry = string | boolean | readonly string[] | null;

/** The kind of control for a value. */
export type Control = 'mark' | 'choice' | 'line' | 'lines' | 'reference' | 'references' | 'secret' | 'list' | 'code';

const lineLengthMax = 500;

export function controlOf(field: InputField): Control {
  const { kind, reference, choices, words, items, isSecret, lengthMax } = field;
  if (isSecret) return isDeepKind(kind) || kind === 'list' ? 'code' : 'secret';
  // Without a default, "not set" must be selectable, which a checkbox cannot show.
  if (kind === 'flag') return field.default === undefined ? 'choice' : 'mark';
  if (kind === 'mixed') return 'list';
  if (kind === 'list')
    return isDeepKind(items ?? 'json') || items === 'list' ? 'code' : reference ? 'references' : 'list';
  if (isDeepKind(kind)) return 'code';
  if (choices || words) return 'choice';
  if (reference) return 'reference';
  return (lengthMax ?? 0) > lineLengthMax ? 'lines' : 'line';
}

/** An entry that cannot be converted to a value. */
export class EntryFault extends Error {}

/** Converts a value of a record to the entry of its control. */
export function entryOf(field: InputField, value: unknown): Entry {
  switch (controlOf(field)) {
    case 'mark':
      return (value === undefined ? field.default : value) === true;
    case 'secret':
      return '';
    case 'references':
      return Array.isArray(value) ? value.map(String) : [];
    case 'list':
      return Array.isArray(value)
        ? value.map(String).join('\n')
        : value === undefined || value === null
          ? ''
          : String(value);
    case 'code':
      return value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
    default:
      return value === undefined || value === null ? '' : String(value);
  }
}

/** Converts an entry to the value that is sent. The service validates it, so text that is not a number is sent unchanged. */
export function sentValue(field: InputField, entry: Entry): unknown {
  if (entry === null || typeof entry === 'boolean') return entry;
  if (typeof entry !== 'string') return entry.map((item) => plainValue(field.items ?? 'text', item));
  const control = controlOf(field);
  if (field.kind === 'mixed') return mixedOf(entry);
  if (control === 'list') return linesOf(entry).map((line) => plainValue(field.items ?? 'text', line));
  if (control === 'code') return parsed(field, entry);
  // Secrets and multi-line texts keep their spaces.
  const text = control === 'line' || control === 'reference' || control === 'choice' ? entry.trim() : entry;
  if (text === '') return field.nullable || field.kind !== 'text' ? null : '';
  if (field.kind === 'flag') return text === 'true';
  return field.kind === 'time' ? instantOf(text) : plainValue(field.kind, text);
}

const plainValue = (kind: string, text: string): unknown =>
  (kind === 'integer' || kind === 'decimal') && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** One line is a text, several are a list; a line break after a single line makes it a list too. */
function mixedOf(entry: string): string | string[] | null {
  const lines = linesOf(entry);
  if (lines.length === 0) return null;
  return lines.length > 1 || entry.includes('\n') ? lines : lines[0]!;
}

function parsed(field: InputField, text: string): unknown {
  if (text.trim() === '') return field.nullable || field.kind !== 'list' ? null : [];
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new EntryFault(`Invalid JSON: ${(error as Error).message}`);
  }
}

const lengths: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Converts a relative time such as `+8h` to an instant; other text is returned unchanged. */
function instantOf(text: string): string {
  const [, amount, unit] = /^\+\s*(\d{1,5})\s*([mhd])$/.exec(text) ?? [];
  return amount === undefined ? text : new Date(Date.now() + Number(amount) * lengths[unit!]!).toISOString();
}

/** Compares two entries. */
export const isSameEntry = (first: Entry | undefined, second: Entry | undefined): boolean =>
  Array.isArray(first) && Array.isArray(second)
    ? first.length === second.length && first.every((value, index) => value === second[index])
    : first === second;
