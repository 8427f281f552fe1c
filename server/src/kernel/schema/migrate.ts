import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

interface Migration {
  name: string;
  sql: string;
  sha256: string;
}

/**
 * The name of a migration. Returns the first ones were counted; later ones begin with the time of their creation (UTC), so that two branches never
 * take the same number. By their names the counted ones come first, because no year begins with 0.
 */
export const migrationName = /^(?:00\d{2}|20\d{12})-[a-z0-9]+(?:-[a-z0-9]+)*\.sql$/;

/** Returns the migrations of a folder in their order. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => migrationName.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Applies the pending migrations, each in one transaction; throws if a migration was changed after it was applied. */
export async function migrate(client: pg.ClientBase, folder: string): Promise<string[]> {
  await client.query(`create table if not exists migration (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  // If two nodes start at once, the second one waits and then finds nothing to do.
  await client.query(`select pg_advisory_lock(hashtext('portreeve-migrate'))`);
  try {
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migration');
    const done = new Map(rows.map((row) => [row.name, row.sha256]));
    const applied: string[] = [];
    for (const migration of await readMigrations(folder)) {
      const before = done.get(migration.name);
      if (before === migration.sha256) continue;
      if (before !== undefined)
        throw new Error(`Migration ${migration.name} was changed after it was applied; write a new one instead.`);
      await apply(client, migration);
      applied.push(migration.name);
    }
    return applied;
  } finally {
    await client.query(`select pg_advisory_unlock(hashtext('portreeve-migrate'))`);
  }
}

async function apply(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    // While a migration waits for a lock, all other transactions wait behind it: it fails instead, and can be started
    // again.
    await client.query(`set local lock_timeout = '30s'`);
    await client.query(migration.sql);
    await client.query('insert into migration (name, sha256) values ($1, $2)', [migration.name, migration.sha256]);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback');
    throw new Error(`applying migration ${migration.name}`, { cause });
  }
}

/** Returns the migrations that a database lacks, and those of a newer release: a service does not start with either. */
export async function comparedMigrations(
  client: pg.ClientBase,
  folder: string,
): Promise<{ pending: string[]; unknown: string[] }> {
  const table = await client.query<{ present: boolean }>(`select to_regclass('migration') is not null as present`);
  const done = new Set<string>();
  if (table.rows[0]?.present) {
    const { rows } = await client.query<{ name: string }>('select name from migration');
    for (const row of rows) done.add(row.name);
  }
  const migrationNames = (await readMigrations(folder)).map(({ name }) => name);
  return {
    pending: migrationNames.filter((name) => !done.has(name)),
    unknown: [...done].filter((name) => !migrationNames.includes(name)).sort(),
  };
}
