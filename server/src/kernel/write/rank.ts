import type pg from 'pg';
import type { Visibility } from '../access/visibility.ts';
import { Parameters } from '../database/parameters.ts';
import { quoted } from '../declare/names.ts';
import { rejected } from '../failure.ts';
import type { Table } from '../model/model.ts';

/**
 * Makes changes of a collection's order run one after the other. Runs before any row is locked, so that two of them
 * cannot deadlock.
 */
export async function lockRanks(client: pg.PoolClient, table: Table): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('rank'), hashtext($1))`, [table.name]);
}

const highestRank = async (client: pg.PoolClient, table: Table): Promise<number> => {
  const { rows } = await client.query<{ highest: number }>(
    `select coalesce(max(r.rank), 0)::integer as highest from ${quoted(table.name)} r`,
  );
  return rows[0]!.highest;
};

/** Shifts records to make room for a new one, and returns its rank; 0 requests the last rank. */
export async function makeRoom(
  client: pg.PoolClient,
  table: Table,
  requestedRank: number,
  visibility: Visibility,
): Promise<number> {
  const last = (await highestRank(client, table)) + 1;
  if (requestedRank === 0 || requestedRank === last) return last;
  if (requestedRank > last) throw rejected(`rank: ${requestedRank} is too high; the highest rank is ${last}.`, '/rank');
  await refuseHiddenBetween(client, table, requestedRank, last, visibility);
  await client.query(`update ${quoted(table.name)} set rank = rank + 1 where rank >= $1`, [requestedRank]);
  return requestedRank;
}

/** Shifts the records between two ranks, so that one record can move; the caller updates the row of that record. */
export async function shiftBetween(
  client: pg.PoolClient,
  table: Table,
  id: number,
  oldRank: number,
  newRank: number,
  visibility: Visibility,
): Promise<void> {
  const last = await highestRank(client, table);
  if (newRank > last) throw rejected(`rank: ${newRank} is too high; the highest rank is ${last}.`, '/rank');
  const [low, high, step] = newRank < oldRank ? [newRank, oldRank - 1, 1] : [oldRank + 1, newRank, -1];
  await refuseHiddenBetween(client, table, low, high, visibility);
  await client.query(`update ${quoted(table.name)} set rank = rank + $4 where rank between $2 and $3 and id <> $1`, [
    id,
    low,
    high,
    step,
  ]);
}

/**
 * Refuses to shift records that the caller does not see: their order decides about users outside the caller's
 * responsibility.
 */
async function refuseHiddenBetween(
  client: pg.PoolClient,
  table: Table,
  low: number,
  high: number,
  visibility: Visibility,
): Promise<void> {
  const parameters = new Parameters([low, high]);
  const visibleCondition = visibility.condition(table.declaration, parameters);
  if (!visibleCondition) return;
  const { rowCount } = await client.query(
    `select from ${quoted(table.name)} r where r.rank between $1 and $2 and not (${visibleCondition}) limit 1`,
    parameters.values,
  );
  if (rowCount)
    throw rejected(
      `rank: there are records between the two ranks that you may not see; swap with a visible record instead.`,
      '/rank',
    );
}

/** Closes the gaps after a deletion, so that ranks stay dense from 1. Ranks below `first` do not change. */
export async function closeGaps(client: pg.PoolClient, table: Table, first: number): Promise<void> {
  await client.query(
    `update ${quoted(table.name)} t
     set rank = s.place
     from (select r.id, ($1 - 1 + row_number() over (order by r.rank))::integer as place
       from ${quoted(table.name)} r where r.rank > $1) s
     where s.id = t.id`,
    [first],
  );
}
