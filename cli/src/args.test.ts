import { describe, expect, test } from 'vitest';
import { readArguments } from './args.ts';

const options = {
  json: { value: '[A,B]', isOptional: true, doc: '' },
  all: { doc: '' },
  out: { value: 'X', short: 'o', doc: '' },
};

const parse = (text: string, ...names: string[]) => {
  const args = readArguments(text.split(' '), options, names);
  return [args.positionals, args.text('json')];
};

describe('an option with an optional value', () => {
  test.each([
    ['--json', [], [[], '']],
    ['--json a,b', [], [[], 'a,b']],
    ['--json=a,b --all', [], [[], 'a,b']],
    ['--json --all', [], [[], '']],
    ['--json 5', ['ID'], [['5'], '']],
    ['5 --json name', ['ID'], [['5'], 'name']],
    ['--json name 5', ['ID'], [['5'], 'name']],
    ['--json=name 5', ['ID'], [['5'], 'name']],
    ['--json 5 6', ['ID…'], [['5', '6'], '']],
  ])('%s of a command that takes %j', (text, names, expected) => {
    expect(parse(text, ...names)).toEqual(expected);
  });

  test('does not hide a superfluous argument', () => {
    expect(parse('5 6 --json', 'ID')).toEqual([['5', '6'], '']);
  });
});

test('a forgotten value is an error', () => {
  expect(() => readArguments(['--out', '--json'], options, [])).toThrow('--out needs a value: --out X');
});
