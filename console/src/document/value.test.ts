import { describe, expect, test } from 'vitest';
import type { FieldInfo } from './group.ts';
import { markHidden, readableValue, relativeTime, shownValue } from './value.ts';

const field = (about: Partial<FieldInfo>): FieldInfo => ({
  name: 'x',
  label: 'X',
  kind: 'text',
  access: 'write',
  doc: '',
  nullable: false,
  ...about,
});
const now = Date.parse('2026-11-18T12:00:00.000Z');
const shown = (about: Partial<FieldInfo>, value: unknown) => shownValue(field(about), value, now);

describe('shownValue', () => {
  test.each([
    [{}, 'Ward 3', { text: 'Ward 3' }],
    [{}, '', { text: '–', isEmpty: true }],
    [{}, null, { text: '–', isEmpty: true }],
    [{ kind: 'flag' }, false, { text: 'no' }],
    [{ kind: 'integer', words: ['empty', 'in contact'] }, 1, { text: 'in contact' }],
    [{ kind: 'integer', words: ['empty'] }, 7, { text: '7' }],
    [{ kind: 'integer', unit: 's' }, 300, { text: '300 s' }],
    [{ kind: 'choice' }, 'DEAD_END', { text: 'Dead end', whole: 'DEAD_END' }],
    [{ kind: 'list' }, ['a', 'b'], { text: 'a, b' }],
    [{ kind: 'list' }, [], { text: '–', isEmpty: true }],
    [{ kind: 'list' }, [{ a: 1 }], { text: '1 entry', whole: '[\n  {\n    "a": 1\n  }\n]' }],
    [{ kind: 'time' }, '1970-01-01T00:00:00.000Z', { text: '–', isEmpty: true }],
    [{ kind: 'time' }, '2026-11-18T11:58:00.000Z', { text: '2 min ago', whole: '2026-11-18T11:58:00.000Z' }],
  ])('of the field %j with the value %j is as expected', (about, value, expected) => {
    expect(shown(about as Partial<FieldInfo>, value)).toEqual(expected);
  });

  test('shortens a long text and returns the full text too', () => {
    const long = 'x'.repeat(4_000);
    const { text, whole: fullText } = shown({}, long);
    expect(text).toHaveLength(201);
    expect(fullText).toBe(long);
  });
});

test('markHidden shows an invisible character by its code point', () => {
  expect(markHidden('a\u202Eb\u0000c\u200B')).toBe('a‹U+202E›b‹U+0000›c‹U+200B›');
  expect(markHidden('Küche 日本 😀')).toBe('Küche 日本 😀');
});

test('readableValue converts constants of the contract and leaves names unchanged', () => {
  expect(readableValue('QUARANTINE')).toBe('Quarantine');
  expect(readableValue('MAB')).toBe('MAB');
  expect(['ADD', 'MODIFY', 'EXECUTE', 'JOB', 'MANUAL'].map(readableValue)).toEqual([
    'Add',
    'Modify',
    'Execute',
    'Job',
    'Manual',
  ]);
  expect(['PEAP', 'EC_P256', 'RADIUS_EAP', 'ADMIN_UI'].map(readableValue)).toEqual([
    'PEAP',
    'EC P256',
    'RADIUS EAP',
    'Admin UI',
  ]);
  expect(readableValue('Lab machines')).toBe('Lab machines');
});

test.each([
  ['2026-11-18T11:59:58.000Z', 'now'],
  ['2026-11-18T11:59:30.000Z', '30 s ago'],
  ['2026-11-18T11:00:00.000Z', '60 min ago'],
  ['2026-11-18T02:00:00.000Z', '10 h ago'],
  ['2026-11-10T12:00:00.000Z', '8 d ago'],
  ['2024-11-18T12:00:00.000Z', '2.0 y ago'],
  ['2026-11-18T12:05:00.000Z', 'in 5 min'],
  ['soon', 'soon'],
])('relativeTime of %s is %s', (instant, expected) => expect(relativeTime(instant, now)).toBe(expected));

test.each([
  ['ad\u00adm\u061cin', 'ad‹U+00AD›m‹U+061C›in'],
  ['a\u3164b\u{E0041}', 'a‹U+3164›b‹U+E0041›'],
  ['\u{1F469}\u200d\u{1F467} می\u200cخواهم', '\u{1F469}\u200d\u{1F467} می\u200cخواهم'],
])('markHidden returns for %j the text %j', (input, shown) => expect(markHidden(input)).toBe(shown));

test('shownValue marks invisible characters within a structured value', () => {
  const field = { kind: 'object' };
  expect(shownValue(field, { name: 'a\u202Eb' }, 0).whole).toBe('{\n  "name": "a‹U+202E›b"\n}');
  expect(shownValue(field, [{ name: 'a\u202Eb' }], 0).whole).toContain('a‹U+202E›b');
});
