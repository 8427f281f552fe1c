import type { AfterRemoval, Context, Sql } from '../../context.ts';

/** Of a row `n` of `cluster_node`: the node lives, and runs an engine. */
export const hasEngine = `n.radius is not null and n.renewed > clock_timestamp() - interval '10 seconds'`;

const raiseSql = `with raised as (update config_generation set wanted = wanted + 1, raised_at = clock_timestamp() where topic = $1 returning wanted)
select raised.wanted, pg_notify($1 || '_changed', '') from raised`;

/** What the engines run on has changed: each node makes its files again, one node after another. */
export async function raiseRadius(client: Sql): Promise<void> {
  await client.query(raiseSql, ['radius']);
}

/** A node came, went or has another certificate: each of them reads whom it trusts. */
export async function raiseCluster(client: Sql): Promise<void> {
  await client.query(raiseSql, ['cluster']);
}

/** What nodes know of access devices has changed: each of them reads it again, and its engine forgets whom it concerns. */
export async function raiseAccessDevices(client: Sql): Promise<void> {
  await client.query('insert into nas_change default values on conflict do nothing');
}

/** Engines run on other files once records are gone: a rule of those that they run on. */
export const raiseGenerationAfterDelete = async (_ids: readonly number[], { tx }: Context): Promise<AfterRemoval> => {
  return () => raiseRadius(tx.client);
};
