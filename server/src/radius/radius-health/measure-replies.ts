import type { Sql } from '../../context.ts';

/** Minimum number of replies for a meaningful percentile or rate: a single reject at night is no failure. */
const repliesMin = 20;

/** Rows that began in the last five minutes, and those that the nodes have not stored yet. */
const measureSql = `with recent as (
  select h.accept_count, h.reject_count, h.duration_counts from radius_health h where h.id >= log_id_at(now() - interval '310 seconds')
), replies as (
  select coalesce(sum(c.accept_count + c.reject_count), 0) as total, coalesce(sum(c.reject_count), 0) as rejected from recent c
), classes as (
  select e.key::integer as ms, sum(sum(e.value::bigint)) over (order by e.key::integer) as up_to, sum(sum(e.value::bigint)) over () as total
  from recent c cross join lateral jsonb_each_text(c.duration_counts) e group by e.key::integer
)
select case when r.total >= $1 then 100.0 * r.rejected / r.total else 0 end::double precision as "rejectPercent",
  coalesce((select min(c.ms) from classes c where c.total >= $1 and c.up_to >= 0.95 * c.total), 0)::double precision as "p95Ms"
from replies r`;

/** Measures the RADIUS replies of the cell in the last five minutes; 0 with fewer than 20 replies. */
export async function measureReplies(client: Pick<Sql, 'query'>): Promise<{ p95Ms: number; rejectPercent: number }> {
  const { rows } = await client.query<{ p95Ms: number; rejectPercent: number }>(measureSql, [repliesMin]);
  return rows[0]!;
}
