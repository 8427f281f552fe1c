import { expect, test } from 'vitest';
import { fieldChooser } from './columns.ts';
import { shippedGroups } from './groups.ts';

const groups = shippedGroups();
const { record } = groups.find('container')!;
const library = { id: 7, name: 'Library', notes: '', creationEvent: { name: 'CONTAINER_CREATED', id: 3 } };

test('JSON has the chosen fields only, nested as the record has them', () => {
  const chosen = fieldChooser(['name', 'creationEvent.name'], record, groups.document);
  expect(chosen(library)).toEqual({ name: 'Library', creationEvent: { name: 'CONTAINER_CREATED' } });
  expect(fieldChooser(undefined, record, groups.document)(library)).toEqual(library);
});

test('a field that does not exist is refused before anything is printed', () => {
  expect(() => fieldChooser(['id', 'nmae'], record, groups.document)).toThrow(
    'There is no field nmae. Did you mean name?',
  );
});
