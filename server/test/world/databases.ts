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

/** A database of its own, gone after use. */
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

/** Runs statements on the database that databases are made from; as the owner, unless that is not enough. */
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

/** An empty database, in the locale that every sort relies on. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const postgres = await testPostgres();
  return administer(postgres, async (client) => {
    const name = newName();
    await client.query(`create database ${name} template template0 encoding 'UTF8' locale 'C.UTF-8'`);
    return databaseAt(postgres, name);
  });
}

/** The next one that this process asks for, where there is a run that removes it if nobody does. */
let next: Promise<TestDatabase> | undefined;

/** A migrated database. The next is made while the tests of this one run. */
export function migratedDatabase(): Promise<TestDatabase> {
  const database = next ?? cloneTemplate();
  next = process.env[runVariable] === undefined ? undefined : database.then(cloneTemplate, cloneTemplate);
  // Whoever asks for it hears of a failure.
  next?.catch(() => undefined);
  return database;
}

/** Cloned from a template that is migrated once for each state of the migrations. */
async function cloneTemplate(): Promise<TestDatabase> {
  const postgres = await testPostgres();
  const migrations = await readMigrations(migrationsFolder);
  const state = createHash('sha256')
    .update(migrations.map((migration) => migration.sha256).join())
    .digest('hex')
    .slice(0, 16);
  const template = `template_${state}`;
  return administer(postgres, async (client) => {
    // Workers that start at once: the first migrates, the others wait and clone.
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

/** The run of tests that a database is made in, if it is one: they begin with `beginRun` and end with `endRun`. */
const runVariable = 'PORTREEVE_TEST_RUN';
const prefixOf = (run: string) => `t_${run}_`;
const newName = () => `${prefixOf(process.env[runVariable] ?? 'alone')}${randomUUID().replaceAll('-', '')}`;

/** Each waits for a checkpoint, which they share. */
const dropsAtOnce = 8;
/** Larger ones do not wait for the end of the run. */
const keptBytesMax = 40_000_000;

const databaseAt = (postgres: Postgres, name: string): TestDatabase => ({
  name,
  ownerUrl: postgres.url(ownerRole, name),
  serviceUrl: postgres.url(serviceRole, name),
  drop: () =>
    administer(postgres, async (client) => {
      if (process.env[runVariable]) {
        // None, where it has another name by now.
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
 * From here on databases that are not used any more stay until the end of the run. Where the file system looks at each file that it has
 * just forgotten before it makes another (ext4 without a journal does, for half a minute), a clone takes ten times as long after a drop.
 */
export function beginRun(): void {
  if (process.env[runVariable] !== undefined) return;
  process.env[runVariable] = randomUUID().slice(0, 8);
  isNamedHere = true;
}

/** Otherwise whoever started this run gave it its name, and removes its databases. */
let isNamedHere = false;

export async function endRun(): Promise<void> {
  // Where all the data goes with the machine, or with the run, nobody waits for each of them.
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

/** Has every session that opens the database from now on told, as notices, how each of its statements was carried out. */
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
