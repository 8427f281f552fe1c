import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CsvRow, readCsv } from './csv.ts';

const readRows = async (...chunks: (string | Buffer)[]): Promise<CsvRow[]> => Array.fromAsync(readCsv(chunks));
const cells = async (...chunks: (string | Buffer)[]) => (await readRows(...chunks)).map((row) => row.cells);

const writeRows = (rows: readonly (readonly string[])[], end: string) =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',') + end).join('');

describe('CSV', () => {
  test('rows that are written come back as they were, wherever the file is cut', async () => {
    const row = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 });
    const rows = fc.array(row, { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('\n', '\r\n', '\r'), fc.nat(), async (expectedRows, end, cutIndex) => {
        const bytes = Buffer.from(writeRows(expectedRows, end));
        const cut = bytes.length === 0 ? 0 : cutIndex % bytes.length;
        expect(await cells(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual(expectedRows);
      }),
      { numRuns: 200 },
    );
  });

  test('plain cells, empty lines and a byte order mark are as expected', async () => {
    expect(await readRows(Buffer.from('\uFEFFa,b\n\n1,\n"x, y",2'))).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 3, cells: ['1', ''] },
      { line: 4, cells: ['x, y', '2'] },
    ]);
    expect(await readRows('')).toEqual([]);
    expect(await readRows('"a\nb",c\nd')).toEqual([
      { line: 1, cells: ['a\nb', 'c'] },
      { line: 3, cells: ['d'] },
    ]);
  });

  test.each([
    ['"a"b', 'Line 1: there is text after closing quotes.'],
    ['x\na"b', 'Line 2: there are quotes inside an unquoted cell.'],
    ['"never', 'The quotes opened in line 1 are never closed.'],
  ])('%j is a fault', async (text, message) => {
    await expect(readRows(text)).rejects.toThrow(message);
  });

  test('a file that is not UTF-8 is a fault', async () => {
    await expect(readRows(Buffer.from([0x61, 0xff]))).rejects.toThrow('not UTF-8');
  });
});
