import { describe, expect, test } from 'vitest';
import type { InputField } from '../document/group.ts';
import { FormState } from './form-state.ts';

const field = (name: string, kind = 'text', attributes: Partial<InputField> = {}): InputField => ({
  name,
  label: name,
  kind,
  doc: '',
  nullable: false,
  ...attributes,
});
const fields = [
  field('name'),
  field('port', 'integer'),
  field('criteria', 'object'),
  field('secret', 'text', { isSecret: true }),
];
const stored = { name: 'north', port: 1812, criteria: { groups: [] }, secret: null };

describe('a form', () => {
  test('sends only the changed fields', () => {
    const form = new FormState(fields, stored);
    form.set('port', '1645');
    form.set('name', 'south');
    form.set('name', 'north');
    expect(form.body()).toEqual({ port: 1645 });
  });

  test('notifies only the listeners of the changed field', () => {
    const form = new FormState(fields, stored);
    const drawn = { name: 0, port: 0, all: 0 };
    form.listen('name', () => drawn.name++);
    form.listen('port', () => drawn.port++);
    form.listen(undefined, () => drawn.all++);
    form.set('name', 's');
    form.set('name', 'so');
    expect(drawn).toEqual({ name: 2, port: 0, all: 2 });
  });

  test('assigns faults to their fields, including nested ones, and returns the rest', () => {
    const form = new FormState(fields, stored);
    const rest = form.mark([
      { pointer: '#/port', detail: 'Must be at most 65535.' },
      { pointer: '#/criteria/groups/0', detail: 'Does not exist.' },
      { detail: 'Something else.' },
    ]);
    expect(form.fault('port')).toBe('Must be at most 65535.');
    expect(form.fault('criteria')).toBe('groups.0: Does not exist.');
    expect(rest).toEqual(['Something else.']);
    form.set('port', '1');
    expect(form.fault('port')).toBeUndefined();
    expect(form.faulty.map(({ name }) => name)).toEqual(['criteria']);
  });

  test('marks invalid JSON and returns no body', () => {
    const form = new FormState(fields, stored);
    form.set('criteria', '{"groups": [');
    expect(form.body()).toBeUndefined();
    expect(form.fault('criteria')).toMatch(/^Invalid JSON/);
  });

  test('rebases on a newer record: takes the other changes, keeps its own, and returns fields that both changed', () => {
    const form = new FormState(fields, stored);
    form.set('name', 'mine');
    form.set('port', '99');
    const clashes = form.rebase({ ...stored, name: 'theirs', criteria: { groups: [1] } });
    expect(clashes.map(({ field: { name }, mine, theirs }) => [name, mine, theirs])).toEqual([
      ['name', 'mine', 'theirs'],
    ]);
    expect(form.body()).toEqual({ name: 'mine', port: 99 });
    form.set('name', 'theirs');
    expect(form.body()).toEqual({ port: 99 });
  });

  test('copies the values of another record into a new one', () => {
    const form = new FormState(fields, {});
    form.take(stored);
    expect(form.body()).toEqual({ name: 'north', port: 1812, criteria: { groups: [] } });
  });
});
