import { describe, expect, test } from 'vitest';
import { countFile } from './places.ts';

/** The counted places of a file, as `kind:line text`. */
const placesIn = (file: string, ...lines: string[]) =>
  countFile(file, lines.join('\n')).places.map(({ kind, line, text }) => `${kind}:${line} ${text}`);

describe('countFile', () => {
  test('counts each line of a comment', () => {
    const source = ['/**', ' * Returns the rows.', ' * Nobody hears of it.', ' */', 'const a = 1; // asks the node'];
    expect(placesIn('a.ts', ...source)).toEqual(['comments:3 Nobody hears of it.', 'comments:5 asks the node']);
    expect(countFile('a.ts', source.join('\n')).all.comments).toBe(3);
  });

  test('counts "who" and "what is" at the start of a sentence only', () => {
    expect(
      placesIn('a.ts', '// Who asks first', '// the user who signs in', '// What is kept', '// shows what is kept'),
    ).toEqual(['comments:1 Who asks first', 'comments:3 What is kept']);
  });

  test('counts variables, parameters, patterns and parameters of function types', () => {
    const source = [
      'const of = 1;',
      'function read(told: string, { others, rows: kept = [] }: Row, [first, ...more]: string[]) {}',
      'const listen: (by: string) => void = (next) => next;',
      'class Reader { constructor(private readonly from: string) {} }',
    ];
    expect(placesIn('a.ts', ...source)).toEqual(
      ['of:1', 'told:2', 'others:2', 'kept:2', 'more:2', 'by:3', 'next:3', 'from:4'].map((name) => {
        const [text, line] = name.split(':');
        return `names:${line} ${text}`;
      }),
    );
  });

  test('counts no properties, methods and imported names', () => {
    const source = [
      "import { of } from './of.ts';",
      'interface Row { of: string; told(): void }',
      'use({ others: of.told })',
    ];
    expect(placesIn('a.ts', ...source)).toEqual([]);
  });

  test('counts titles of tests, also of tables of tests, and only in test files', () => {
    const source = [
      "describe('who asks', () => {",
      "test.each([1])('tells %s', () => {});",
      "test('returns 409', () => {});",
      '});',
    ];
    expect(placesIn('a.test.ts', ...source)).toEqual(['tests:1 who asks', 'tests:2 tells %s']);
    expect(countFile('a.test.ts', source.join('\n')).all.tests).toBe(3);
    expect(placesIn('a.ts', ...source)).toEqual([]);
  });

  test('counts texts that users read, and no keys or SQL', () => {
    const source = [
      ['throw new Error(`the node says $', '{word}`);'].join(''),
      "throw invalid('Nobody may change this.');",
      "action({ doc: 'What is sent.', name: 'ask', sql: 'select told as said from x' });",
    ];
    expect(placesIn('a.ts', ...source)).toEqual([
      'texts:1 the node says …',
      'texts:2 Nobody may change this.',
      'texts:3 What is sent.',
    ]);
    expect(placesIn('a.tsx', 'const a = <p title="Ask for it">Nobody has used this page</p>;')).toEqual([
      'texts:1 Ask for it',
      'texts:1 Nobody has used this page',
    ]);
    expect(
      placesIn('console/src/texts/en.ts', "export const en = { done: 'Task 7 tells how far', ask: 'tells' };"),
    ).toEqual(['texts:1 Task 7 tells how far']);
  });

  test('throws for a file that cannot be parsed', () => {
    expect(() => countFile('a.ts', 'const = ;')).toThrow('a.ts: ');
  });
});
