import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  findPostgres,
  ownerRole,
  type Postgres,
  postgresFolder,
  serviceRole,
  superRole,
} from '@portreeve/testbed/postgres.ts';
import pg from 'pg';
import { readMigrations } from '../../src/kernel/schema/migrate.ts';
import { migrateDatabase, migrationsFolder } from '../../src/node/migrate-database.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** A database for one test, dropped after use. */
export interface TestDatabase {
  name: string;
  ownerUrl: string;
  serviceUrl: string;
  drop(): Promise<void>;
}

/** The private cluster of this checkout. */
export async function testPostgres(): Promise<Postgres> {
  const postgres = await findPostgres(postgresFolder(checkout));
  if (!postgres) throw new Error('The private PostgreSQL does not run; start it with `npm run setup`.');
  return postgres;
}

export const testMasterKey = async (): Promise<Buffer> =>
  Buffer.from((await readFile(join(postgresFolder(checkout), 'development.key'), 'utf8')).trim(), 'hex');

/** Runs statements on the maintenance database, by default as the owner. */
async function administer<T>(
  postgres: Postgres,
  work: (client: pg.Client) => Promise<T>,
  role: typeof ownerRole | typeof superRole = ownerRole,
): Promise<T> {
  const client = new pg.Client({ connectionString: postgres.url(role, 'postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates an empty database, in the locale that every sort relies on. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const postgres = await testPostgres();
  return administer(postgres, async (client) => {
    const name = newName();
    await client.query(`create database ${name} template template0 encoding 'UTF8' locale 'C.UTF-8'`);
    return databaseAt(postgres, name);
  });
}

/** The next database of this process, created in advance if the end of the run will remove it. */
let nextDatabase: Promise<TestDatabase> | undefined;

/** Returns a migrated database, and starts to create the next one while the tests use it. */
export function migratedDatabase(): Promise<TestDatabase> {
  const database = nextDatabase ?? cloneTemplate();
  nextDatabase = process.env[runVariable] === undefined ? undefined : database.then(cloneTemplate, cloneTemplate);
  // The error is thrown when the database is requested.
  nextDatabase?.catch(() => undefined);
  return database;
}

/** Clones a template, which is migrated once for each state of the migrations. */
async function cloneTemplate(): Promise<TestDatabase> {
  const postgres = await testPostgres();
  const migrations = await readMigrations(migrationsFolder);
  const state = createHash('sha256')
    .update(migrations.map((migration) => migration.sha256).join())
    .digest('hex')
    .slice(0, 16);
  const template = `template_${state}`;
  return administer(postgres, async (client) => {
    // If several workers start at once, the first one migrates; the others wait and clone.
    await client.query(`select pg_advisory_lock(hashtext('portreeve-template'))`);
    try {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
      if (rowCount === 0) await makeTemplate(postgres, client, template);
      const name = newName();
      await client.query(`create database ${name} template ${template}`);
      return databaseAt(postgres, name);
    } finally {
      await client.query(`select pg_advisory_unlock(hashtext('portreeve-template'))`);
    }
  });
}

async function makeTemplate(postgres: Postgres, client: pg.Client, template: string): Promise<void> {
  const building = `${template}_building`;
  await client.query(`drop database if exists ${building} with (force)`);
  await client.query(`create database ${building} template template0 encoding 'UTF8' locale 'C.UTF-8'`);
  await migrateDatabase(postgres.url(ownerRole, building));
  await client.query(`alter database ${building} rename to ${template}`);
}

/** The test run that a database belongs to, if there is one: runs start with `beginRun` and end with `endRun`. */
const runVariable = 'PORTREEVE_TEST_RUN';
const prefixOf = (run: string) => `t_${run}_`;
const newName = () => `${prefixOf(process.env[runVariable] ?? 'alone')}${randomUUID().replaceAll('-', '')}`;

/** Each drop waits for a checkpoint, which concurrent ones share. */
const dropsAtOnce = 8;
/** Larger databases are dropped before the end of the run. */
const keptBytesMax = 40_000_000;

const databaseAt = (postgres: Postgres, name: string): TestDatabase => ({
  name,
  ownerUrl: postgres.url(ownerRole, name),
  serviceUrl: postgres.url(serviceRole, name),
  drop: () =>
    administer(postgres, async (client) => {
      if (process.env[runVariable]) {
        // No row if the database was renamed.
        const { rows } = await client.query<{ bytes: string }>(
          'select pg_database_size(d.oid) as bytes from pg_database d where d.datname = $1',
          [name],
        );
        if (Number(rows[0]?.bytes ?? 0) < keptBytesMax) return;
      }
      await dropDatabase(client, name);
    }),
});

const dropDatabase = (client: pg.Client, name: string) => client.query(`drop database if exists ${name} with (force)`);

/**
 * From here on unused databases stay until the end of the run. On file systems that check recently deleted files before
 * creating others (ext4 without a journal does, for half a minute), a clone takes ten times as long after a drop.
 */
export function beginRun(): void {
  if (process.env[runVariable] !== undefined) return;
  process.env[runVariable] = randomUUID().slice(0, 8);
  isNamedHere = true;
}

/** False if another process named this run, which then removes its databases. */
let isNamedHere = false;

export async function endRun(): Promise<void> {
  // If all data is deleted with the machine or the run, the databases need not be dropped.
  if (!isNamedHere || process.env.PORTREEVE_TEST_DATABASES === 'leave') return;
  const postgres = await findPostgres(postgresFolder(checkout));
  if (!postgres) return;
  const names = await administer(postgres, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select d.datname as name from pg_database d where starts_with(d.datname, $1)`,
      [prefixOf(process.env[runVariable]!)],
    );
    return rows.map(({ name }) => name);
  });
  const dropRest = () =>
    administer(postgres, async (client) => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) await dropDatabase(client, name);
    });
  await Promise.all(Array.from({ length: dropsAtOnce }, dropRest));
}

/** Makes every new session of the database send the plans of its statements as notices. */
export async function logPlans({ name }: TestDatabase): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    client_min_messages: 'log',
  };
  const alter = async (client: pg.Client) => {
    for (const [setting, value] of Object.entries(settings))
      await client.query(`alter database ${name} set ${setting} = '${value}'`);
  };
  await administer(await testPostgres(), alter, superRole);
}
