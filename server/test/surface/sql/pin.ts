import { fileURLToPath } from 'node:url';
import { foldCounters } from '../../../src/kernel/operations/maintenance-jobs.ts';
import type { Service } from '../../../src/node/start-service.ts';
import { probeGuard } from '../../../src/protocols/outbound/probe-guard.ts';
import { radiusClient } from '../../../src/protocols/radius/radius.ts';
import { logPlans, migratedDatabase } from '../../world/databases.ts';
import { Stage } from '../../world/example-fixtures.ts';
import { loopback, openWorld } from '../../world/open-world.ts';
import { runScript } from '../schema-drift.ts';
import { domainsOfDeclarations } from './domains.ts';
import { fillTables } from './fill.ts';
import { type PinnedFiles, pinnedFiles, type TableSizes } from './pinned.ts';
import { type Observed, Walk } from './walk.ts';

/** The folder of the pinned files: one for each domain, and `shared.txt`. */
export const pinnedFolder = fileURLToPath(new URL('../../../sql/', import.meta.url));

/** Resources that are only in tables of the node: the walk creates what it needs of them. */
const issued: ReadonlySet<string> = new Set(['token', 'account', 'user']);

/** Sends every operation to a service whose tables have many rows, and records the SQL. */
export async function observeSql(): Promise<{ observed: readonly Observed[]; files: PinnedFiles }> {
  const database = await migratedDatabase();
  await logPlans(database);
  // The address of the example is not probed: only loopback is.
  const radius = radiusClient({
    outbound: probeGuard({ allow: [], refuse: [], networks: loopback }),
    timeoutMs: 20,
    tries: 1,
  });
  // One database connection, so prepared statements and plans are the same in every run, and an operation that needs a
  // second connection fails.
  const world = await openWorld({ database, parts: { radius }, connectionsMax: 1, jobs: 'enqueue' });
  try {
    const { service } = world;
    const stage = await Stage.open(world);
    for (const { operationId, example } of service.operations) {
      const [noun, verb] = operationId.split('.') as [string, string];
      if (verb === 'create' && !issued.has(noun) && example) await stage.record(noun);
    }
    await fillTables(database, service.runtime.engine.model);
    await foldCounters(service.runtime);
    await runScript(database, 'vacuum analyze');
    const sizes = await tableSizes(service);
    const observed = await new Walk(world, stage, await domainsOfDeclarations()).all();
    return { observed, files: pinnedFiles(observed, sizes) };
  } finally {
    await world.close();
  }
}

async function tableSizes({ runtime }: Service): Promise<TableSizes> {
  const { rows } = await runtime.pool.query<{ name: string; rows: number; of: string | null }>(
    `select c.relname as name, greatest(c.reltuples, 0)::integer as rows, p.relname as of
     from pg_class c
     left join pg_inherits i on i.inhrelid = c.oid
     left join pg_class p on p.oid = i.inhparent
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ name, of, ...size }) => [name, { ...size, ...(of && { of }) }]));
}
