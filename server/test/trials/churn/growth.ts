import type pg from 'pg';

/** PostgreSQL's statistics of a table. */
export interface Counted {
  table: Watched;
  inserted: number;
  updated: number;
  /** Updates that stayed on their page and changed no index. */
  hot: number;
  deleted: number;
  dead: number;
  bytes: number;
}

/** Tables that observed changes write, tables that they must not write, and those that report them. */
export const watched = [
  'connection_active',
  'connection_last',
  'ip_mac',
  'port',
  'network_device',
  'device_poll',
  'trap_seen',
  'adapter',
  'host',
  'change_feed',
  'row_count_delta',
  'event',
] as const;
export type Watched = (typeof watched)[number];

/** Tables whose updates change no indexed column. The port of an address is indexed, so a move changes an index. */
export const unindexed: readonly Watched[] = ['port', 'network_device', 'device_poll', 'ip_mac'];

const countedSql = `select w.name as table, sum(s.n_tup_ins)::integer as inserted, sum(s.n_tup_upd)::integer as updated,
  sum(s.n_tup_hot_upd)::integer as hot, sum(s.n_tup_del)::integer as deleted, sum(s.n_dead_tup)::integer as dead,
  sum(pg_total_relation_size(s.relid))::float as bytes
from unnest($1::text[]) w(name)
join pg_stat_user_tables s on s.relid = w.name::regclass or s.relid in (select i.inhrelid from pg_inherits i where i.inhparent = w.name::regclass)
group by 1`;

export type Counts = Readonly<Record<Watched, Counted>>;

export async function countedNow(sql: pg.Pool): Promise<Counts> {
  const { rows } = await sql.query<Counted>(countedSql, [watched]);
  return Object.fromEntries(rows.map((row) => [row.table, row])) as Counts;
}

/** Returns the differences of the counts, except for dead rows, which are the current ones. */
export function growthOf(before: Counts, after: Counts): Counted[] {
  return watched.map((table) => {
    const [earlier, later] = [before[table], after[table]];
    return {
      ...later,
      inserted: later.inserted - earlier.inserted,
      updated: later.updated - earlier.updated,
      hot: later.hot - earlier.hot,
      deleted: later.deleted - earlier.deleted,
      bytes: later.bytes - earlier.bytes,
    };
  });
}

/** Returns the share of a table's updates that stayed on their page. */
export const hotShare = ({ updated, hot }: Counted): number => (updated === 0 ? 1 : hot / updated);
