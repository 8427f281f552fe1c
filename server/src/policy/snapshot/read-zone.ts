import type pg from 'pg';
import type { OffsetChange, ZoneOffsets } from '../decide/decide.service.ts';

/** Days before and after now. */
const spanDays = 400;
const dayMs = 86_400_000;

const zoneSql = `select (extract(epoch from o.at) * 1000)::double precision as "atMs", o.offset_minutes as "offsetMinutes"
from zone_offsets($1, to_timestamp($2::double precision / 1000), to_timestamp($3::double precision / 1000)) o order by o.at`;

/** Returns the offsets of the cell's time zone around now, cached for the same zone and day. */
export async function readZone(
  client: pg.ClientBase,
  name: string,
  nowMs: number,
  cachedZone: ZoneOffsets | undefined,
): Promise<ZoneOffsets> {
  const fromMs = Math.floor(nowMs / dayMs - spanDays) * dayMs;
  const toMs = fromMs + 2 * spanDays * dayMs;
  if (cachedZone?.name === name && cachedZone.fromMs === fromMs) return cachedZone;
  const { rows } = await client.query<OffsetChange>({
    name: 'snapshot.zone',
    text: zoneSql,
    values: [name, fromMs, toMs],
  });
  return { name, fromMs, toMs, changes: rows };
}
