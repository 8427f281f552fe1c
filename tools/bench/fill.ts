import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migratedDatabase, testPostgres } from '@portreeve/server/test/world/databases.ts';
import { ownerRole, type Postgres, serviceRole } from '@portreeve/testbed/postgres.ts';
import type pg from 'pg';
import { fillHosts, type ImportFigures } from './fill-hosts.ts';
import { fillPortsSql } from './fill-ports.ts';
import { onDatabaseUrl } from './on-database-url.ts';
import type { Filling } from './subjects/subject.ts';

/** A filled database, with the URLs of owner and service. */
export interface FilledDatabase {
  name: string;
  filling: Filling;
  /** The number of ports, or hosts. */
  size: number;
  ownerUrl: string;
  serviceUrl: string;
}

export interface FillOptions {
  say(line: string): void;
  /** A benchmark that changes the content gets a database of its own, with this name. */
  use?: string;
  /** Fills a new database even if a template exists. */
  anew?: boolean;
  /** Called with the duration of an import, if there was one. */
  imported?(figures: ImportFigures): void;
}

/** Simulates a cell that is some days old: the feed is purged and the counters are folded. */
const settleSql = `
  truncate change_feed;
  insert into row_count (table_name, slice, rows) select d.table_name, d.slice, sum(d.delta) from row_count_delta d group by d.table_name, d.slice
  on conflict (table_name, slice) do update set rows = row_count.rows + excluded.rows;
  truncate row_count_delta;`;

/** Hosts are imported through the API; increase this number if their import changes. */
const hostsEdition = 3;
const editionOf: Readonly<Record<Filling, (size: number) => string>> = {
  ports: fillPortsSql,
  hosts: (size) => `hosts ${size} ${hostsEdition}`,
};

/**
 * Returns a database with such content, cloned from a template that is filled once for each state of the migrations.
 */
export async function filledDatabase(
  filling: Filling,
  size: number,
  options: FillOptions,
): Promise<FilledDatabase & { drop(): Promise<void> }> {
  const postgres = await testPostgres();
  const template = await filledTemplate(postgres, filling, size, options);
  const name = ['bench', process.pid, filling, size, options.use].filter(Boolean).join('_');
  const drop = () => administer(postgres, (client) => client.query(`drop database if exists ${name} with (force)`));
  await drop();
  await administer(postgres, (client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  return {
    name,
    filling,
    size,
    ownerUrl: postgres.url(ownerRole, name),
    serviceUrl: postgres.url(serviceRole, name),
    drop: async () => void (await drop()),
  };
}

async function filledTemplate(
  postgres: Postgres,
  filling: Filling,
  size: number,
  options: FillOptions,
): Promise<string> {
  const migrated = await migratedDatabase();
  try {
    const { rows } = await onDatabaseUrl(migrated.ownerUrl, (client) =>
      client.query<{ state: string }>(`select string_agg(m.sha256, ',' order by m.name) as state from migration m`),
    );
    const state = createHash('sha256')
      .update(`${rows[0]!.state}${editionOf[filling](size)}`)
      .digest('hex')
      .slice(0, 12);
    const kind = `${filling}_${size}`;
    const template = `bench_template_${state}_${kind}`;
    const existing = await administer(postgres, (client) =>
      client.query('select from pg_database where datname = $1', [template]),
    );
    if (existing.rowCount === 1 && !options.anew) return template;
    const started = performance.now();
    await fill({ ...migrated, filling, size }, options);
    await onDatabaseUrl(migrated.ownerUrl, async (client) => {
      await client.query(settleSql);
      await client.query('vacuum (freeze, analyze)');
    });
    await administer(postgres, async (client) => {
      await dropOlderTemplates(client, kind);
      await client.query(`alter database ${migrated.name} rename to ${template}`);
    });
    options.say(
      `filled ${size.toLocaleString('en')} ${filling} in ${((performance.now() - started) / 1_000).toFixed(1)} s; kept as ${template}`,
    );
    return template;
  } finally {
    await migrated.drop();
  }
}

async function fill(database: FilledDatabase, { say, imported }: FillOptions): Promise<void> {
  if (database.filling === 'ports') {
    await onDatabaseUrl(database.ownerUrl, (client) => client.query(fillPortsSql(database.size)));
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-bench-'));
  try {
    const figures = await fillHosts(database, folder, say);
    imported?.(figures);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Drops templates of earlier migrations, which are large and unused. */
async function dropOlderTemplates(client: pg.Client, kind: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select d.datname as name from pg_database d where d.datname ~ ('^bench_template_[0-9a-f]{12}_' || $1::text || '$')`,
    [kind],
  );
  for (const { name } of rows) await client.query(`drop database ${name} with (force)`);
}

const administer = async <T>(postgres: Postgres, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  onDatabaseUrl(postgres.url(ownerRole, 'postgres'), work);
