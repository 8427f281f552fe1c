import type { Runtime } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { hasEngine } from '../rollout/rollout.service.ts';
import { radiusServiceDown, radiusServiceUp } from './radius-health.events.ts';

const isUpSql = 'select s.is_up as "isUp" from radius_engine_state s where s.node = $1';
const changeSql = `insert into radius_engine_state as s (node, is_up) values ($1, $2)
on conflict (node) do update set is_up = excluded.is_up, changed_at = clock_timestamp() where s.is_up <> excluded.is_up
returning xmax = 0 as "isNew"`;
const forgetSql = 'delete from radius_engine_state where node = $1';

/** Nodes that did not end properly keep their row in `cluster_node` and no longer renew it. */
const silentSql = `select s.node from radius_engine_state s join cluster_node n on n.node = s.node where s.is_up and not (${hasEngine}) order by s.node limit 100`;

/**
 * Stores whether the engine of a node responds, and emits an event if that changed. The state is in the database, so that it is reported
 * once, also after a restart of the node.
 */
export async function reportEngineState(
  runtime: Runtime,
  node: string,
  { isUp, cause }: { isUp: boolean; cause: string },
): Promise<void> {
  const { rows } = await runtime.pool.query<{ isUp: boolean }>(isUpSql, [node]);
  if (rows[0]?.isUp === isUp) return;
  await runtime.transact(systemOrigin('radius'), async ({ client, emit }) => {
    const { rows: changes } = await client.query<{ isNew: boolean }>(changeSql, [node, isUp]);
    const [change] = changes;
    // The first start of an engine is no recovery.
    if (!change || (isUp && change.isNew)) return;
    const element = { id: 0, name: node };
    if (isUp) await emit({ type: radiusServiceUp, element });
    else await emit({ type: radiusServiceDown, element, message: cause });
  });
}

/** Forgets a node whose engine is stopped on purpose, or that ends: another program supervises the engine from now on, or none. */
export async function forgetEngineState({ pool }: Pick<Runtime, 'pool'>, node: string): Promise<void> {
  await pool.query(forgetSql, [node]);
}

/** Reports the nodes that no longer report about their engines. Every node does so; the first one emits the event. */
export async function reportSilentNodes(runtime: Runtime): Promise<void> {
  const { rows } = await runtime.pool.query<{ node: string }>(silentSql);
  for (const { node } of rows)
    await reportEngineState(runtime, node, { isUp: false, cause: 'the node no longer reports about it.' });
}
