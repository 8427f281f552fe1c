import { describe, expect, test } from 'vitest';
import type { Schema } from './document.ts';
import { Table } from './table.ts';
import { documentOf } from './testing/fake-document.ts';
import { fakePen } from './testing/fake-screen.ts';
import { widthOf } from './text.ts';

const text: Schema = { type: 'string' };
const device: Schema = {
  properties: {
    version: { type: 'integer' },
    address: text,
    site: text,
    name: text,
    id: { type: 'integer', description: 'Identity of the record.' },
    lastSeen: { type: 'string', format: 'date-time' },
    notes: text,
    tags: { type: 'array', items: text },
    place: { type: 'object', properties: { floor: { type: 'integer' } } },
  },
};
const coreSwitch = {
  version: 3,
  address: '192.0.2.1',
  site: 'north',
  name: 'core-1',
  id: 7,
  lastSeen: '1970-01-01T00:00:00.000Z',
  notes: '',
  tags: ['a', 'b'],
  place: { floor: 2 },
};
const otherSwitch = {
  ...coreSwitch,
  name: '建物-2',
  id: 12,
  address: '192.0.2.200',
  lastSeen: '2020-01-31T08:15:30.123Z',
};

const printed = async (records: (typeof coreSwitch)[], width?: number, columns?: string[]) => {
  const pen = fakePen(width);
  await new Table(pen, device, documentOf(), { columns }).print(records);
  return pen.written.split('\n').slice(0, -1);
};

describe('a table', () => {
  test('starts with identity and name, omits empty columns and puts constant ones last', async () => {
    expect(await printed([coreSwitch, otherSwitch], 100)).toEqual([
      'id  name    address      lastSeen    site   version',
      ' 7  core-1  192.0.2.1    never       north        3',
      '12  建物-2  192.0.2.200  2020-01-31  north        3',
    ]);
  });

  test('never gets wider than the terminal', async () => {
    for (let width = 40; width < 90; width++)
      for (const line of await printed([coreSwitch, { ...otherSwitch, site: 'long '.repeat(30) }], width))
        expect(widthOf(line)).toBeLessThanOrEqual(width);
  });

  test('shows the selected columns and shrinks the widest', async () => {
    const lines = await printed([{ ...coreSwitch, site: 'north-by-north-west-of-the-river' }], 30, [
      'site',
      'name',
      'place.floor',
    ]);
    expect(lines).toEqual(['site        name    place.flo…', 'north-by-…  core-1           2']);
    expect(lines.every((line) => widthOf(line) <= 30)).toBe(true);
  });

  test('shows codes, flags and times by words, unless the values themselves are wanted', async () => {
    const port: Schema = {
      properties: {
        name: text,
        status: { type: 'integer', minimum: 1, 'x-words': ['up', 'down'] },
        states: { type: 'array', items: { type: 'integer', minimum: 0, 'x-words': ['free', 'taken'] } },
        enabled: { type: 'boolean' },
        seen: { type: 'string', format: 'date-time' },
      },
    };
    const record = { name: 'Gi1', status: 2, states: [0, 1, 7], enabled: false, seen: new Date(0).toISOString() };
    const columns = ['name', 'status', 'states', 'enabled', 'seen'];
    const shown = async (isRaw: boolean, width?: number) => {
      const pen = fakePen(width);
      await new Table(pen, port, documentOf(), { columns, isRaw }).print([record]);
      return pen.written.split('\n')[1];
    };
    expect(await shown(false, 100)).toBe('Gi1   down    free, taken, 7  no       never');
    expect(await shown(true, 100)).toMatch(/^Gi1 +2 +0, 1, 7 +false +1970-01-01T00:00:00.000Z$/);
    expect(await shown(false)).toBe('Gi1\t2\t0, 1, 7\tfalse\t1970-01-01T00:00:00.000Z');
  });

  test('refuses a column that does not exist, with a guess', async () => {
    await expect(printed([coreSwitch], 80, ['nmae'])).rejects.toThrow('There is no field nmae. Did you mean name?');
  });

  test('prints every scalar separated by tabs if the output is not a terminal', async () => {
    const [head, row] = await printed([{ ...coreSwitch, notes: 'a\tb\u001b[1m' }]);
    expect(head).toBe('id\tname\taddress\tsite\tlastSeen\tnotes\tversion');
    expect(row).toBe('7\tcore-1\t192.0.2.1\tnorth\t1970-01-01T00:00:00.000Z\ta\\tb\\x1b[1m\t3');
  });

  test('keeps its columns on the next page', async () => {
    const pen = fakePen(60);
    const table = new Table(pen, device, documentOf());
    await table.print([coreSwitch]);
    await table.print([otherSwitch]);
    const [head, first, second] = pen.written.split('\n');
    expect(head).toMatch(/^id {2}name/);
    expect(first).toMatch(/^ 7/);
    expect(second).toMatch(/^12/);
  });
});
