import { agoWords } from './ago.ts';
import type { Document, Schema } from './document.ts';
import type { ReferenceNames } from './reference-names.ts';
import { isTime, kindOf } from './schema.ts';
import { isObject } from './set.ts';
import { escapedJson, escapeUnsafe } from './text.ts';

/** How values are printed: readable, or as the service sends them. */
export interface Show {
  isRaw: boolean;
  nowMs: number;
  /** Names of referenced records. */
  names?: ReferenceNames | undefined;
}

/** Returns readable values on a terminal, unless raw values are requested. */
export const showFor = (isTerminal: boolean, wantsRaw: boolean, names?: ReferenceNames): Show => ({
  isRaw: wantsRaw || !isTerminal,
  nowMs: Date.now(),
  names,
});

/** The API returns "never" as 1970. */
const neverMs = 0;

/** Formats a value on one line. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? escapedJson(item) : textOf(item))).join(', ');
  return isObject(value) ? escapedJson(value) : escapeUnsafe(String(value));
}

/** Formats a readable value: the word of a numeric code, yes or no, the distance of a time. */
export function displayText(value: unknown, schema: Schema | undefined, document: Document, show: Show): string {
  if (show.isRaw || !schema || value === null || value === undefined) return textOf(value);
  const resolved = document.resolve(schema);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return wordOfCode(value, resolved) ?? textOf(show.names?.of(resolved, value) || value);
  if (typeof value === 'string' && isTime(resolved)) return timeWords(value, show.nowMs);
  if (Array.isArray(value) && resolved.items && kindOf(resolved) === 'array')
    return value.map((item) => displayText(item, resolved.items, document, show)).join(', ');
  return textOf(value);
}

const wordOfCode = (code: number, schema: Schema): string | undefined =>
  schema['x-words']?.[code - (schema.minimum ?? 0)];

function timeWords(text: string, nowMs: number): string {
  const instantMs = Date.parse(text.replace('+0000', 'Z'));
  if (Number.isNaN(instantMs)) return textOf(text);
  return instantMs === neverMs ? 'never' : agoWords(instantMs, nowMs);
}
