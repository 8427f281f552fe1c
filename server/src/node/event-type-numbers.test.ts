import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedEventTypeNumbers } from './event-type-numbers.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portreeve-event-types-'));
  writeFileSync(join(folder, 'first.json'), '{ "OVEN_HOT": 1, "OVEN_COLD": 2 }');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the numbers of all files are read', () => {
  writeFileSync(join(folder, 'kettle.json'), '{ "KETTLE_BOILS": 4711 }');
  expect(storedEventTypeNumbers(folder)).toEqual({ OVEN_HOT: 1, OVEN_COLD: 2, KETTLE_BOILS: 4711 });
});

test.each([
  [
    'a number',
    '{ "KETTLE_BOILS": 2 }',
    'event-types/kettle.json: KETTLE_BOILS has number 2, which OVEN_COLD has already',
  ],
  ['a name', '{ "OVEN_HOT": 3 }', 'event-types/kettle.json: OVEN_HOT has number 3, which it has already'],
])('%s that two branches have given twice stops the service', (_, text, message) => {
  writeFileSync(join(folder, 'kettle.json'), text);
  expect(() => storedEventTypeNumbers(folder)).toThrow(message);
});
