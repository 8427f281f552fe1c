import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultsInDeclaredReaders, fieldReaders, fieldsText } from './field-readers.ts';

test('every configured field has a declared reader, is refused, or is declared without effect', () => {
  const unread = fieldReaders().filter(({ reader }) => reader === undefined);
  expect(
    unread,
    'give it an effect and name its reader in declared-readers.ts, or declare it notYet(…) or withoutEffect(…)',
  ).toEqual([]);
});

test('every declared reader exists, contains the field, and is not a check of the resource itself', () => {
  expect(faultsInDeclaredReaders()).toEqual([]);
});

test('docs/fields.md matches the declarations and sources', () => {
  const page = readFileSync(new URL('../../../docs/fields.md', import.meta.url), 'utf8');
  expect(page === fieldsText(), 'run npm run generate').toBe(true);
});
