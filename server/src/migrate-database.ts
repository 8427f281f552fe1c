import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrateQueue } from './kernel/jobs.ts';
import { quoted } from './kernel/names.ts';
import { migrate, pendingMigrations } from './kernel/schema/migrate.ts';

export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

/** Brings a database forward as its owner: tables, the job queue, and the slices of the logs that are due. */
export async function migrateDatabase(ownerUrl: string, folder: string = migrationsFolder): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const applied = await migrate(client, folder);
    await client.query('select make_log_slices(7)');
    await migrateQueue(ownerUrl);
    return applied;
  } finally {
    await client.end();
  }
}

/** Creates the database when it is not there yet, in the one locale that sorts the same everywhere. */
export const ensureDatabase = (ownerUrl: string): Promise<void> =>
  beside(ownerUrl, async (client, name) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0)
      await client.query(`create database ${quoted(name)} template template0 encoding 'UTF8' locale 'C.UTF-8'`);
  });

/** Removes the database; with sessions on it only when they may be ended. */
export const dropDatabase = (ownerUrl: string, endSessions: boolean): Promise<void> =>
  beside(ownerUrl, async (client, name) => {
    await client.query(`drop database if exists ${quoted(name)}${endSessions ? ' with (force)' : ''}`);
  });

/** Works on the cluster of a database, from the database that is always there. */
async function beside(ownerUrl: string, work: (client: pg.Client, name: string) => Promise<void>): Promise<void> {
  const url = new URL(ownerUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await work(client, name);
  } finally {
    await client.end();
  }
}

/** Refuses to serve an older schema, and says how to mend it. */
export async function refuseOldSchema(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const pending = await pendingMigrations(client, migrationsFolder);
    if (pending.length > 0) throw new Error(`The database lacks ${pending.join(', ')}; run 'portreeve migrate' first.`);
  } finally {
    await client.end();
  }
}
