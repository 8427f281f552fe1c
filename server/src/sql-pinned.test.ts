import { readFile } from 'node:fs/promises';
import { assert, describe, test } from 'vitest';
import { advice, difference } from './testing/sql/difference.ts';
import { observeSql, pinnedFile } from './testing/sql/pin.ts';

describe('what the operations ask of PostgreSQL', async () => {
  const { text } = await observeSql();

  test('is what was reviewed', async () => {
    const differing = difference(await readFile(pinnedFile, 'utf8'), text);
    assert(differing === '', advice(differing));
  });
});
