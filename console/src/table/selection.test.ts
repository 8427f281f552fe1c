import { describe, expect, test } from 'vitest';
import { addRecords, selectedMax, toggleRecord } from './selection.ts';

const record = (id: number) => ({ id: String(id), name: `host-${id}` });
const none = new Map();

describe('a selection', () => {
  test('adds a record and removes it again', () => {
    const single = toggleRecord(none, record(1));
    expect([...toggleRecord(single, record(2)).keys()]).toEqual(['1', '2']);
    expect(toggleRecord(single, record(1)).size).toBe(0);
  });

  test('contains each record once and at most as many as one request may name', () => {
    const many = addRecords(
      none,
      Array.from({ length: selectedMax + 5 }, (_, n) => record(n % (selectedMax + 2))),
    );
    expect(many.size).toBe(selectedMax);
    expect(toggleRecord(many, record(selectedMax + 9))).toEqual(many);
    expect(toggleRecord(many, record(3)).size).toBe(selectedMax - 1);
  });
});
