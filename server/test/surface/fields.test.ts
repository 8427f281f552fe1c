import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fieldReaders, fieldsText } from './field-readers.ts';

test('every configured field is read by something, refused, or known to wait', () => {
  const unread = fieldReaders().filter(({ by }) => by === undefined);
  expect(unread, 'give it an effect, or declare it notYet(…)').toEqual([]);
});

test('docs/fields.md is what the declarations and sources give', () => {
  const page = readFileSync(new URL('../../../docs/fields.md', import.meta.url), 'utf8');
  expect(page === fieldsText(), 'run npm run generate').toBe(true);
});
