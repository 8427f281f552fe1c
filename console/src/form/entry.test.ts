import { describe, expect, test, vi } from 'vitest';
import type { InputField } from '../document/group.ts';
import { controlOf, EntryFault, entryOf, sentValue } from './entry.ts';

const field = (kind: string, attributes: Partial<InputField> = {}): InputField => ({
  name: 'field',
  label: 'Field',
  kind,
  doc: '',
  nullable: false,
  ...attributes,
});

describe('an entry', () => {
  test.each([
    ['flag', { default: false }, 'mark'],
    ['flag', {}, 'choice'],
    ['text', {}, 'line'],
    ['text', { lengthMax: 2_000 }, 'lines'],
    ['text', { isSecret: true, lengthMax: 2_000 }, 'secret'],
    ['choice', { choices: ['A', 'B'] }, 'choice'],
    ['integer', { words: ['off', 'on'] }, 'choice'],
    ['integer', { reference: { group: 'role', by: 'id' } }, 'reference'],
    ['list', { items: 'integer', reference: { group: 'role', by: 'id' } }, 'references'],
    ['list', { items: 'text' }, 'list'],
    ['list', { items: 'object' }, 'code'],
    ['object', { reference: { group: 'device-type', by: 'id' } }, 'code'],
    ['map', {}, 'code'],
    ['mixed', {}, 'list'],
  ])('of a field of kind %s with %o uses the control %3$s', (kind, attributes, control) => {
    expect(controlOf(field(kind, attributes))).toBe(control);
  });

  test.each<[string, Partial<InputField>, unknown]>([
    ['flag', { default: false }, true],
    ['flag', {}, false],
    ['text', {}, 'core'],
    ['text', { lengthMax: 2_000 }, ' two\nlines '],
    ['integer', {}, 12],
    ['decimal', {}, 1.5],
    ['integer', { nullable: true }, null],
    ['text', { nullable: true }, null],
    ['list', { items: 'text' }, ['one', 'two']],
    ['list', { items: 'integer', reference: { group: 'role', by: 'id' } }, [4, 7]],
    ['object', {}, { vlan: 12, names: ['a'] }],
    ['mixed', { nullable: true }, 'Windows*'],
    ['mixed', { nullable: true }, ['Windows', 'macOS']],
    ['mixed', { nullable: true }, null],
    ['choice', { choices: ['A', 'B'] }, 'B'],
  ])('of a field of kind %s with %o converts back to the same value %j', (kind, attributes, value) => {
    const testField = field(kind, attributes);
    expect(sentValue(testField, entryOf(testField, value))).toEqual(value);
  });

  test('sends text that is not a number unchanged, so that the service reports it', () => {
    expect(sentValue(field('integer'), ' 18o ')).toBe('18o');
    expect(sentValue(field('list', { items: 'integer' }), '1\n\n x \n')).toEqual([1, 'x']);
  });

  test('never shows a secret, and can remove one', () => {
    const secret = field('text', { isSecret: true, nullable: true });
    expect(entryOf(secret, 'cleartext')).toBe('');
    expect(sentValue(secret, null)).toBeNull();
    expect(sentValue(secret, ' with spaces ')).toBe(' with spaces ');
  });

  test('of a time can be relative to now', () => {
    vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') });
    expect(sentValue(field('time'), '+8h')).toBe('2026-01-01T08:00:00.000Z');
    expect(sentValue(field('time'), '2026-02-03T00:00:00Z')).toBe('2026-02-03T00:00:00Z');
    vi.useRealTimers();
  });

  test('of a text or list is sent as a list if it has several lines', () => {
    const mixed = field('mixed', { nullable: true });
    expect(sentValue(mixed, ' one \n')).toEqual(['one']);
    expect(sentValue(mixed, ' one two ')).toBe('one two');
    expect(entryOf(mixed, 5)).toBe('5');
  });

  test('of a structured value must be JSON', () => {
    expect(() => sentValue(field('object'), '{')).toThrow(EntryFault);
    expect(sentValue(field('list', { items: 'object' }), '')).toEqual([]);
  });
});
