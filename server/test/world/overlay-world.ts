import { catalogue } from '../../src/catalogue.ts';
import type { Context, NodeDependencies } from '../../src/context.ts';
import { tableOf } from '../../src/kernel/declare/declaration.ts';
import type { Resource } from '../../src/kernel/operations/resource.ts';
import { modelFor } from '../../src/node/start-service.ts';
import { runScript, schemaDrift } from '../surface/schema-drift.ts';
import { migratedDatabase } from './databases.ts';
import { type World, type WorldOptions, world } from './world.ts';

/**
 * Opens a test world with resources that are not in the catalogue; their tables are created as the next migration would
 * create them. Tables that a migration creates already are left to it.
 */
export async function overlayWorld(
  groups: readonly Resource<Context, NodeDependencies>[],
  options: WorldOptions & { script?: string } = {},
): Promise<World> {
  const servedNames = new Set(catalogue.map(({ declaration }) => declaration.name));
  const added = groups.filter(({ declaration }) => !servedNames.has(declaration.name));
  const database = await migratedDatabase();
  const tables = groups.map((group) => tableOf(group.declaration));
  const missing = await schemaDrift(modelFor([...catalogue, ...added]), database, tables);
  await runScript(database, [...missing, options.script ?? ''].join('\n'));
  return world({ ...options, database, overlay: { ...options.overlay, groups: added } });
}
