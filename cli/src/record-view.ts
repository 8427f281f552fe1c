import type { Document, Schema } from './document.ts';
import { line, type Pen } from './output.ts';
import type { ReferenceNames } from './reference-names.ts';
import { isBookkeeping, isTime, renamedIdentity, wordsFor } from './schema.ts';
import { isObject, type JsonObject } from './set.ts';
import { displayText, type Show, showFor, textOf } from './shown-value.ts';
import { escapeUnsafe, fill, widthOf, wrap } from './text.ts';

const indent = '  ';

interface RecordOptions {
  /** Prints the meaning of each field. */
  explain?: boolean;
  /** Prints values as the service sends them, also on a terminal. */
  isRaw?: boolean;
  /** Adds the names of referenced records. */
  names?: ReferenceNames;
}

/** Settings for the lines of a record. */
interface View {
  pen: Pen;
  document: Document;
  explain: boolean;
  show: Show;
}

/** Prints a record as lines of `field: value`, optionally with the meaning of each field. Lines of multi-line text are marked, so that none looks like a field. */
export async function printRecord(
  pen: Pen,
  record: unknown,
  schema: Schema | undefined,
  document: Document,
  { explain = false, isRaw = false, names }: RecordOptions = {},
): Promise<void> {
  if (!isObject(record)) return line(pen, textOf(record));
  const view = { pen, document, explain, show: showFor(pen.isTerminal, isRaw, names) };
  if (!view.show.isRaw) await names?.load([record], schema, Object.keys(record), document);
  const [renamedRecord, namedSchema] = namedIdentity(record, schema);
  for (const textLine of linesOf(view, renamedRecord, namedSchema, '')) await line(pen, textLine);
}

/** Returns the record and its schema with the identity field renamed to `id`. */
function namedIdentity(record: JsonObject, schema: Schema | undefined): [JsonObject, Schema | undefined] {
  const identity = renamedIdentity(schema);
  const properties = schema?.properties;
  if (identity === undefined || !properties || !(identity in record)) return [record, schema];
  const rename = <T>(object: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name === identity ? 'id' : name, value]));
  return [rename(record), { ...schema, properties: rename(properties) }];
}

function* linesOf(view: View, record: JsonObject, schema: Schema | undefined, margin: string): Generator<string> {
  const { pen, document, explain } = view;
  const width = Math.max(0, ...Object.keys(record).map((name) => widthOf(escapeUnsafe(name)) + 1));
  for (const [name, value] of Object.entries(record)) {
    const property = schema?.properties?.[name];
    const field = property && document.resolve(property);
    const head = margin + pen.style('bold', fill(`${escapeUnsafe(name)}:`, width));
    const inner = explain || !isAside(name, value) ? nested(value) : undefined;
    const text = typeof value === 'string' && value.includes('\n') ? value.trimEnd().split('\n') : [];
    const isBelow = inner !== undefined || text.length > 0;
    yield isBelow
      ? `${margin}${pen.style('bold', `${escapeUnsafe(name)}:`)}`
      : `${head} ${shown(view, value, field)}`.trimEnd();
    for (const textLine of text) yield `${margin}${indent}| ${escapeUnsafe(textLine)}`.trimEnd();
    if (explain && field) yield* docLines(pen, field, document, margin);
    for (const [position, item] of inner?.entries() ?? []) {
      const isListed = Array.isArray(value);
      const items = [...linesOf(view, item, isListed ? itemOf(field, document) : field, '')];
      for (const [index, itemLine] of items.entries())
        yield `${margin}${indent}${isListed ? (index === 0 ? `${position + 1}. ` : '   ') : ''}${itemLine}`;
    }
  }
}

const itemOf = (field: Schema | undefined, document: Document): Schema | undefined =>
  field?.items && document.resolve(field.items);

/** Returns nested objects that are printed on separate lines. */
function nested(value: unknown): JsonObject[] | undefined {
  if (isObject(value)) return Object.keys(value).length > 0 ? [value] : undefined;
  const isListOfObjects = Array.isArray(value) && value.length > 0 && value.every(isObject);
  return isListOfObjects ? (value as JsonObject[]) : undefined;
}

/** Returns whether a value is shortened: audit fields and empty events; `--explain` and `--json` show them in full. */
const isAside = (name: string, value: unknown): boolean =>
  isObject(value) && (isBookkeeping(name) || value.empty === true);

function asideWords(value: JsonObject): string {
  if (value.empty === true) return 'never';
  return Object.keys(value).length === 0 ? 'empty' : '…';
}

/** Formats a value; a time is followed by its distance from now, and a reference by its name. */
function shown({ pen, document, show }: View, value: unknown, field: Schema | undefined): string {
  if (value === null || value === undefined) return pen.style('dim', 'null');
  if (Array.isArray(value) && value.length === 0) return pen.style('dim', 'none');
  if (isObject(value)) return pen.style('dim', asideWords(value));
  const words = displayText(value, field, document, show);
  const isDistance = !show.isRaw && field && isTime(field) && words !== 'never';
  const isName = !show.isRaw && typeof value === 'number' && show.names?.of(field, value);
  return isDistance || isName ? `${textOf(value)} ${pen.style('dim', `(${words})`)}` : words;
}

function* docLines(pen: Pen, field: Schema, document: Document, margin: string): Generator<string> {
  const words = [field.description, `(${wordsFor(field, document)})`].filter(Boolean).join(' ');
  for (const textLine of wrap(words, (pen.width ?? 100) - 6 - margin.length))
    yield `${margin}    ${pen.style('dim', textLine)}`;
}
