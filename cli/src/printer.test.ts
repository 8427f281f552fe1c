import { describe, expect, test } from 'vitest';
import { readArguments } from './args.ts';
import { formatOptions } from './formats.ts';
import { printerFor, printValue } from './printer.ts';
import { documentOf } from './testing/fake-document.ts';
import { fakeScreen } from './testing/fake-screen.ts';

const schema = {
  type: 'object',
  properties: {
    id: { type: 'integer', description: 'Identity of the record' },
    name: { type: 'string' },
    place: { type: 'object', properties: { floor: { type: 'integer' } } },
    size: { type: 'integer' },
  },
};
const records = [
  { id: 1, name: 'Library', place: { floor: 2 }, size: 7 },
  { id: 2, name: '', place: { floor: 0 }, size: 9 },
];
const options = { ...formatOptions, columns: { value: 'A,B', doc: '' } };

async function printed(words: string, form: 'record' | 'list' | 'lines' = 'list', shown = records): Promise<string> {
  const screen = fakeScreen(80);
  const args = readArguments(words.split(' '), options, []);
  await printerFor({ screen, args, document: documentOf(), schema }, form)!.print(shown);
  return screen.out.written;
}

describe('records for programs', () => {
  test('as JSON: all fields, or those that are named', async () => {
    expect(JSON.parse(await printed('--json'))).toEqual(records);
    expect(JSON.parse(await printed('--json name,place.floor'))).toEqual([
      { name: 'Library', place: { floor: 2 } },
      { name: '', place: { floor: 0 } },
    ]);
    expect(JSON.parse(await printed('-o json', 'record'))).toEqual(records[0]);
    expect(await printed('--json id', 'lines')).toBe('{"id":1}\n{"id":2}\n');
  });

  test('as YAML, CSV and names', async () => {
    expect(await printed('-o yaml --columns id,name')).toBe('- id: 1\n  name: Library\n- id: 2\n  name: ""\n');
    expect(await printed('-o csv')).toBe('id,name,size\n1,Library,7\n2,,9\n');
    expect(await printed('--output csv --columns place.floor,id')).toBe('place.floor,id\n2,1\n0,2\n');
    expect(await printed('-o name')).toBe('Library\n2\n');
    expect(await printed('-o csv', 'list', [])).toBe('id,name,size\n');
  });

  test('through jq: text without quotes, several records each by itself', async () => {
    expect(await printed('--jq .[].name')).toBe('Library\n\n');
    expect(await printed('--jq .id*10', 'lines')).toBe('10\n20\n');
    expect(await printed('--json name --jq .[0]|keys[]')).toBe('name\n');
    expect(await printed('--jq .[0]|[.id,.name]|@tsv')).toBe('1\tLibrary\n');
    expect(await printed('--jq .[].name', 'list', [{ ...records[0]!, name: 'a\u009b2J' }])).toBe('a\\x9b2J\n');
  });

  test('page by page: one JSON array, and jq over all pages', async () => {
    const paged = async (words: string, ...pages: (typeof records)[]) => {
      const screen = fakeScreen(80);
      const args = readArguments(words.split(' '), options, []);
      const printer = printerFor({ screen, args, document: documentOf(), schema }, 'pages')!;
      for (const page of pages) await printer.print(page);
      await printer.end?.();
      return screen.out.written;
    };
    const [first, second] = records.map((record) => [record]) as [typeof records, typeof records];
    expect(await paged('--json', first, second)).toBe(await printed('--json'));
    expect(await paged('--json', [])).toBe(await printed('--json', 'list', []));
    expect(await paged('--jq .[].name', first, second)).toBe(await printed('--jq .[].name'));
    expect(await paged('--jq length', [])).toBe('0\n');
    expect(await paged('-o yaml', first, second)).toBe(await printed('-o yaml'));
    expect(await paged('-o csv', first, second)).toBe(await printed('-o csv'));
  });

  test('a jq expression without a result is an error and prints nothing', async () => {
    await expect(printed('--jq .nme', 'record')).rejects.toThrow('--jq: there is no field nme. Did you mean name?');
    await expect(printed('--jq .[0].id', 'list', [])).rejects.toMatchObject({
      message: expect.stringContaining('is null'),
      word: 'not-found',
    });
    expect(await printed('--jq .nme//"none"', 'record')).toBe('none\n');
    expect(await printed('--jq .[]|.nme')).toBe('null\nnull\n');
  });

  test('refuses invalid combinations of options in a sentence', async () => {
    await expect(printed('--jq .[')).rejects.toThrow(/^--jq: syntax error/);
    await expect(printed('--jq .[].name|error')).rejects.toThrow(/^--jq: .*Library/);
    await expect(printed('--json nme')).rejects.toThrow('There is no field nme. Did you mean name?');
    await expect(printed('-o xml')).rejects.toThrow('--output takes table, json, yaml, csv, name, not "xml".');
    await expect(printed('-o csv --json')).rejects.toThrow('Use either --json or --output csv, not both.');
    await expect(printed('-o csv --jq .')).rejects.toThrow('--jq requires JSON output. Remove --output.');
    await expect(printed('--json id --columns id')).rejects.toThrow('Use either --columns or field names after --json');
  });

  test('prints the result of a write in the same formats, and its sentence for tables and names', async () => {
    const shown = async (words: string) => {
      const screen = fakeScreen();
      const isPrinted = await printValue({ screen, args: readArguments(words.split(' '), options, []) }, { id: 4 });
      return [isPrinted, screen.out.written];
    };
    expect(await shown('--json')).toEqual([true, '{"id":4}\n']);
    expect(await shown('--jq .id')).toEqual([true, '4\n']);
    expect(await shown('-o yaml')).toEqual([true, 'id: 4\n']);
    expect(await shown('-o name')).toEqual([false, '']);
    expect(await shown('-o table')).toEqual([false, '']);
  });
});
