import { fileURLToPath } from 'node:url';
import { foldCounters } from '../../kernel/upkeep.ts';
import { outboundGuard } from '../../parts/outbound/outbound.ts';
import { radiusClient } from '../../parts/radius/radius.ts';
import type { Service } from '../../service.ts';
import { migratedDatabase, tellPlans } from '../databases.ts';
import { openWorld } from '../open-world.ts';
import { runScript } from '../schema-drift.ts';
import { Stage } from '../stage.ts';
import { fillTables } from './fill.ts';
import { pinnedText, type TableSizes } from './pinned.ts';
import { type Observed, Walk } from './walk.ts';

export const pinnedFile = fileURLToPath(new URL('../../../sql.pinned.txt', import.meta.url));

/** Sends every operation to a service whose tables have many rows. */
export async function observeSql(): Promise<{ observed: readonly Observed[]; text: string }> {
  const database = await migratedDatabase();
  await tellPlans(database);
  // Nothing answers at 192.0.2.10 (RFC 5737): it need not be waited for as in earnest.
  const radius = radiusClient({ outbound: outboundGuard({ allow: [], refuse: [] }), timeoutMs: 20, tries: 1 });
  // One session: what it has prepared and planned is the same in every run, and who needs a second one is found out.
  const world = await openWorld({ database, parts: { radius }, connectionsMax: 1, jobs: 'enqueue' });
  try {
    const { service } = world;
    const stage = await Stage.open(world);
    for (const { operationId, example } of service.operations) {
      const [noun, verb] = operationId.split('.') as [string, string];
      if (verb === 'create' && noun !== 'token' && example) await stage.record(noun);
    }
    await fillTables(database, service.runtime.engine.model);
    await foldCounters(service.runtime);
    await runScript(database, 'vacuum analyze');
    const sizes = await tableSizes(service);
    const observed = await new Walk(world, stage).all();
    return { observed, text: pinnedText(observed, sizes) };
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
