import pg from 'pg';
import type { Model } from '../../src/kernel/model/model.ts';
import { declaredSchema, schemaScript } from '../../src/kernel/schema/declared.ts';
import { difference } from '../../src/kernel/schema/difference.ts';
import { introspect, type TableFacts } from '../../src/kernel/schema/introspect.ts';
import { readMigrations } from '../../src/kernel/schema/migrate.ts';
import { migrateDatabase, migrationsFolder } from '../../src/node/migrate-database.ts';
import { emptyDatabase, type TestDatabase } from '../world/databases.ts';

/** Returns the differences between a migrated database and the declarations; an empty list if they match. */
export async function schemaDrift(
  model: Model,
  migrated?: TestDatabase,
  tableNames?: readonly string[],
): Promise<string[]> {
  const tables = tableNames ?? model.tables.map((table) => table.name);
  const declared = declaredSchema(model);
  const actual = migrated
    ? await factsOf(migrated, tables)
    : await withEmpty(async (database) => {
        await migrateDatabase(database.ownerUrl);
        return factsOf(database, tables);
      });
  const expectedFacts = await withEmpty(async (database) => {
    // The tables and functions that the kernel needs, without any resource.
    const kernel = (await readMigrations(migrationsFolder)).filter(({ name }) => /^\d{4}-kernel/.test(name));
    const scripts = kernel.map(({ sql }) => sql).join('\n');
    await runScript(database, `create table migration (name text);\n${scripts}\n${schemaScript(declared)}`);
    return factsOf(database, tables);
  });
  return difference(actual, expectedFacts, declared);
}

async function withEmpty<T>(work: (database: TestDatabase) => Promise<T>): Promise<T> {
  const database = await emptyDatabase();
  try {
    return await work(database);
  } finally {
    await database.drop();
  }
}

export async function runScript(database: TestDatabase, script: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    await client.query(script);
  } finally {
    await client.end();
  }
}

async function factsOf(database: TestDatabase, tables: readonly string[]): Promise<Map<string, TableFacts>> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    return await introspect(client, tables);
  } finally {
    await client.end();
  }
}
