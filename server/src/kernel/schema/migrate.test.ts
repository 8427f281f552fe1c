import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrationName, readMigrations } from './migrate.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portreeve-migrations-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('counted migrations come before those that begin with a time, and those are ordered by it', async () => {
  const names = ['20261201093000-add-kettle.sql', '0072-last.sql', '20261130235959-add-oven.sql', '0001-kernel.sql'];
  for (const name of [...names, 'README.md']) writeFileSync(join(folder, name), 'select 1');
  expect((await readMigrations(folder)).map(({ name }) => name)).toEqual([
    '0001-kernel.sql',
    '0072-last.sql',
    '20261130235959-add-oven.sql',
    '20261201093000-add-kettle.sql',
  ]);
});

test.each(['0100-add-oven.sql', '2026-add-oven.sql', '20261201-add-oven.sql', '20261201093000-.sql', '0072-Add.sql'])(
  'a file with the name %s is no migration',
  (name) => {
    expect(migrationName.test(name)).toBe(false);
  },
);
