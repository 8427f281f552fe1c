import { catalogue } from '../catalogue.ts';
import type { Context } from '../context.ts';
import type { Group } from '../kernel/action.ts';
import { tableOf } from '../kernel/declare.ts';
import { modelFor } from '../service.ts';
import { migratedDatabase } from './databases.ts';
import { runScript, schemaDrift } from './schema-drift.ts';
import { type World, type WorldOptions, world } from './world.ts';

/** A world with groups beyond the catalogue: their tables are made as the next migration would make them. Those that it has by now are left to it. */
export async function overlayWorld(
  groups: readonly Group<Context>[],
  options: WorldOptions & { script?: string } = {},
): Promise<World> {
  const known = new Set(catalogue.map(({ declaration }) => declaration.name));
  const added = groups.filter(({ declaration }) => !known.has(declaration.name));
  const database = await migratedDatabase();
  const tables = groups.map((group) => tableOf(group.declaration));
  const missing = await schemaDrift(modelFor([...catalogue, ...added]), database, tables);
  await runScript(database, [...missing, options.script ?? ''].join('\n'));
  return world({ ...options, database, overlay: { ...options.overlay, groups: added } });
}
