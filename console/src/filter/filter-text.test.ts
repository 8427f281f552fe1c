import { expect, test } from 'vitest';
import type { FieldInfo } from '../document/group.ts';
import { and, elementsOf, equals, exampleCondition, filterOf } from './filter-text.ts';

const field = (name: string, about: Partial<FieldInfo> = {}): FieldInfo => ({
  name,
  label: name,
  kind: 'text',
  access: 'write',
  doc: '',
  nullable: false,
  filter: true,
  ...about,
});
const group = {
  label: 'name',
  fields: [field('name', { search: true }), field('notes', { search: true }), field('id', { kind: 'integer' })],
};

test.each([
  ['', ''],
  ['  ', ''],
  ['name==core-*', 'name==core-*'],
  ['lastSeen=ge=-24h', 'lastSeen=ge=-24h'],
  ['id>3', 'id>3'],
  ['ward 3', 'name=="*ward 3*",notes=="*ward 3*"'],
  ['a"b', 'name=="*a\\"b*",notes=="*a\\"b*"'],
  ['10*', 'name=="*10\\**",notes=="*10\\**"'],
])('%j is %j', (input, expected) => expect(filterOf(input, group)).toBe(expected));

test('filterOf searches the label field if no field is searchable', () => {
  expect(filterOf('x', { label: 'mac', fields: [field('mac', { kind: 'mac' })] })).toBe('mac=="*x*"');
});

test('exampleCondition uses a field that the list can filter by', () => {
  expect(exampleCondition({ ...group, identity: 'id' })).toBe('name==core-*');
  const host = { label: 'hostName', identity: 'id', fields: [field('id', { kind: 'integer' }), field('hostName')] };
  expect(exampleCondition(host)).toBe('hostName==core-*');
  const port = { label: 'mac', identity: 'dbid', fields: [field('mac', { kind: 'mac' })] };
  expect(exampleCondition({ ...port, fields: [...port.fields, field('vendor')] })).toBe('vendor==core-*');
  expect(exampleCondition(port)).toBe('dbid==1');
});

test('equals escapes stars, quotes and backslashes', () => {
  expect(equals('name', 'a*b"c\\d')).toBe('name=="a\\*b\\"c\\\\d"');
});

test.each([
  ['', 'b==2', 'b==2'],
  ['a==1', 'b==2', 'a==1;b==2'],
  ['a==1,c==3', 'b==2', '(a==1,c==3);b==2'],
  ['a=in=(1,2)', 'b==2', 'a=in=(1,2);b==2'],
  ['a=="x,y"', 'b==2', 'a=="x,y";b==2'],
])('%j and %j is %j', (filter, condition, expected) => expect(and(filter, condition)).toBe(expected));

test.each([
  ['', []],
  ['a==1', ['a==1']],
  ['hostName==x;adapter.ssid==Staff', ['hostName==x', 'adapter.ssid==Staff']],
  ['(a==1,c==3);b==2', ['(a==1,c==3)', 'b==2']],
  ['a==1,c==3;b==2', ['a==1,c==3;b==2']],
  ['a=="x;y\\";z";b==2', ['a=="x;y\\";z"', 'b==2']],
  ['(a==1;b==2)', ['(a==1;b==2)']],
])('%j has the conditions %j', (filter, expected) => expect(elementsOf(filter)).toEqual(expected));
