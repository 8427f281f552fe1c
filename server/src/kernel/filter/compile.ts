import type { Visibility } from '../access/visibility.ts';
import type { Parameters } from '../database/parameters.ts';
import { isLog, type Log } from '../declare/declaration.ts';
import type { Lookup } from '../declare/field.ts';
import { quoted, snakeCase } from '../declare/names.ts';
import type { ListShape, Shape } from '../declare/shape.ts';
import { forbidden, invalid } from '../failure.ts';
import { shortened } from '../format/text.ts';
import type { Table } from '../model/model.ts';
import { holdsSecrets } from '../model/nested-secrets.ts';
import { scalarType } from '../model/scalar-type.ts';
import type { Referred, ReferredField, Selectable } from '../model/selectable.ts';
import { isNetworkOrAddress } from '../values/address.ts';
import { readMac, readMacPrefix } from '../values/mac.ts';
import { hintFor } from '../values/nearest.ts';
import { instantOf, logIdAt } from '../values/time.ts';
import { type Filter, type Literal, literalText, type Operator, printable } from './parse.ts';

type Comparison = Extract<Filter, { kind: 'compare' }>;

/**
 * Turns a parsed filter into a condition over the row `r`. Unknown fields and invalid values are faults, never "no
 * match".
 */
export function compileFilter(
  table: Table,
  filter: Filter,
  parameters: Parameters,
  nowMs: number,
  visibility: Visibility,
): string {
  if (filter.kind !== 'compare') {
    const parts = mergedExclusions(table, filter).map((part) =>
      compileFilter(table, part, parameters, nowMs, visibility),
    );
    return `(${parts.join(filter.kind === 'and' ? ' and ' : ' or ')})`;
  }
  if (!isLookup(table, filter)) parameters.compares(table.name, filter.values.length);
  if (filter.field === 'text' && !table.selectables.has('text')) return searchCondition(table, filter, parameters);
  const selectable = selectableFor(table, filter, visibility);
  if (isLog(table.declaration) && filter.field === (table.declaration as Log).timeField)
    return logTimeCondition(table.declaration as Log, filter, parameters, nowMs);
  return condition(selectable, filter, parameters, nowMs);
}

/** True for a search by id, which uses the primary key: no row is compared. */
const isLookup = ({ selectables }: Table, { field, operator }: Comparison): boolean =>
  selectables.get(field)?.sql === 'r.id' && /^(==|=in=)$/.test(operator);

/**
 * Merges exclusions of the same text field into one `=out=`, which lowers the text of a row once instead of once for
 * each exclusion.
 */
function mergedExclusions(table: Table, { kind, parts }: Exclude<Filter, { kind: 'compare' }>): readonly Filter[] {
  if (kind !== 'and') return parts;
  const merged: Filter[] = [];
  const places = new Map<string, number>();
  for (const part of parts) {
    const isExclusion = part.kind === 'compare' && (part.operator === '!=' || part.operator === '=out=');
    if (!isExclusion || table.selectables.get(part.field)?.shape.kind !== 'text') {
      merged.push(part);
      continue;
    }
    const place = places.get(part.field);
    if (place === undefined) places.set(part.field, merged.push(part) - 1);
    else {
      const mergedExclusion = merged[place] as Comparison;
      merged[place] = { ...mergedExclusion, operator: '=out=', values: [...mergedExclusion.values, ...part.values] };
    }
  }
  return merged;
}

function selectableFor(table: Table, comparison: Comparison, visibility: Visibility): Selectable {
  const exact = table.selectables.get(comparison.field);
  if (exact) return exact;
  const referred = table.referred.get(comparison.field);
  if (referred) return referredFor(referred, visibility);
  // A path into a JSON cell: `addGroupList.addGroupName` names a property of a list's items.
  const steps = comparison.field.split('.');
  for (let length = steps.length - 1; length > 0; length--) {
    const outer = table.selectables.get(steps.slice(0, length).join('.'));
    const inner = outer && innerSelectable(outer, steps.slice(length));
    if (inner) return inner;
  }
  const fieldNames = [...table.selectables.keys()].filter((path) => !path.includes('.'));
  const hint = hintFor(comparison.field, 'the fields', fieldNames, table.selectables.keys());
  throw invalid([
    {
      pointer: '?filter',
      message: `filter: there is no field ${shortened(comparison.field)} (character ${comparison.position}); ${hint}`,
    },
  ]);
}

/** Filtering by a field of another record requires the permission to view that record. The table limits its rows. */
function referredFor(referred: ReferredField, visibility: Visibility): Selectable {
  const { declaration } = referred.to;
  if (!visibility.mayView(declaration)) throw forbidden(declaration.permission, 'view');
  return referred;
}

function innerSelectable(outer: Selectable, steps: readonly string[]): Selectable | undefined {
  let shape: Shape = outer.shape;
  if (shape.kind === 'list' && steps.length === 1 && shape.item.kind === 'object') {
    const property = shape.item.properties[steps[0]!];
    // A property of the items of a list: "contains", as for every list.
    if (!property || !isScalar(property) || holdsSecrets(property)) return undefined;
    return {
      path: `${outer.path}.${steps[0]}`,
      sql: outer.sql,
      shape: { ...shape, item: property, innerKey: steps[0] } as ListShape,
    };
  }
  let sql = outer.sql;
  for (const [index, step] of steps.entries()) {
    if (shape.kind === 'map') shape = shape.value;
    else if (shape.kind === 'object' && Object.hasOwn(shape.properties, step)) shape = shape.properties[step]!;
    else return undefined;
    sql = `(${sql} ${index === steps.length - 1 && isScalar(shape) ? '->>' : '->'} '${step.replaceAll("'", "''")}')`;
  }
  if (!isScalar(shape) || holdsSecrets(shape)) return undefined;
  return {
    path: `${outer.path}.${steps.join('.')}`,
    shape: { ...shape, nullable: true },
    sql: `${sql}::${sqlType(shape)}`,
  };
}

const isScalar = (shape: Shape): boolean => scalarType(shape) !== undefined;

const sqlType = (shape: Shape): string => scalarType(shape) ?? 'text';

const symbols: Partial<Record<Operator, string>> = { '>': '>', '>=': '>=', '<': '<', '<=': '<=' };

function condition(selectable: Selectable, comparison: Comparison, parameters: Parameters, nowMs: number): string {
  const { operator, values } = comparison;
  const { shape, sql, path, referred } = selectable;
  if (referred && findsByReference(referred, comparison)) {
    const fits = condition({ path, shape, sql: 'x.value' }, comparison, parameters, nowMs);
    return `${referred.column} in (select x.id from ${referred.rows} where ${fits})`;
  }
  const { lookup, ...plain } = selectable;
  if (lookup && usesLookup(lookup, comparison)) {
    parameters.usesJoins = true;
    const value: Selectable = { path, shape: shape.kind === 'list' ? shape.item : shape, sql: 'x.value' };
    const lookupCondition = `r.id in (select x.id from (${lookup.rows}) x where ${condition(value, comparison, parameters, nowMs)})`;
    return lookup.exact
      ? lookupCondition
      : `(${lookupCondition} and ${condition(plain, comparison, parameters, nowMs)})`;
  }
  if (operator === '=isnull=') return nullCondition(selectable, literalText(values[0]!) === 'true');
  if (shape.kind === 'list') return listCondition(shape, sql, comparison, parameters, nowMs);
  if (shape.kind === 'map' || shape.kind === 'object') {
    throw fault(comparison, `${selectable.path} is an object; use one of its fields, such as object.field`);
  }
  const matches = (literal: Literal) => equals(selectable, literal, comparison, parameters, nowMs);
  // An empty reference is shown as 0, so all other numbers are compared with the bare column.
  const equalsValue = (literal: Literal) =>
    selectable.bare && Number(literalText(literal)) !== 0
      ? equals({ ...selectable, sql: selectable.bare }, literal, comparison, parameters, nowMs)
      : matches(literal);
  // A field that is null equals nothing, so "not equal" is true for it.
  const negated = (inner: string) => (shape.nullable ? `not coalesce(${inner}, false)` : `not (${inner})`);
  switch (operator) {
    case '==':
      return equalsValue(values[0]!);
    case '!=':
      return negated(matches(values[0]!));
    case '=in=':
      return `(${values.map(equalsValue).join(' or ')})`;
    case '=out=':
      return negated(excluded(selectable, values, parameters) ?? `(${values.map(matches).join(' or ')})`);
    default:
      return compare(selectable, comparison, parameters, nowMs);
  }
}

/**
 * True if only rows that refer to a record can match: false for negations, and for a comparison with the empty value.
 */
function findsByReference({ showsEmpty }: Referred, { operator, values }: Comparison): boolean {
  if (operator === '!=' || operator === '=out=' || operator === '=isnull=') return false;
  if (!showsEmpty) return true;
  return (
    (operator === '==' || operator === '=in=') && values.every(({ pieces }) => pieces.some((piece) => piece !== ''))
  );
}

/**
 * True if every match has a row in the lookup table: false for negations, and for the value that rows without a lookup
 * row have.
 */
function usesLookup({ defaultValue }: Lookup, { operator, values }: Comparison): boolean {
  if (operator !== '==' && operator !== '=in=') return false;
  if (defaultValue === undefined) return true;
  return values.every(({ pieces }) => pieces.length === 1 && pieces[0]!.toLowerCase() !== defaultValue.toLowerCase());
}

function equals(
  selectable: Selectable,
  literal: Literal,
  comparison: Comparison,
  parameters: Parameters,
  nowMs: number,
): string {
  const { shape, sql } = selectable;
  const hasWildcard = literal.pieces.length > 1;
  switch (shape.kind) {
    case 'text':
      if (hasWildcard) return `lower(${sql}) like ${lowered(likePattern(literal), parameters)}`;
      return `lower(${sql}) = ${lowered(literal.pieces[0]!, parameters)}`;
    case 'choice': {
      if (hasWildcard) return `lower(${sql}) like ${lowered(likePattern(literal), parameters)}`;
      const word = shape.values.find((value) => value.toLowerCase() === literal.pieces[0]!.toLowerCase());
      if (word === undefined) throw fault(comparison, `expected one of ${shape.values.join(', ')}`);
      return `${sql} = ${parameters.add(word, '::text')}`;
    }
    case 'mac':
      return macCondition(sql, literal, comparison, parameters);
    case 'address': {
      const network = literalText(literal);
      if (!isNetworkOrAddress(network)) throw unfit(comparison, literal, 'neither an address nor a network');
      return network.includes('/')
        ? `${sql} <<= ${parameters.add(network, '::inet')}`
        : `${sql} = ${parameters.add(network, '::inet')}`;
    }
    case 'network':
      return `${sql} <<= ${parameters.add(scalar(shape, literal, comparison, nowMs), '::inet')}`;
    default:
      return `${sql} = ${parameters.add(scalar(shape, literal, comparison, nowMs), `::${sqlType(shape)}`)}`;
  }
}

/**
 * Returns a condition for any of several texts, which lowers the text of the row once. No index serves it, so only
 * exclusions use it.
 */
function excluded({ shape, sql }: Selectable, values: readonly Literal[], parameters: Parameters): string | undefined {
  if (shape.kind !== 'text' || values.length < 2) return undefined;
  return `lower(${sql}) like any (array[${values.map((value) => lowered(likePattern(value), parameters)).join(', ')}])`;
}

function compare(selectable: Selectable, comparison: Comparison, parameters: Parameters, nowMs: number): string {
  const { shape, sql } = selectable;
  const symbol = symbols[comparison.operator]!;
  const literal = comparison.values[0]!;
  if (shape.kind === 'flag') throw fault(comparison, 'true and false have no order; use == or !=');
  if (shape.kind === 'text' || shape.kind === 'choice') {
    return `lower(${sql}) ${symbol} ${lowered(literalText(literal), parameters)}`;
  }
  return `${sql} ${symbol} ${parameters.add(scalar(shape, literal, comparison, nowMs), `::${sqlType(shape)}`)}`;
}

/** Accepts any notation of an address, its first digits with a star after them, or the prefix of a vendor. */
function macCondition(sql: string, literal: Literal, comparison: Comparison, parameters: Parameters): string {
  const [start, rest, ...furtherPieces] = literal.pieces;
  const isPrefix = (rest === '' && furtherPieces.length === 0) || (rest === undefined && isVendorPrefix(start!));
  const mac = isPrefix ? readMacPrefix(start!) : rest === undefined ? readMac(start!) : undefined;
  if (mac === undefined)
    throw unfit(comparison, literal, 'neither a MAC address nor the beginning of one followed by a star');
  if (!isPrefix) return `${sql} = ${parameters.add(mac, '::text')}`;
  // A range, which an ordinary index serves: no hexadecimal digit sorts after F.
  return `(${sql} >= ${parameters.add(mac, '::text')} and ${sql} < ${parameters.add(`${mac}G`, '::text')})`;
}

/** 24, 28 or 36 bits: the lengths of the prefixes that the IEEE assigns. */
const isVendorPrefix = (text: string): boolean =>
  [6, 7, 9].includes(text.replace(/[^0-9a-f]/gi, '').length) && readMacPrefix(text) !== undefined;

/** Returns the condition for a list: it matches if it contains the value. */
function listCondition(
  shape: ListShape & { innerKey?: string },
  sql: string,
  comparison: Comparison,
  parameters: Parameters,
  nowMs: number,
): string {
  if (!isScalar(shape.item)) throw fault(comparison, 'use a field of the list items, such as list.field');
  if (symbols[comparison.operator]) throw fault(comparison, 'a list has no order; use ==, !=, =in= or =out=');
  const cell = shape.innerKey ? `(i.cell ->> '${shape.innerKey.replaceAll("'", "''")}')` : `(i.cell #>> '{}')`;
  const item: Selectable = {
    path: comparison.field,
    shape: { ...shape.item, nullable: false },
    sql: `${cell}::${sqlType(shape.item)}`,
  };
  const contains = (values: readonly Literal[]) => {
    const any = values.map((value) => equals(item, value, comparison, parameters, nowMs)).join(' or ');
    return `exists (select from jsonb_array_elements(to_jsonb(${sql})) i(cell) where ${any})`;
  };
  const negative = comparison.operator === '!=' || comparison.operator === '=out=';
  return negative ? `not ${contains(comparison.values)}` : contains(comparison.values);
}

/** Returns the condition for null; for a field that is never null, null means its empty value. */
function nullCondition({ shape, sql }: Selectable, isNull: boolean): string {
  const not = isNull ? '' : 'not ';
  if (shape.nullable) return `${sql} is ${not}null`;
  switch (shape.kind) {
    case 'text':
    case 'mac':
    case 'choice':
      return `${not}(${sql} = '')`;
    case 'integer':
    case 'decimal':
      return `${not}(${sql} = 0)`;
    case 'flag':
      return `${not}(${sql} = false)`;
    case 'time':
      return `${not}(${sql} = 'epoch'::timestamptz)`;
    case 'list':
      return `${not}(to_jsonb(${sql}) = '[]'::jsonb)`;
    case 'map':
      return `${not}(to_jsonb(${sql}) = '{}'::jsonb)`;
    default:
      return `${not}(${sql} is null)`;
  }
}

/**
 * The id of a log row contains its time, so a bound on the time becomes a bound on the key, which prunes partitions.
 */
function logTimeCondition(
  { closedBy, openRows }: Log,
  comparison: Comparison,
  parameters: Parameters,
  nowMs: number,
): string {
  const bound = (literal: Literal, offsetMs: 0 | 1) =>
    parameters.add(logIdAt(instant(literal, comparison, nowMs) + offsetMs), '::bigint');
  const before = (literal: Literal, offsetMs: 0 | 1) => `r.id < ${bound(literal, offsetMs)}`;
  // Logs with slices by the end of a row are pruned too: a row cannot end before it began.
  const since = (literal: Literal, offsetMs: 0 | 1) => {
    const id = bound(literal, offsetMs);
    if (!closedBy) return `r.id >= ${id}`;
    const end = `r.${quoted(snakeCase(closedBy))}`;
    return `(r.id >= ${id} and ${openRows ? `(${end} >= log_time(${id}) or ${end} is null)` : `${end} >= log_time(${id})`})`;
  };
  const first = comparison.values[0]!;
  const equalsInstant = (literal: Literal) => `(${since(literal, 0)} and ${before(literal, 1)})`;
  switch (comparison.operator) {
    case '>=':
      return since(first, 0);
    case '>':
      return since(first, 1);
    case '<':
      return before(first, 0);
    case '<=':
      return before(first, 1);
    case '==':
      return equalsInstant(first);
    case '!=':
      return `not ${equalsInstant(first)}`;
    case '=in=':
      return `(${comparison.values.map(equalsInstant).join(' or ')})`;
    case '=out=':
      return `not (${comparison.values.map(equalsInstant).join(' or ')})`;
    case '=isnull=':
      return literalText(first) === 'true' ? 'false' : 'true';
  }
}

/** `text==foo` searches all search fields, for a part of their text unless the value contains stars. */
function searchCondition(table: Table, comparison: Comparison, parameters: Parameters): string {
  const fields = [...table.fields].filter(([, field]) => field.search).map(([name]) => table.selectables.get(name)!);
  if (fields.length === 0)
    throw fault(comparison, 'these records have no search fields; use a field name instead of text');
  if (comparison.operator !== '==' && comparison.operator !== '!=') throw fault(comparison, 'use == or != with text');
  const literal = comparison.values[0]!;
  const wide = literal.pieces.length > 1 ? literal : { ...literal, pieces: ['', ...literal.pieces, ''] };
  const pattern = lowered(likePattern(wide), parameters);
  const any = fields.map((field) => `lower(${field.sql}) like ${pattern}`).join(' or ');
  // A comparison with null is null, which `coalesce` makes false; the positive form has none, so that an index can
  // serve it.
  return comparison.operator === '==' ? `(${any})` : `not coalesce(${any}, false)`;
}

/** Converts a text to a value of a shape, or returns why it is not one: "not a number". */
export function readScalar(shape: Shape, text: string, nowMs: number): { value: unknown } | { fault: string } {
  switch (shape.kind) {
    case 'integer':
      if (/^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))) return { value: Number(text) };
      return { fault: /^-?\d+$/.test(text) ? 'beyond 2^53 - 1' : 'not a whole number' };
    case 'decimal':
      return /^-?\d{1,16}(\.\d{1,16})?$/.test(text) ? { value: Number(text) } : { fault: 'not a number' };
    case 'flag':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { fault: 'neither true nor false' };
    case 'time': {
      const ms = instantAt(text, nowMs);
      return ms === undefined ? { fault: notTime } : { value: new Date(ms).toISOString() };
    }
    case 'address':
    case 'network':
      return isNetworkOrAddress(text) ? { value: text } : { fault: 'neither an address nor a network' };
    default:
      return { value: text };
  }
}

function scalar(shape: Shape, literal: Literal, comparison: Comparison, nowMs: number): unknown {
  const scalarResult = readScalar(shape, literalText(literal), nowMs);
  if ('fault' in scalarResult) throw unfit(comparison, literal, scalarResult.fault);
  return scalarResult.value;
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The years 1 to 9999, which both this code and PostgreSQL can write. */
const instantMin = -62_135_596_800_000;
const instantMax = Date.UTC(9999, 11, 31);

const notTime = 'not a valid time; write 2026-01-31T08:15:30Z, epoch milliseconds, now or -24h';

/** Reads ISO 8601, epoch milliseconds, `now`, or a time relative to now: `-24h`. */
function instantAt(text: string, nowMs: number): number | undefined {
  if (text === 'now') return nowMs;
  const relative = /^([+-]\d{1,9})([smhdw])$/.exec(text);
  const ms = relative
    ? nowMs + Number(relative[1]) * units[relative[2]!]!
    : /^\d{1,15}$/.test(text)
      ? Number(text)
      : instantOf(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  return ms === undefined || ms < instantMin || ms > instantMax ? undefined : ms;
}

function instant(literal: Literal, comparison: Comparison, nowMs: number): number {
  const ms = instantAt(literalText(literal), nowMs);
  if (ms === undefined) throw unfit(comparison, literal, notTime);
  return ms;
}

/**
 * PostgreSQL lowers both sides: its `lower()` and that of JavaScript disagree about İ and Σ, so that a text would not
 * equal itself.
 */
const lowered = (text: string, parameters: Parameters): string => `lower(${parameters.add(text, '::text')})`;

const likePattern = (literal: Literal): string =>
  literal.pieces.map((piece) => piece.replace(/[\\%_]/g, '\\$&')).join('%');

const fault = (comparison: Comparison, what: string) =>
  invalid([
    { pointer: '?filter', message: `filter: ${comparison.field} (character ${comparison.position}): ${what}.` },
  ]);

const unfit = (comparison: Comparison, literal: Literal, what: string) =>
  fault(comparison, `${shortened(printable(literalText(literal)))} is ${what}`);
