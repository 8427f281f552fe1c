import pg from 'pg';
import {
  nextBoundary,
  type Schedule,
  scheduleHolds,
  type ZoneOffsets,
} from '../../src/policy/decide/decide.service.ts';
import { slowScheduleHolds } from '../decide/slow-engine.ts';

export interface SchedulesOptions {
  zones: readonly string[];
  /** The compared instants are a minute apart. */
  from: string;
  to: string;
}

export interface ZoneReport {
  zone: string;
  schedules: number;
  minutes: number;
  changes: number;
  differences: string[];
}

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
/** Boundaries are searched beyond the last compared minute. */
const beyondMs = 40 * dayMs;

const weekly = (daysOfWeek: number, startTimeOfDay: number, endTimeOfDay: number, alwaysOn = false): Schedule => ({
  alwaysOn,
  daysOfWeek,
  startTimeOfDay,
  endTimeOfDay,
});

/** Windows around every change of the clock, past midnight, of no length, of one minute, of all and of no days. */
export const schedules: readonly Schedule[] = [
  weekly(127, 0, 1_440, true),
  weekly(127, 0, 1_440),
  weekly(0, 480, 1_080),
  weekly(62, 480, 1_080),
  weekly(65, 1_320, 360),
  weekly(127, 1_320, 360),
  weekly(1, 120, 180),
  weekly(1, 60, 120),
  weekly(127, 90, 150),
  weekly(127, 120, 121),
  weekly(42, 600, 600),
  weekly(64, 1_440, 150),
  weekly(1, 150, 30),
];

/** Returns the offsets of a zone from PostgreSQL. */
async function zoneOffsets(client: pg.Client, name: string, fromMs: number, toMs: number): Promise<ZoneOffsets> {
  const { rows } = await client.query<{ ms: string; minutes: number }>(
    'select (extract(epoch from o.at) * 1000)::bigint as ms, o.offset_minutes as minutes from zone_offsets($1, $2, $3) o',
    [name, new Date(fromMs), new Date(toMs)],
  );
  return {
    name,
    fromMs,
    toMs,
    changes: rows.map(({ ms, minutes }) => ({ atMs: Number(ms), offsetMinutes: minutes })),
  };
}

/** Returns a character for each minute, `t` or `f`. */
const holdsSql = `select string_agg(case when weekly_schedule_holds($1, g.at, $2) then 't' else 'f' end, '' order by g.at) as answers
from generate_series($3::timestamptz, $4::timestamptz - interval '1 minute', interval '1 minute') g(at)`;

/**
 * Compares every minute of a span in several zones: engine, slow engine and SQL must agree, and the next boundary must
 * be the first minute with another result.
 */
export async function* compareSchedules(
  databaseUrl: string,
  { zones, from: start, to: end }: SchedulesOptions,
): AsyncGenerator<ZoneReport> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const [fromMs, toMs] = [Date.parse(start), Date.parse(end)];
    for (const name of zones) {
      const zone = await zoneOffsets(client, name, fromMs - dayMs, toMs + beyondMs);
      const report: ZoneReport = {
        zone: name,
        schedules: schedules.length,
        minutes: (toMs - fromMs) / minuteMs,
        changes: zone.changes.length - 1,
        differences: [],
      };
      for (const schedule of schedules) {
        const { rows } = await client.query<{ answers: string }>(holdsSql, [
          schedule,
          name,
          new Date(fromMs),
          new Date(toMs),
        ]);
        compareSchedule(schedule, zone, { fromMs, toMs, sql: rows[0]!.answers, differences: report.differences });
      }
      yield report;
    }
  } finally {
    await client.end();
  }
}

interface Compared {
  fromMs: number;
  toMs: number;
  sql: string;
  differences: string[];
}

function compareSchedule(schedule: Schedule, zone: ZoneOffsets, { fromMs, toMs, sql, differences }: Compared): void {
  const minutes = (toMs - fromMs + beyondMs) / minuteMs;
  const compared = (toMs - fromMs) / minuteMs;
  const answers = Array.from({ length: minutes }, (_, minute) =>
    slowScheduleHolds(schedule, zone, fromMs + minute * minuteMs),
  );
  /** The first minute whose result differs from the current one, found from the end. */
  let boundary: number | null = null;
  for (let minute = minutes - 2; minute >= 0; minute--) {
    if (answers[minute + 1] !== answers[minute]) boundary = fromMs + (minute + 1) * minuteMs;
    if (minute >= compared) continue;
    const atMs = fromMs + minute * minuteMs;
    const differ = (what: string, ours: unknown, expected: unknown) => {
      if (ours !== expected)
        differences.push(
          `${zone.name}, ${JSON.stringify(schedule)}, ${new Date(atMs).toISOString()}: ${what} ${String(ours)}, must be ${String(expected)}`,
        );
    };
    differ('the engine returns', scheduleHolds(schedule, zone, atMs), answers[minute]);
    differ('SQL says', sql[minute] === 't', answers[minute]);
    differ('the next boundary is', nextBoundary(schedule, zone, atMs), boundary);
  }
}
