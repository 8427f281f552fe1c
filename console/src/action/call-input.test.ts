import { describe, expect, test } from 'vitest';
import type { GroupOperation, InputField } from '../document/group.ts';
import { callInputOf, fileTypeOf } from './call-input.ts';

const field = (name: string, kind: string, attributes: Partial<InputField> = {}): InputField => ({
  name,
  label: name,
  kind,
  doc: '',
  nullable: false,
  ...attributes,
});
const operation = (attributes: Partial<GroupOperation>): GroupOperation => ({
  id: 'host.act',
  method: 'POST',
  path: '/api/v2/host/{id}/act',
  summary: 'Act',
  group: 'Host',
  query: [],
  body: false,
  bodyRequired: false,
  writes: true,
  listed: false,
  counted: false,
  success: [200],
  ...attributes,
});

describe('the input of an action', () => {
  test('goes to the path, the query and the body', () => {
    const action = operation({
      parameters: [field('id', 'integer', { in: 'path' }), field('force', 'flag', { in: 'query' })],
      fields: [field('health', 'choice')],
      bodyRequired: true,
    });
    expect(callInputOf(action, { force: true, health: 'FAIL' }, { name: 'id', ids: ['12'] })).toEqual({
      path: { id: '12' },
      query: { force: true },
      body: { health: 'FAIL' },
    });
  });

  test('is a list of ids if the operation takes several records', () => {
    const action = operation({
      path: '/api/v2/host/set-role',
      fields: [field('id', 'list', { items: 'integer' }), field('role', 'text')],
    });
    const ofHosts = (...ids: string[]) => callInputOf(action, { role: 'Staff' }, { name: 'id', ids }).body;
    expect(ofHosts('12')).toEqual({ id: [12], role: 'Staff' });
    expect(ofHosts('12', '7')).toEqual({ id: [12, 7], role: 'Staff' });
  });

  test('has no body if no field was entered', () => {
    expect(callInputOf(operation({ fields: [field('note', 'text')] }), {}, undefined)).not.toHaveProperty('body');
    expect(
      callInputOf(operation({ bodyIsList: true, fields: [field('body', 'json')] }), { body: [1] }, undefined).body,
    ).toEqual([1]);
  });

  test('has the media type of the file name', () => {
    const action = operation({ fileTypes: ['text/csv', 'application/x-ndjson'] });
    expect(fileTypeOf(action, 'hosts.CSV')).toBe('text/csv');
    expect(fileTypeOf(action, 'hosts')).toBe('application/x-ndjson');
  });
});
