import type { AfterRemoval, Context, Sql } from '../../context.ts';

/** SQL condition on a row `n` of `cluster_node`: the node is alive and runs an engine. */
export const hasEngine = `n.radius is not null and n.renewed > clock_timestamp() - interval '10 seconds'`;

const raiseSql = `with raised as (update config_generation set wanted = wanted + 1, raised_at = clock_timestamp() where topic = $1 returning wanted)
select raised.wanted, pg_notify($1 || '_changed', '') from raised`;

/** Raises the generation of the engines' configuration, after which the nodes write their files again, one node after another. */
export async function raiseRadius(client: Sql): Promise<void> {
  await client.query(raiseSql, ['radius']);
}

/** Raises the generation of the cluster, after which each node reads the trusted certificates: a node was added, removed or has a new one. */
export async function raiseCluster(client: Sql): Promise<void> {
  await client.query(raiseSql, ['cluster']);
}

/** Records a change of access devices, after which each node loads them again and removes the changed ones from its engine's cache. */
export async function raiseAccessDevices(client: Sql): Promise<void> {
  await client.query('insert into nas_change default values on conflict do nothing');
}

/** Rule of the resources that the engines' files depend on: raises the generation after a deletion. */
export const raiseGenerationAfterDelete = async (_ids: readonly number[], { tx }: Context): Promise<AfterRemoval> => {
  return () => raiseRadius(tx.client);
};
