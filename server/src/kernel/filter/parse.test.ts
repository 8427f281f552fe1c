import { parse } from '@rsql/parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { manyRuns } from '../../../test/world/test-speed.ts';
import { Failure } from '../failure.ts';
import type { Filter, Literal, Operator } from './parse.ts';
import { filterLimits, literalText, parseFilter, parseFilters } from './parse.ts';

type Compare = Extract<Filter, { kind: 'compare' }>;

function compare(text: string): Compare {
  const filter = parseFilter(text);
  if (filter.kind !== 'compare') throw new Error(`${text} is not a single comparison`);
  return filter;
}

const piecesOf = (text: string) => compare(text).values.map((value) => value.pieces);

/** Returns the tree with each comparison as short text, so that a test shows only its form. */
function outline(filter: Filter): unknown {
  if (filter.kind === 'compare') return `${filter.field}${filter.operator}${filter.values.map(literalText).join('|')}`;
  return [filter.kind, ...filter.parts.map(outline)];
}

const shape = (text: string) => outline(parseFilter(text));

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure && error.word === 'invalid') return error.message;
    throw error;
  }
  throw new Error('expected a refusal');
}

const refusalOf = (text: string) => refusal(() => parseFilter(text));

describe('comparisons', () => {
  test('a comparison carries its field, operator, values and the 1-based position of its field', () => {
    expect(parseFilter('name==core')).toEqual({
      kind: 'compare',
      field: 'name',
      operator: '==',
      values: [{ pieces: ['core'], quoted: false }],
      position: 1,
    });
    expect(parseFilter('a==1; b==2')).toMatchObject({ parts: [{ position: 1 }, { position: 7 }] });
  });

  test.each<[string, Operator]>([
    ['==', '=='],
    ['!=', '!='],
    ['>', '>'],
    ['>=', '>='],
    ['<', '<'],
    ['<=', '<='],
    ['=gt=', '>'],
    ['=ge=', '>='],
    ['=lt=', '<'],
    ['=le=', '<='],
  ])('%s reads as %s', (text, operator) => {
    expect(compare(`id${text}100`)).toMatchObject({ field: 'id', operator, values: [{ pieces: ['100'] }] });
  });

  test('a list operator takes one value or many', () => {
    expect(compare('role.name=in=(Staff,"the Lab")')).toMatchObject({
      field: 'role.name',
      operator: '=in=',
      values: [
        { pieces: ['Staff'], quoted: false },
        { pieces: ['the Lab'], quoted: true },
      ],
    });
    expect(compare('id=out=(7)')).toMatchObject({ operator: '=out=', values: [{ pieces: ['7'] }] });
  });

  test('=isnull= takes true or false', () => {
    expect(shape('owner=isnull=true')).toBe('owner=isnull=true');
    expect(shape('owner=isnull=false')).toBe('owner=isnull=false');
  });

  test('a field is a dotted path of letters, digits, underscores and hyphens', () => {
    expect(compare('a-b_c.D9.legacyDBID==1').field).toBe('a-b_c.D9.legacyDBID');
  });
});

describe('logic', () => {
  test('a semicolon binds tighter than a comma', () => {
    expect(shape('a==1,b==2;c==3')).toEqual(['or', 'a==1', ['and', 'b==2', 'c==3']]);
    expect(shape('a==1;b==2,c==3')).toEqual(['or', ['and', 'a==1', 'b==2'], 'c==3']);
  });

  test('equal separators make one flat list', () => {
    expect(shape('a==1;b==2;c==3')).toEqual(['and', 'a==1', 'b==2', 'c==3']);
  });

  test('parentheses group, and redundant ones leave no trace', () => {
    expect(shape('(type==Printer,type==Camera);owner=isnull=true')).toEqual([
      'and',
      ['or', 'type==Printer', 'type==Camera'],
      'owner=isnull=true',
    ]);
    expect(shape('((a==1))')).toBe('a==1');
  });

  test('whitespace around separators, parentheses and operators changes nothing', () => {
    expect(shape(' ( a == 1 , b =in= ( x , y ) )\t;\n c > 3 ')).toEqual(shape('(a==1,b=in=(x,y));c>3'));
  });

  test('elements are ANDed, one stands alone and none is no filter', () => {
    expect(parseFilters([])).toBeUndefined();
    expect(parseFilters(['a==1'])).toEqual(parseFilter('a==1'));
    expect(outline(parseFilters(['a==1,b==2', 'c==3'])!)).toEqual(['and', ['or', 'a==1', 'b==2'], 'c==3']);
  });
});

describe('values', () => {
  test.each([
    '10.20.0.0/16',
    'fe80::1',
    'user@example.org',
    '-24h',
    '2026-01-31T08:15:30.123Z',
    'a+b',
    'Zürich',
    '50%',
  ])('%s needs no quotes', (value) => {
    expect(piecesOf(`field==${value}`)).toEqual([[value]]);
  });

  test('a star is a wildcard, with or without quotes', () => {
    expect(piecesOf('name==core-*')).toEqual([['core-', '']]);
    expect(piecesOf('mac==00:1A:*:2B')).toEqual([['00:1A:', ':2B']]);
    expect(piecesOf('name=="*core switch*"')).toEqual([['', 'core switch', '']]);
    expect(piecesOf('name==*')).toEqual([['', '']]);
  });

  test('an escaped star is a star', () => {
    expect(piecesOf('name==a\\**')).toEqual([['a*', '']]);
    expect(piecesOf("name=='a\\*'")).toEqual([['a*']]);
  });

  test('quotes hold reserved characters, and a backslash holds a quote or a backslash', () => {
    expect(piecesOf(`name=="a;b,(c)=d'e"`)).toEqual([[`a;b,(c)=d'e`]]);
    expect(piecesOf(String.raw`name=="say \"hi\" \\"`)).toEqual([['say "hi" \\']]);
    expect(piecesOf(String.raw`name=='O\'Brien'`)).toEqual([["O'Brien"]]);
  });

  test('a backslash outside quotes takes the next character as it is', () => {
    expect(piecesOf(String.raw`name==core\ switch\;\(1\)`)).toEqual([['core switch;(1)']]);
    expect(piecesOf(String.raw`user==CORP\\jane`)).toEqual([['CORP\\jane']]);
  });

  test('empty text is written with quotes', () => {
    expect(compare('name==""').values).toEqual([{ pieces: [''], quoted: true }]);
  });

  test.each([
    ['2026-01-31T08:15 01:00', '2026-01-31T08:15+01:00'],
    ['2026-01-31T08:15:30 01:00', '2026-01-31T08:15:30+01:00'],
    ['2026-01-31T08:15:30.123 05:30', '2026-01-31T08:15:30.123+05:30'],
    ['2026-01-31T08:15:30.123 0000', '2026-01-31T08:15:30.123+0000'],
  ])('the lost plus of %s is put back', (text, intendedText) => {
    expect(piecesOf(`seen=ge=${text}`)).toEqual([[intendedText]]);
    expect(shape(`(seen>${text};a==1),b=in=(${text} , x)`)).toEqual([
      'or',
      ['and', `seen>${intendedText}`, 'a==1'],
      `b=in=${intendedText}|x`,
    ]);
  });

  test.each([
    '2026-01-31T08:15:30  01:00',
    '2026-01-31T08:15:30\t01:00',
    '2026-01-31T08:15:30 01:00:00',
    '2026-01-31 08:15',
    '08:15:30 01:00',
  ])('no other space is taken for a plus: %j', (text) => {
    expect(refusalOf(`seen==${text}`)).toContain('quotes');
  });

  test('the text of a literal shows each wildcard as a star', () => {
    expect(literalText({ pieces: ['core-', ''], quoted: false })).toBe('core-*');
    expect(literalText({ pieces: [''], quoted: true })).toBe('');
  });
});

describe('refusals', () => {
  test('a refusal is one sentence with text, position and hint', () => {
    expect(refusalOf('name=core')).toBe(
      'filter: `name=core` at character 5: expected an operator such as ==; write name==core.',
    );
  });

  test.each<[string, number, string]>([
    ['', 1, 'the filter is empty; write a comparison such as name==core-*'],
    [' \t', 1, 'the filter is empty'],
    ['name', 5, 'expected an operator such as ==; write name==value'],
    ['name = core', 6, 'write name==core'],
    ['name~core', 5, 'write name==core'],
    ['name!core', 5, 'write name!=core'],
    ['a===b', 2, 'write a==b'],
    ['a=>1', 2, 'write a>=1'],
    ['a=<1', 2, 'write a<=1'],
    ['a<>1', 2, 'write a!=1'],
    ['name in (a,b)', 6, 'write name=in=(a,b)'],
    ['name=in(a,b)', 5, 'write name=in=(a,b)'],
    ['name=IN=(a,b)', 5, 'write name=in=(a,b)'],
    ['name=like=core', 5, 'there is no operator =like=; use == with * as the wildcard'],
    ['name=eq=core', 5, 'use =='],
    ['name=regex=core', 5, 'there is no operator =regex=; use == !='],
    ['name==', 7, 'expected a value; write one, or "" for empty text'],
    ['a==;b==2', 4, 'expected a value'],
    ['a== =b', 5, 'in quotes'],
    ['a==1;', 6, 'expected a comparison; write one such as name==core-*'],
    [',a==1', 1, 'expected a comparison'],
    ['a==1;;b==2', 6, 'expected a comparison'],
    ['()', 2, 'expected a comparison'],
    ['"name"==x', 1, 'a field name must not be in quotes; remove the quotes'],
    ['größe==1', 3, 'use letters, digits, _, - and dots'],
    ['.a==1', 1, 'as in role.name'],
    ['a.==1', 1, 'as in role.name'],
    ['a..b==1', 1, 'as in role.name'],
    ['a==1 and b==2', 6, 'and is not an operator; write ; instead'],
    ['a==1 OR b==2', 6, 'OR is not an operator; write , instead'],
    ['a==1 && b==2', 6, '&& is not an operator; write ; instead'],
    ['a==1 | b==2', 6, '| is not an operator; write , instead'],
    ['a==1; and b==2', 7, 'write ; instead'],
    ['name==core switch', 12, 'as in "core switch"'],
    ["name==O'Brien;a==1", 8, `as in "O'Brien"`],
    ['name==say"hi"', 10, `as in 'say"hi"'`],
    [`name==a'"b`, 8, 'put the whole value in quotes.'],
    ['(name==printer(2))', 15, 'as in "printer(2)".'],
    ['(name==core switch)', 13, 'as in "core switch"'],
    ['name=="a" b', 11, 'write ; for and, or , for or'],
    ['(a==1)(b==2)', 7, 'write ; for and, or , for or'],
    ['a==1)', 5, 'this ) has no matching (; remove it'],
    ['a==1;(b==2', 6, 'this ( is not closed; add its )'],
    ['name=="core', 7, 'this quote is not closed; add its "'],
    ["name=='core\\'", 7, "this quote is not closed; add its '"],
    ['name==core\\', 11, 'a backslash needs a character after it; write \\\\'],
    ['name==(a,b)', 7, '== takes one value without parentheses; write name=in=(a,b)'],
    ['name!=(a,b)', 7, '!= takes one value without parentheses; write name=out=(a,b)'],
    ['name=in=core', 9, '=in= takes a list in parentheses; write =in=(core)'],
    ['name=in=()', 9, 'the list is empty; write at least one value'],
    ['name=in=(a,)', 12, 'expected a value'],
    ['name=in=(a', 9, 'this ( is not closed; add its )'],
    ['name=in=(a b,c)', 12, 'as in "a b"'],
    ['name=in=(a;b)', 11, 'expected , or ) in a list'],
    ['owner=isnull=yes', 14, '=isnull= takes true or false; write owner=isnull=true'],
    ['owner=isnull=tru*', 14, '=isnull= takes true or false'],
    ['owner=isnull=(true)', 14, 'takes one value without parentheses; write owner=isnull=true'],
    ['id>(1)', 4, 'takes one value without parentheses; write id>value'],
    ['name==a\0b', 8, 'U+0000 is not allowed; remove it'],
  ])('%j is refused at character %i', (text, position, words) => {
    const message = refusalOf(text);
    expect(message).toContain(`at character ${position}: `);
    expect(message).toContain(words);
    expect(message).toMatch(/^filter: `.*` at character \d+: .+; .+\.$/);
  });

  test('a long text is shown only around its fault', () => {
    const message = refusalOf(`${'a==1;'.repeat(30)}name=core;${'b==2;'.repeat(30)}c==3`);
    expect(message).toContain('`…a==1;a==1;a==1;a==1;name=core;b==2;b==2;b==2;b==…` at character 155');
    expect(message.length).toBeLessThan(200);
  });

  test('a message carries no control character and no half of a surrogate pair', () => {
    const message = refusalOf(`name=\u{1F5A8}\ud83d\u0007\n${'x'.repeat(50)}`);
    expect(message.isWellFormed()).toBe(true);
    expect(message).not.toMatch(/\p{Cc}/u);
  });

  test('among several elements the faulty one is numbered', () => {
    expect(refusal(() => parseFilters(['a==1', 'b=2']))).toContain('at character 2 of element 2: ');
    expect(refusal(() => parseFilters(['a==1', '']))).toContain('of element 2: the filter is empty');
  });
});

describe('limits', () => {
  const nested = (depth: number) => `${'('.repeat(depth)}a==1${')'.repeat(depth)}`;
  const listOf = (count: number) => `id=in=(${Array.from({ length: count }, (_, n) => n).join(',')})`;
  const comparisons = (count: number) => Array.from({ length: count }, () => 'a==1').join(';');

  test('sixteen elements pass and a seventeenth is refused', () => {
    expect(parseFilters(Array(filterLimits.elements).fill('a==1'))).toMatchObject({ kind: 'and' });
    const message = refusal(() => parseFilters(Array(filterLimits.elements + 1).fill('a==1')));
    expect(message).toContain('at character 1 of element 17: at most 16 elements are allowed; join elements with ;');
  });

  test('4,096 characters pass and one more is refused', () => {
    const text = `name==${'x'.repeat(filterLimits.characters - 6)}`;
    expect(parseFilter(text)).toMatchObject({ kind: 'compare' });
    expect(refusalOf(`${text}x`)).toContain('at character 4097: an element has at most 4096 characters; split it');
  });

  test('64 comparisons pass and one more is refused, counted over all elements', () => {
    expect(parseFilter(comparisons(64))).toMatchObject({ kind: 'and' });
    expect(refusalOf(comparisons(65))).toContain('at character 321: at most 64 comparisons are allowed in all; ');
    expect(parseFilters([comparisons(32), comparisons(32)])).toMatchObject({ kind: 'and' });
    expect(refusal(() => parseFilters([comparisons(32), comparisons(33)]))).toContain('161 of element 2: at most 64');
  });

  test('parentheses eight deep pass and one more is refused, side by side they do not add up', () => {
    expect(shape(nested(8))).toBe('a==1');
    expect(shape(`${nested(8)};${nested(8)}`)).toEqual(['and', 'a==1', 'a==1']);
    expect(refusalOf(nested(9))).toContain('at character 9: parentheses nest at most 8 deep; remove');
    expect(refusalOf('('.repeat(4_000))).toContain('at most 8 deep');
    expect(refusalOf('('.repeat(1_000_000))).toContain('at most 4096 characters');
  });

  test('a list of 500 values passes and one more is refused', () => {
    expect(compare(listOf(500)).values).toHaveLength(500);
    expect(refusalOf(listOf(501))).toContain('a list has at most 500 values; use another request');
  });
});

// The properties: random trees, written in the subset of the grammar that this parser and the oracle share.

interface Written {
  text: string;
  tree: unknown;
}

// This parser refuses the words; the oracle reads them as separators if a space follows.
const isNotWord = (text: string) => text !== 'and' && text !== 'or';
const fieldText = fc.stringMatching(/^[a-z][a-zA-Z0-9_-]{0,6}(\.[a-z]{1,4})?$/).filter(isNotWord);
const bareText = fc.stringMatching(/^[A-Za-z0-9:/+@*._-]{1,8}$/).filter(isNotWord);
const innerText = fc.string({ unit: fc.constantFrom(...`ab 0;,()=!<>~'"\\*é🖨.`), maxLength: 8 });
const gap = fc.constantFrom('', '', '', ' ', '\t', '  ');

function quoted(text: string, quote: string): string {
  return quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`).replaceAll('*', '\\*') + quote;
}

const value = fc.oneof(
  bareText.map((text) => ({ text, tree: text })),
  fc.tuple(innerText, fc.constantFrom('"', "'")).map(([text, quote]) => ({ text: quoted(text, quote), tree: text })),
);

const canonical: Record<string, string> = { '=gt=': '>', '=ge=': '>=', '=lt=': '<', '=le=': '<=' };
const singleOperator = fc.constantFrom('==', '!=', '>', '>=', '<', '<=', '=gt=', '=ge=', '=lt=', '=le=');

const comparison: fc.Arbitrary<Written> = fc.oneof(
  fc.tuple(fieldText, gap, singleOperator, gap, value).map(([field, gapBefore, operator, right, literal]) => ({
    text: field + gapBefore + operator + right + literal.text,
    tree: [field, canonical[operator] ?? operator, literal.tree],
  })),
  fc
    .tuple(fieldText, gap, fc.constantFrom('=in=', '=out='), gap, fc.array(value, { minLength: 1, maxLength: 4 }))
    .map(([field, gapBefore, operator, right, many]) => ({
      text: `${field}${gapBefore}${operator}${right}(${many.map((literal) => literal.text).join(`${right},${gapBefore}`)}${right})`,
      tree: [field, operator, ...many.map((literal) => literal.tree)],
    })),
  fc.tuple(fieldText, fc.constantFrom('true', 'false')).map(([field, answer]) => ({
    text: `${field}=isnull=${answer}`,
    tree: [field, '=isnull=', answer],
  })),
);

const { filter: writtenFilter } = fc.letrec<{ filter: Written; group: Written }>((tie) => ({
  filter: fc.oneof({ maxDepth: 3, withCrossShrink: true }, comparison, tie('group')),
  group: fc
    .tuple(fc.constantFrom('and', 'or'), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }), gap, gap)
    .map(([kind, parts, gapBefore, right]) => ({
      text: `(${gapBefore}${parts.map((part) => part.text).join(gapBefore + (kind === 'and' ? ';' : ',') + right)}${right})`,
      tree: flat(
        kind,
        parts.map((part) => part.tree),
      ),
    })),
}));

/** A chain of one kind is one list, with or without parentheses. */
function flat(kind: string, parts: readonly unknown[]): unknown {
  const same = (part: unknown): part is { [kind: string]: unknown[] } =>
    typeof part === 'object' && part !== null && Object.hasOwn(part, kind) && !Array.isArray(part);
  return { [kind]: parts.flatMap((part) => (same(part) ? (part[kind] ?? []) : [part])) };
}

function normalised(filter: Filter): unknown {
  if (filter.kind === 'compare') return [filter.field, filter.operator, ...filter.values.map(literalText)];
  return flat(filter.kind, filter.parts.map(normalised));
}

function normalisedOracle(node: ReturnType<typeof parse>): unknown {
  if (node.type === 'COMPARISON') {
    return [node.left.selector, canonical[node.operator] ?? node.operator, ...[node.right.value].flat()];
  }
  const kind = node.operator === ';' ? 'and' : 'or';
  return flat(kind, [normalisedOracle(node.left), normalisedOracle(node.right)]);
}

describe('properties', () => {
  test('a filter with parentheses is parsed as it was composed, here and in @rsql/parser', () => {
    fc.assert(
      fc.property(writtenFilter, ({ text, tree }) => {
        expect(normalised(parseFilter(text))).toEqual(tree);
        expect(normalisedOracle(parse(text))).toEqual(tree);
      }),
      { numRuns: manyRuns(1_000) },
    );
  });

  test('separators without brackets bind as in @rsql/parser', () => {
    const rest = fc.array(fc.tuple(fc.constantFrom(';', ','), gap, fc.oneof(comparison, writtenFilter)), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(writtenFilter, rest, (first, remainder) => {
        const text = first.text + remainder.map(([separator, space, part]) => separator + space + part.text).join('');
        fc.pre(
          text.length <= filterLimits.characters &&
            (text.match(/[=!<>]=|[<>]|=[a-z]+=/g)?.length ?? 0) <= filterLimits.comparisons,
        );
        expect(normalised(parseFilter(text))).toEqual(normalisedOracle(parse(text)));
      }),
      { numRuns: manyRuns(1_000) },
    );
  });

  test('any pieces survive being written in quotes', () => {
    const pieces = fc.array(fc.string({ unit: 'binary', maxLength: 10 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(pieces, fc.constantFrom('"', "'"), (parts, quote) => {
        fc.pre(parts.every((part) => !part.includes('\0')));
        const text = quote + parts.map((part) => quoted(part, quote).slice(1, -1)).join('*') + quote;
        const expected: Literal = { pieces: parts, quoted: true };
        expect(compare(`name==${text}`).values).toEqual([expected]);
      }),
    );
  });

  test('any text either parses or is refused as invalid with a position', () => {
    const tokens = fc.constantFrom(
      ...['a', 'name', '.', '-', '*', '\\', "'", '"', '(', ')', ';', ',', '=', '!', '~', '<', '>', ' ', '\t', '1', ':'],
      ...[
        '==',
        '!=',
        '=in=',
        '=out=(',
        '=isnull=',
        'true',
        'a==1',
        'and',
        ' or ',
        '=gt=',
        '=like=',
        'é',
        '\0',
        '\ud83d',
      ],
      ...['2026-01-31T08:15:30', ' 01:00'],
    );
    const texts = fc.oneof(fc.string({ unit: tokens, maxLength: 30 }), fc.string({ unit: 'binary', maxLength: 30 }));
    fc.assert(
      fc.property(texts, (text) => {
        try {
          parseFilter(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
          expect(error).toMatchObject({
            word: 'invalid',
            message: expect.stringMatching(/ at character \d+: .+; .+\.$/),
          });
        }
      }),
      { numRuns: manyRuns(5_000) },
    );
  });
});
