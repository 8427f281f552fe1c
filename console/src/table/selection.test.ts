import { describe, expect, test } from 'vitest';
import { selectedMax, toggled, withMore } from './selection.ts';

const record = (id: number) => ({ id: String(id), name: `host-${id}` });
const none = new Map();

describe('a selection', () => {
  test('takes a record, and leaves it out again', () => {
    const one = toggled(none, record(1));
    expect([...toggled(one, record(2)).keys()]).toEqual(['1', '2']);
    expect(toggled(one, record(1)).size).toBe(0);
  });

  test('has each record once, and not more than one request may name', () => {
    const many = withMore(
      none,
      Array.from({ length: selectedMax + 5 }, (_, n) => record(n % (selectedMax + 2))),
    );
    expect(many.size).toBe(selectedMax);
    expect(toggled(many, record(selectedMax + 9))).toEqual(many);
    expect(toggled(many, record(3)).size).toBe(selectedMax - 1);
  });
});
