import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RowBytes } from '../database/row-bytes.ts';
import type { ObjectShape } from '../declare/shape.ts';
import { writeInstant } from '../values/time.ts';
import { ByteSink } from './byte-sink.ts';
import { json, jsonWriter } from './json-writer.ts';
import { type Cells, rowWriter } from './row-writer.ts';
import { xml, xmlWriter } from './xml-writer.ts';

const shape: ObjectShape = {
  kind: 'object',
  properties: {
    id: { kind: 'integer', min: 0, max: 1e15 },
    share: { kind: 'decimal', min: -1e9, max: 1e9, nullable: true },
    name: { kind: 'text', max: 100 },
    notes: { kind: 'text', max: 100, nullable: true },
    isOn: { kind: 'flag' },
    seen: { kind: 'time' },
    left: { kind: 'time', zone: '+0000', nullable: true },
    tags: { kind: 'list', item: { kind: 'text', max: 10 }, max: 5 },
    audit: {
      kind: 'object',
      properties: {
        again: { kind: 'text', max: 100 },
        deeper: { kind: 'object', properties: { id: { kind: 'integer', min: 0, max: 1e15 } } },
      },
    },
  },
};

const asItIs = (value: unknown) => value;
const cells: Cells = new Map([
  ['id', { column: 0 }],
  ['share', { column: 1 }],
  ['name', { column: 2 }],
  ['notes', { column: 3 }],
  ['isOn', { column: 4 }],
  ['seen', { column: 5 }],
  ['left', { column: 6 }],
  ['tags', { column: 7, render: asItIs }],
  ['audit.again', { column: 2 }],
  ['audit.deeper.id', { column: 0 }],
]);

/** A DataRow message as PostgreSQL sends it, without its header. */
function dataRow(texts: readonly (string | null)[]): Buffer {
  const cell = (text: string | null) => {
    const bytes = Buffer.from(text ?? '');
    const length = Buffer.alloc(4);
    length.writeInt32BE(text === null ? -1 : bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const count = Buffer.alloc(2);
  count.writeInt16BE(texts.length);
  return Buffer.concat([count, ...texts.map(cell)]);
}

/** Returns an instant as a session in UTC writes it: without the zeros at the end of a fraction. */
const sessionText = (ms: number): string =>
  `${new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '')}+00`;

const text = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((value) => !value.includes('\0') && value.isWellFormed());
const instant = fc.integer({ min: -6e13, max: 2e14 });
const record = fc.record({
  id: fc.nat(),
  share: fc.option(fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((value) => Math.round(value * 100) / 100 + 0)),
  name: text,
  notes: fc.option(text),
  isOn: fc.boolean(),
  seen: instant,
  left: fc.option(instant),
  tags: fc.array(text, { maxLength: 5 }),
});
type Drawn = typeof record extends fc.Arbitrary<infer T> ? T : never;

const rowOf = (drawn: Drawn): (string | null)[] => [
  String(drawn.id),
  drawn.share === null ? null : String(drawn.share),
  drawn.name,
  drawn.notes,
  drawn.isOn ? 't' : 'f',
  sessionText(drawn.seen),
  drawn.left === null ? null : sessionText(drawn.left),
  JSON.stringify(drawn.tags),
];

const recordOf = (drawn: Drawn) => ({
  ...drawn,
  seen: writeInstant(drawn.seen),
  left: drawn.left === null ? null : writeInstant(drawn.left, '+0000'),
  audit: { again: drawn.name, deeper: { id: drawn.id } },
});

function written(rows: readonly (string | null)[][], dialect: typeof json, lead = 0): string {
  const bytes = new RowBytes();
  for (const row of rows) bytes.add(dataRow(row), 0);
  // Much too small, so that the buffer must grow.
  const out = new ByteSink(1);
  rowWriter(shape, cells, dialect)(bytes, 0, rows.length, lead, out);
  return out.written().toString();
}

describe('rows that are written as bytes', () => {
  test('are written in JSON as their records are', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 4 }), (drawn) => {
        const list = jsonWriter({ kind: 'list', item: shape, max: 10 })(drawn.map(recordOf));
        expect(`[${written(drawn.map(rowOf), json)}]`).toBe(list);
      }),
    );
  });

  test('are written in XML as their records are', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 4 }), (drawn) => {
        const list = xmlWriter({ kind: 'list', item: shape, max: 10 })(drawn.map(recordOf));
        expect(written(drawn.map(rowOf), xml)).toBe(list);
      }),
    );
  });

  const plain = rowOf({ id: 1, share: null, name: 'a', notes: null, isOn: true, seen: 0, left: null, tags: [] });

  test('may have other columns before those of the record', () => {
    expect(written([['7', null, ...plain]], json, 2)).toBe(written([plain], json));
  });

  test.each([
    ['a null that is not allowed', 0, null, 'id'],
    ['a number that is none', 0, 'one', 'id'],
    ['a flag that is none', 4, 'yes', 'isOn'],
    ['an instant that is none', 5, 'yesterday', 'seen'],
  ])('are a bug when they hold %s', (_what, column, cell, path) => {
    expect(() => written([plain.with(column, cell)], json)).toThrow(`Cannot write ${path}`);
  });
});

test('has room for a long cell that is shown several times', () => {
  const long = 'x'.repeat(5_000);
  const twice: ObjectShape = {
    kind: 'object',
    properties: { name: { kind: 'text', max: 5_000 }, again: { kind: 'text', max: 5_000 } },
  };
  const both: Cells = new Map([
    ['name', { column: 0 }],
    ['again', { column: 0 }],
  ]);
  const rows = new RowBytes();
  rows.add(dataRow([long]), 0);
  const out = new ByteSink(1);
  rowWriter(twice, both, json)(rows, 0, 1, 0, out);
  expect(out.written().toString()).toBe(JSON.stringify({ name: long, again: long }));
});
