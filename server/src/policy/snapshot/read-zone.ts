import type pg from 'pg';
import type { OffsetChange, ZoneOffsets } from '../decide/decide.service.ts';

/** Before and after now. */
const spanDays = 400;
const dayMs = 86_400_000;

const zoneSql = `select (extract(epoch from o.at) * 1000)::double precision as "atMs", o.offset_minutes as "offsetMinutes"
from zone_offsets($1, to_timestamp($2::double precision / 1000), to_timestamp($3::double precision / 1000)) o order by o.at`;

/** The offsets of the cell's zone around now; those that are known as long as they still reach far enough. */
export async function readZone(
  client: pg.ClientBase,
  name: string,
  nowMs: number,
  known: ZoneOffsets | undefined,
): Promise<ZoneOffsets> {
  const fromMs = Math.floor(nowMs / dayMs - spanDays) * dayMs;
  const toMs = fromMs + 2 * spanDays * dayMs;
  if (known?.name === name && known.fromMs === fromMs) return known;
  const { rows } = await client.query<OffsetChange>({
    name: 'snapshot.zone',
    text: zoneSql,
    values: [name, fromMs, toMs],
  });
  return { name, fromMs, toMs, changes: rows };
}
