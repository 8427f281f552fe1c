import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultsInDeclaredReaders, fieldReaders, fieldsText } from './field-readers.ts';

test('every configured field has a declared reader, is refused, or is declared without effect', () => {
  const unread = fieldReaders().filter(({ by }) => by === undefined);
  expect(
    unread,
    'give it an effect and name its reader in declared-readers.ts, or declare it notYet(…) or withoutEffect(…)',
  ).toEqual([]);
});

test('every declared reader exists, contains the field, and is no check of the group itself', () => {
  expect(faultsInDeclaredReaders()).toEqual([]);
});

test('docs/fields.md is what the declarations and sources give', () => {
  const page = readFileSync(new URL('../../../docs/fields.md', import.meta.url), 'utf8');
  expect(page === fieldsText(), 'run npm run generate').toBe(true);
});
