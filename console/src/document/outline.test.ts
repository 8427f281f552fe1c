import { describe, expect, test } from 'vitest';
import { hasParts, outlineOf, type Part } from './outline.ts';

const linesOf = (parts: readonly Part[], depth = 0): string[] =>
  parts.flatMap((part) => [
    `${'  '.repeat(depth)}${part.label}: ${part.text}`.trimEnd(),
    ...linesOf(part.parts, depth + 1),
  ]);

const always = { version: 0, startTimeOfDay: 0, endTimeOfDay: 1_440, daysOfWeek: 127, alwaysOn: true, validTime: true };
const office = { ...always, alwaysOn: false, startTimeOfDay: 480, endTimeOfDay: 1_020, daysOfWeek: 0b0111110 };

describe('the outline of a structured value', () => {
  test('omits empty properties', () => {
    const criteria = {
      who: {
        roles: ['STAFF', 'Lab\u202E'],
        groups: [],
        attributes: [
          {
            conditions: [
              { attribute: 'adapter.ipaddress', op: 'IN_SUBNET', value: '10.0.0.0/8' },
              { attribute: 'host.name', op: 'IS_SET' },
            ],
          },
        ],
      },
      where: { containers: [], ssids: null },
      when: office,
    };
    expect(linesOf(outlineOf(criteria))).toEqual([
      'Who:',
      '  Roles: STAFF, Lab‹U+202E›',
      '  Attributes:',
      '    Conditions:',
      '      1: Attribute adapter.ipaddress · Operator IN_SUBNET · Value 10.0.0.0/8',
      '      2: Attribute host.name · Operator IS_SET',
      'When: Mon Tue Wed Thu Fri 08:00–17:00',
    ]);
  });

  test('shows a schedule in one line', () => {
    expect(linesOf(outlineOf({ when: always }))).toEqual(['When: always']);
    expect(linesOf(outlineOf({ when: { ...office, daysOfWeek: 0 } }))).toEqual(['When: never']);
    expect(linesOf(outlineOf({ when: { ...office, daysOfWeek: 127, endTimeOfDay: 1_440 } }))).toEqual([
      'When: 08:00–00:00',
    ]);
  });

  test('labels a name and value pair with its name', () => {
    expect(
      linesOf(
        outlineOf([
          { name: 'Asset', value: 'A-7' },
          { name: 'Empty', value: '' },
        ]),
      ),
    ).toEqual(['Asset: A-7']);
  });

  test('shows the only entry of a list without a number', () => {
    expect(linesOf(outlineOf([{ id: 7, name: 'Lab' }]))).toEqual(['ID: 7', 'Name: Lab']);
    expect(linesOf(outlineOf({ groups: [{ id: 7 }, { id: 8 }] }))).toEqual(['Groups:', '  1: ID 7', '  2: ID 8']);
    expect(linesOf(outlineOf([{ name: 'Asset', value: 'A-7' }]))).toEqual(['Asset: A-7']);
    expect(linesOf(outlineOf([[['a'], { b: 1 }]]))).toEqual(['1: a', '2: B 1']);
    expect(linesOf(outlineOf({ x: [[null]], y: [['a']] }))).toEqual(['Y:', '  1: a']);
  });

  test('shows names unchanged, with invisible characters marked', () => {
    expect(
      linesOf(
        outlineOf([
          { name: 'MASTER\u202E', value: 'KEY' },
          { name: 'Place', value: { floor: 2 } },
        ]),
      ),
    ).toEqual(['MASTER‹U+202E›: KEY', 'Place: Floor 2']);
  });

  test('is empty if all properties are empty', () => {
    expect(outlineOf({ who: { roles: [], groups: [] }, note: '', other: null })).toEqual([]);
  });

  test.each([
    [{}, true],
    [[{ a: 1 }], true],
    [[[{ a: 1 }]], true],
    [['a', 1], false],
    [[], false],
    ['a', false],
    [null, false],
  ])('%j has parts: %j', (value, expected) => {
    expect(hasParts(value)).toBe(expected);
  });
});
