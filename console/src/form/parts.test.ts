import { describe, expect, test } from 'vitest';
import type { InputField } from '../document/group.ts';
import { clockOf, scheduleOf, withDay, withTimes } from '../document/schedule.ts';
import { emptyOf, isSameValue, jsonValueOf, partIn, withPart } from './parts.ts';

const part = (name: string, kind: string, attributes: Partial<InputField> = {}): InputField => ({
  name,
  label: name,
  kind,
  doc: '',
  nullable: false,
  ...attributes,
});

describe('a structured value', () => {
  test('is parsed from JSON, is null for empty text and undefined for invalid JSON', () => {
    expect(jsonValueOf(' ')).toBeNull();
    expect(jsonValueOf('{"a": [1]}')).toEqual({ a: [1] });
    expect(jsonValueOf('{"a": ')).toBeUndefined();
  });

  test('starts with one entry in each required list', () => {
    const condition = [part('attribute', 'text', { required: true }), part('value', 'mixed')];
    const conditions = part('conditions', 'list', { required: true, parts: condition });
    expect(emptyOf({ kind: 'object', parts: [conditions, part('name', 'text', { required: true })] })).toEqual({
      conditions: [{}],
    });
    expect(emptyOf({ kind: 'object', parts: [part('rest', 'list', { parts: condition })] })).toEqual({});
  });

  test('becomes a list if another property requires one', () => {
    const op = part('op', 'choice');
    const compared = part('value', 'mixed', { nullable: true, listWith: { property: 'op', values: ['IN', 'NOT_IN'] } });
    const parts = [op, compared];
    expect(partIn(compared, { op: 'EQ' })).toBe(compared);
    expect(partIn(compared, { op: 'IN' })).toMatchObject({ kind: 'list', items: 'text' });
    expect(withPart(parts, { op: 'EQ', value: 'a' }, op, 'IN')).toEqual({ op: 'IN', value: ['a'] });
    expect(withPart(parts, { op: 'EQ', value: 5 }, op, 'NOT_IN')).toEqual({ op: 'NOT_IN', value: ['5'] });
    expect(withPart(parts, { op: 'IN', value: ['a'] }, op, 'EQ')).toEqual({ op: 'EQ', value: 'a' });
    expect(withPart(parts, { op: 'IN', value: [] }, op, 'EQ')).toEqual({ op: 'EQ', value: null });
    expect(withPart(parts, { op: 'IN', value: ['a', 'b'] }, op, 'EQ')).toEqual({ op: 'EQ', value: ['a', 'b'] });
    expect(withPart(parts, { op: 'EQ' }, op, 'IN')).toEqual({ op: 'IN' });
    expect(withPart(parts, { op: 'IN', value: ['a'] }, op, null)).toEqual({ value: 'a' });
  });

  test('is equal if one side is absent and the other null', () => {
    expect(isSameValue(undefined, null)).toBe(true);
    expect(isSameValue(['a'], ['a'])).toBe(true);
    expect(isSameValue('', null)).toBe(false);
  });
});

describe('a weekly schedule', () => {
  test('is always on by default', () => {
    expect(scheduleOf({})).toEqual({ alwaysOn: true, startTimeOfDay: 0, endTimeOfDay: 1_440, daysOfWeek: 127 });
    expect(scheduleOf({ alwaysOn: false, daysOfWeek: 62 })).toMatchObject({ alwaysOn: false, daysOfWeek: 62 });
  });

  test.each([
    [0, '00:00'],
    [455, '07:35'],
    [1_439, '23:59'],
    [1_440, '00:00'],
  ])('shows minute %i as %s', (minutes, clock) => {
    expect(clockOf(minutes)).toBe(clock);
  });

  test('treats midnight as the end of the day and ignores an incomplete time', () => {
    expect(withTimes('startTimeOfDay', '00:00')).toEqual({ startTimeOfDay: 0 });
    expect(withTimes('endTimeOfDay', '00:00')).toEqual({ endTimeOfDay: 1_440 });
    expect(withTimes('endTimeOfDay', '18:30')).toEqual({ endTimeOfDay: 1_110 });
    expect(withTimes('endTimeOfDay', '18:')).toEqual({});
  });

  test('has a bit for each day, Sunday first', () => {
    const week = scheduleOf({ daysOfWeek: 127 });
    expect(withDay(week, 0, false)).toEqual({ daysOfWeek: 126 });
    expect(withDay(scheduleOf({ daysOfWeek: 2 }), 6, true)).toEqual({ daysOfWeek: 66 });
  });
});
