import type { Shape } from '../../../src/kernel/declare/shape.ts';
import { filterLimits } from '../../../src/kernel/filter/parse.ts';
import type { Model, Table } from '../../../src/kernel/model/model.ts';
import type { Draw } from './draw.ts';

/** Names that filters can contain: the fields of one table with their shapes, and names of other tables. */
export interface Vocabulary {
  own: readonly Word[];
  foreign: readonly string[];
}

interface Word {
  field: string;
  shape: Shape;
}

export function vocabularyOf(model: Model, table: Table): Vocabulary {
  const ownWords = wordsOf(table);
  const ownFields = new Set(ownWords.map(({ field }) => field));
  const allFields = model.tables.flatMap((otherTable) => wordsOf(otherTable).map(({ field }) => field));
  return {
    own: ownWords,
    foreign: [...new Set(allFields)].filter((field) => !ownFields.has(field)).concat(neverFields),
  };
}

const neverFields = [
  'constructor',
  '__proto__',
  'toString',
  'a.b.c',
  'id;drop',
  'x'.repeat(300),
  '.',
  'a..b',
  '-',
  '9',
];

/** Returns the fields, including inner fields of lists, objects and maps: `addGroupList.addGroupName`. */
function wordsOf(table: Table): Word[] {
  const fieldWords = [...table.selectables.values()].flatMap(({ path, shape }) => [
    { field: path, shape },
    ...innerWords(path, shape),
  ]);
  const searched: Word = { field: 'text', shape: { kind: 'text', max: 100 } };
  return [searched, ...fieldWords, ...[...table.referred.values()].map(({ path, shape }) => ({ field: path, shape }))];
}

function innerWords(path: string, shape: Shape): Word[] {
  if (shape.kind === 'list') return innerWords(path, shape.item);
  if (shape.kind === 'map')
    return (shape.keys ?? ['key']).slice(0, 3).flatMap((key) => innerWords(`${path}.${key}`, shape.value));
  if (shape.kind !== 'object') return [];
  return Object.entries(shape.properties).flatMap(([name, inner]) => [
    { field: `${path}.${name}`, shape: inner },
    ...innerWords(`${path}.${name}`, inner),
  ]);
}

/**
 * Returns the elements of one `filter` parameter: meaningful, only grammatical, grammatical with changes, or arbitrary
 * text.
 */
export function drawFilter(draw: Draw, words: Vocabulary): string[] {
  const kind = draw.below(10);
  const elements = draw.chance(0.01) ? draw.between(10, filterLimits.elements + 2) : draw.between(1, 2);
  return draw.times(elements, () => {
    if (kind < 6) return expression(draw, words, kind < 4, 0);
    if (kind < 8) return draw.mutated(expression(draw, words, true, 0));
    return kind === 8 ? draw.oddText() : draw.bytes(draw.between(0, 60)).toString('latin1');
  });
}

const operators = ['==', '!=', '>', '>=', '<', '<=', '=gt=', '=ge=', '=lt=', '=le='];
const lists = ['=in=', '=out='];

function expression(draw: Draw, words: Vocabulary, isSensible: boolean, depth: number): string {
  const parts = draw.times(draw.few(filterLimits.comparisons + 2), () =>
    depth <= filterLimits.depth && draw.chance(draw.chance(0.02) ? 0.9 : 0.2)
      ? `(${expression(draw, words, isSensible, depth + 1)})`
      : comparison(draw, words, isSensible),
  );
  return parts.reduce((all, part) => all + draw.pick([';', ',', ' ; ', ' ,']) + part);
}

function comparison(draw: Draw, words: Vocabulary, isSensible: boolean): string {
  const word = draw.pick(words.own);
  const field = !isSensible && draw.chance(0.05) ? draw.pick(words.foreign) : word.field;
  const kind = draw.below(10);
  if (kind === 0) return `${field}=isnull=${draw.pick(['true', 'false'])}`;
  const value = () => (isSensible ? fitting(draw, word.shape) : literal(draw, draw.pick(words.own).shape));
  if (kind < 3 && field !== 'text')
    return `${field}${draw.pick(lists)}(${draw.times(draw.few(filterLimits.values + 2), value).join(',')})`;
  const isOrdered = !isSensible || (field !== 'text' && !['flag', 'list', 'object', 'map'].includes(word.shape.kind));
  return `${field}${draw.pick(isOrdered ? operators : operators.slice(0, 2))}${value()}`;
}

/** Returns a value that the field can be compared with. */
function fitting(draw: Draw, shape: Shape): string {
  switch (shape.kind) {
    case 'integer':
      return draw.pick(['0', '1', '-1', '2147483648', '9007199254740991', '-9007199254740991', '00']);
    case 'time':
      return draw.pick([
        'now',
        '-24h',
        '+52w',
        '2026-01-31',
        '2026-01-31T08:15:30.123Z',
        '2026-01-31T08:15 01:00',
        '0',
        '0001-01-01',
      ]);
    case 'list':
      return fitting(draw, shape.item);
    default:
      return literal(draw, shape);
  }
}

/** Returns a value of the kind in the syntax of the grammar; some are outside the range of the field. */
function literal(draw: Draw, shape: Shape): string {
  switch (shape.kind) {
    case 'integer':
    case 'decimal':
      return draw.pick(['0', '-7', '1.5', '9007199254740993', '1e3', '-', '0.12345678901234567']);
    case 'flag':
      return draw.pick(['true', 'false']);
    case 'time':
      return draw.pick(['+999999999w', '999999999999999', '9999-12-31T23:59:59Z', '2026-02-30', '0000-01-01', '-1']);
    case 'choice':
      return draw.chance(0.9) ? draw.pick(shape.values) : `${draw.pick(shape.values).slice(0, 2)}*`;
    case 'address':
    case 'network':
      return draw.pick([
        '192.0.2.1',
        '192.0.2.0/24',
        '0.0.0.0/0',
        '::',
        'fe80::1',
        '2001:db8::/32',
        '::ffff:192.0.2.1',
      ]);
    case 'mac':
      return draw.pick([
        '00:1A:2B:3C:4D:5E',
        '001a.2b3c.4d5e',
        '00-1a-2b-3c-4d-5e',
        '00:1A:*',
        '001a2b*',
        '001A2B3C4D5E',
      ]);
    case 'list':
      return literal(draw, shape.item);
    default:
      return draw.pick([
        () => 'core',
        () => 'core-*',
        () => '*',
        () => '""',
        () => 'a\\*b',
        () => `"${quotable(draw.oddText())}"`,
        () => `'${quotable(draw.oddText())}'`,
        () => `"${'*a'.repeat(draw.few(200))}"`,
        () => '%',
        () => '\\\\',
      ])();
  }
}

/** Returns text that a text field can contain, escaped for the grammar. */
const quotable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, '')
    .replaceAll(/["'\\]/g, '\\$&');
