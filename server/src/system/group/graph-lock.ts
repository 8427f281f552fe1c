import type pg from 'pg';

const graph = `hashtext('group-graph')`;

/** Nesting, and what roles make of it, changes one after the other. Taken before any row is locked, so that two changes cannot wait for each other. */
export async function lockGraph(client: pg.PoolClient): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${graph})`);
}

/** Members may come and go at the same time, but not while the nesting changes: both decide what an element is in. */
export async function lockGraphShared(client: pg.PoolClient): Promise<void> {
  await client.query(`select pg_advisory_xact_lock_shared(${graph})`);
}
