import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { buildDocument } from '../build-document.ts';
import { apiTexts } from './api-text.ts';
import { breaksBetween } from './compare-api.ts';

const folder = new URL('../../../api/', import.meta.url);

test('the files in api/ are what the declarations give', async () => {
  const texts = apiTexts(await buildDocument());
  const names = Object.keys(texts).map((name) => `${name}.txt`);
  expect(await readdir(folder), 'run `npm run generate`').toEqual(names.sort());
  for (const [name, text] of Object.entries(texts))
    expect([name, await readFile(new URL(`${name}.txt`, folder), 'utf8')], 'run `npm run generate`').toEqual([
      name,
      text,
    ]);
});

test('the comparison reads every line: the API misses each that is left out', async () => {
  const texts = Object.values(apiTexts(await buildDocument()));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.includes('  '));
  const isOperation = (line: string): boolean => /^\S+ {2}[A-Z]+ \//.test(line);
  const keysOf = (some: readonly string[]): string[] => some.map((line) => line.split('  ')[0]!);
  const operations = lines.filter(isOperation);
  expect(breaksBetween(texts, []).map(({ key }) => key)).toEqual(expect.arrayContaining(keysOf(operations)));
  const missed = new Set(breaksBetween(texts, operations).map(({ key }) => key));
  const fields = lines.filter((line) => !isOperation(line) && !/^every operation| {2}like /.test(line));
  expect(fields.length).toBeGreaterThan(2_000);
  expect(keysOf(fields).filter((key) => !missed.has(key))).toEqual([]);
});
