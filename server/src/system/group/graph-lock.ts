import type pg from 'pg';

const graph = `hashtext('group-graph')`;

/** Serialises changes of the nesting and of the roles that depend on it. Taken before any row lock, to avoid deadlocks. */
export async function lockGraph(client: pg.PoolClient): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${graph})`);
}

/** Allows concurrent changes of members, but not while the nesting changes, because both determine the groups of an element. */
export async function lockGraphShared(client: pg.PoolClient): Promise<void> {
  await client.query(`select pg_advisory_xact_lock_shared(${graph})`);
}
