import { expect, test } from 'vitest';
import { columnAt, columnsByPriority, fieldChooser } from './columns.ts';
import { shippedGroups } from './groups.ts';

const groups = shippedGroups();
const { record } = groups.find('container')!;
const library = { id: 7, name: 'Library', notes: '', creationEvent: { name: 'CONTAINER_CREATED', id: 3 } };

test('JSON has the chosen fields only, nested as the record has them', () => {
  const chosen = fieldChooser(['name', 'creationEvent.name'], record, groups.document);
  expect(chosen(library)).toEqual({ name: 'Library', creationEvent: { name: 'CONTAINER_CREATED' } });
  expect(fieldChooser(undefined, record, groups.document)(library)).toEqual(library);
});

test('id is the identity of every record, whatever the record calls it', () => {
  const { record: port } = groups.find('port')!;
  const first = { dbid: 5, name: '1/9' };
  expect(fieldChooser(undefined, port, groups.document)(first)).toEqual({ id: 5, ...first });
  expect(fieldChooser(['id', 'dbid', 'name'], port, groups.document)(first)).toEqual({ id: 5, ...first });
  expect(columnAt('id', port, groups.document)).toMatchObject({ path: 'id', field: 'dbid' });
  expect(columnsByPriority(port, groups.document).map(({ path }) => path)).toEqual(
    expect.not.arrayContaining(['dbid']),
  );
  // This record has both fields, with different values.
  const { record: deviceType } = groups.find('device-type')!;
  expect(columnAt('id', deviceType, groups.document).field).toBe('id');
});

test('a field that does not exist is refused before anything is printed', () => {
  expect(() => fieldChooser(['id', 'nmae'], record, groups.document)).toThrow(
    'There is no field nmae. Did you mean name?',
  );
});
