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
  test('sends what was changed, and nothing else', () => {
    const form = new FormState(fields, stored);
    form.set('port', '1645');
    form.set('name', 'south');
    form.set('name', 'north');
    expect(form.body()).toEqual({ port: 1645 });
  });

  test('draws a field again when it changes, not its neighbours', () => {
    const form = new FormState(fields, stored);
    const drawn = { name: 0, port: 0, all: 0 };
    form.listen('name', () => drawn.name++);
    form.listen('port', () => drawn.port++);
    form.listen(undefined, () => drawn.all++);
    form.set('name', 's');
    form.set('name', 'so');
    expect(drawn).toEqual({ name: 2, port: 0, all: 2 });
  });

  test('puts faults to their fields, those within a value too; the rest is returned', () => {
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

  test('marks what is no JSON, and then sends nothing', () => {
    const form = new FormState(fields, stored);
    form.set('criteria', '{"groups": [');
    expect(form.body()).toBeUndefined();
    expect(form.fault('criteria')).toMatch(/^This is not JSON/);
  });

  test('goes on from a newer record: theirs is taken over, mine is kept, where both changed one field it is named', () => {
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

  test('a new record takes over the values of another', () => {
    const form = new FormState(fields, {});
    form.take(stored);
    expect(form.body()).toEqual({ name: 'north', port: 1812, criteria: { groups: [] } });
  });
});
