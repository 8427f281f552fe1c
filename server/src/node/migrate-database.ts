import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { databaseOf, withDatabase } from '../kernel/database/database-url.ts';
import { Session, sessionConfig } from '../kernel/database/session.ts';
import { quoted } from '../kernel/declare/names.ts';
import { migrateQueue } from '../kernel/jobs/jobs.ts';
import { comparedMigrations, migrate } from '../kernel/schema/migrate.ts';

/** Time limit for a connection, so that a database that does not respond cannot block the start of a node. */
const connectMsMax = 5_000;

/** SQLSTATE invalid_catalog_name. */
const noDatabase = '3D000';

const openSession = async (url: string): Promise<Session> => {
  const client = new Session({ ...sessionConfig(url), connectionTimeoutMillis: connectMsMax });
  await client.connect();
  return client;
};

export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Migrates a database as its owner: tables, the job queue, and the slices of logs. */
export async function migrateDatabase(ownerUrl: string, folder: string = migrationsFolder): Promise<string[]> {
  const client = await openSession(ownerUrl);
  try {
    const applied = await migrate(client, folder);
    await client.query('select make_log_slices(7)');
    await migrateQueue(ownerUrl);
    return applied;
  } finally {
    await client.end();
  }
}

/** Creates the database if it does not exist, in the locale C.UTF-8, which sorts the same everywhere. */
export const ensureDatabase = (ownerUrl: string): Promise<void> =>
  withMaintenanceDatabase(ownerUrl, async (client, name) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0)
      await client.query(`create database ${quoted(name)} template template0 encoding 'UTF8' locale 'C.UTF-8'`);
  });

/** Drops the database. Fails if it has open sessions, unless `endSessions` is true. */
export const dropDatabase = (ownerUrl: string, endSessions: boolean): Promise<void> =>
  withMaintenanceDatabase(ownerUrl, async (client, name) => {
    await client.query(`drop database if exists ${quoted(name)}${endSessions ? ' with (force)' : ''}`);
  });

/** Connects to the database `postgres` of the same cluster. */
async function withMaintenanceDatabase(
  ownerUrl: string,
  work: (client: pg.Client, name: string) => Promise<void>,
): Promise<void> {
  const client = await openSession(withDatabase(ownerUrl, 'postgres'));
  try {
    await work(client, databaseOf(ownerUrl));
  } finally {
    await client.end();
  }
}

/** Throws if the schema is older or newer than this release, with a message that explains how to fix it. */
export async function refuseOtherSchema(databaseUrl: string): Promise<void> {
  const client = await openSession(databaseUrl).catch((cause: { code?: string }) => {
    if (cause.code !== noDatabase) throw cause;
    throw new Error(`The database ${databaseOf(databaseUrl)} does not exist; run 'portreeve migrate' first.`, {
      cause,
    });
  });
  try {
    const { pending, unknown } = await comparedMigrations(client, migrationsFolder);
    if (pending.length > 0) throw new Error(`The database lacks ${pending.join(', ')}; run 'portreeve migrate' first.`);
    if (unknown.length > 0)
      throw new Error(`The database has ${unknown.join(', ')} of a newer release; update this node first.`);
  } finally {
    await client.end();
  }
}
