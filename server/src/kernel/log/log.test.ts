import { describe, expect, test } from 'vitest';
import { brewingSession, cup, logGroups } from '../../../test/overlay/logs.ts';
import { asOwner, idOnDay, pastDays, sliceDate } from '../../../test/trials/slices.ts';
import type { Reply } from '../../../test/world/client.ts';
import { overlayWorld } from '../../../test/world/overlay-world.ts';
import { seesEverything } from '../access/visibility.ts';
import { inTransaction } from '../database/transaction.ts';
import { modelOf } from '../model/model.ts';
import { foldCounters } from '../operations/maintenance-jobs.ts';

describe('a log', async () => {
  const { admin, service, database } = await overlayWorld(logGroups);
  const { daysAgoMs, makePastSlices } = pastDays();
  const { pool } = service.runtime;
  const counts = async (log: string) => {
    const { rows } = await pool.query<{ total: number; counted: number }>(
      `select row_total('${log}') as total, (select count(*) from ${log}) as counted`,
    );
    return rows[0]!;
  };
  const slicesOf = async (log: string) => {
    const { rows } = await pool.query<{ slice: string }>(
      `select inhrelid::regclass::text as slice from pg_inherits where inhparent = '${log}'::regclass order by 1`,
    );
    return rows.map(({ slice }) => slice);
  };
  const plan = async (sql: string) => {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${sql}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  test('has its slices made ahead, and none that takes what fits nowhere', async () => {
    const { rows: dates } = await pool.query<{ day: string; week: string }>(
      `select to_char(now(), 'YYYYMMDD') as day, to_char(date_trunc('week', now()) - interval '7 days', 'YYYYMMDD') as week, make_log_slices(7)`,
    );
    // The slices of the day before exist too if midnight passed since the service started.
    const since = async (log: string, day: string) => (await slicesOf(log)).filter((slice) => slice >= `${log}_${day}`);
    expect(await since('cup', dates[0]!.day)).toHaveLength(8);
    expect(await since('brewing_session', dates[0]!.week)).toHaveLength(9);
    const { rows } = await pool.query(
      `select from pg_class where relnamespace = 'public'::regnamespace and relispartition and pg_get_expr(relpartbound, oid) = 'DEFAULT'`,
    );
    expect(rows).toEqual([]);
  });

  test('makes the slice a row needs, unless the row is older than rows get', async () => {
    const insert = (days: number) =>
      inTransaction(pool, (client) =>
        client.query(`insert into cup (id, drink, machine_id, extras) values ($1, 'late', 1, '[]')`, [
          idOnDay(daysAgoMs(days), days),
        ]),
      );
    await insert(12);
    expect(await slicesOf('cup')).toContain(`cup_${sliceDate(daysAgoMs(12)).replaceAll('-', '')}`);
    await expect(insert(31)).rejects.toThrow('no partition of relation');
    const ended = new Date(daysAgoMs(20)).toISOString();
    await inTransaction(pool, (client) =>
      client.query(`insert into brewing_session (id, user_name, end_time, outcome) values ($1, 'ann', $2, 'SERVED')`, [
        idOnDay(daysAgoMs(21), 0),
        ended,
      ]),
    );
    expect(await counts('brewing_session')).toEqual({ total: 1, counted: 1 });
  });

  test('has ids that two sessions cannot both give, however long one of them was idle', async () => {
    const [idle, busy] = [await pool.connect(), await pool.connect()];
    try {
      const draw = async (client: typeof idle, count: number) => {
        const { rows } = await client.query<{ last: number }>(
          `select max(nextval('log_sequence')) as last from generate_series(1, ${count})`,
        );
        return rows[0]!.last;
      };
      await draw(idle, 1);
      // As many ids as the lowest bits of an id can distinguish.
      const last = await draw(busy, 8_192);
      expect(await draw(idle, 1)).toBeGreaterThan(last);
    } finally {
      idle.release();
      busy.release();
    }
  });

  test('counts its rows by slice, and the total is their sum', async () => {
    await makePastSlices(database, 'cup', [3, 4]);
    const before = (await counts('cup')).total;
    for (const day of [3, 4])
      await pool.query(
        `insert into cup (id, drink, machine_id, extras) select $1::bigint + n, 'tea', n, '[]' from generate_series(1, 50) n`,
        [idOnDay(daysAgoMs(day), 1_000)],
      );
    expect(await counts('cup')).toEqual({ total: before + 100, counted: before + 100 });
    await foldCounters(service.runtime);
    const { rows } = await pool.query<{ slice: string; rows: number }>(
      `select slice::text, rows from row_count where table_name = 'cup' and slice = any($1) order by slice`,
      [[sliceDate(daysAgoMs(4)), sliceDate(daysAgoMs(3))]],
    );
    expect(rows.map((row) => row.rows)).toEqual([50, 50]);
    expect((await counts('cup')).total).toBe(before + 100);
  });

  test('is read newest first, and every form of a time bound becomes a bound on the key', async () => {
    const day = sliceDate(daysAgoMs(3));
    const nextDay = sliceDate(daysAgoMs(2));
    const countMatches = async (filter: string) =>
      (await admin.get(`${cup.path}?filter=${encodeURIComponent(filter)}`)).body as { filtered: number };
    expect((await countMatches(`madeAt>=${day};madeAt<${nextDay}`)).filtered).toBe(50);
    expect((await countMatches(`(madeAt<${day},madeAt>=${nextDay});machineID=gt=0`)).filtered).toBe(51);
    // Until the start of that day, at any present time of day.
    const hours = Math.ceil((Date.now() - daysAgoMs(3)) / 3_600_000);
    expect((await countMatches(`madeAt=ge=-${hours}h;drink==tea`)).filtered).toBe(50);
    expect((await countMatches(`madeAt!=${day}T00:00:01Z`)).filtered).toBeGreaterThan(50);
    const { results } = (await admin.get(`${cup.path}?count=5`)).body;
    const ids = results!.map((record) => record.id as number);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
  });

  test('is walked from the newest to the oldest row through all slices, whatever the page size', async () => {
    const { rows } = await pool.query<{ id: number }>('select id from cup order by id desc');
    for (const count of [1, 7, 50, 1_000]) {
      const walked: unknown[] = [];
      let path: string | undefined = `${cup.path}?count=${count}`;
      while (path) {
        const reply: Reply = await admin.get(path);
        expect(reply.body.total).toBe(rows.length);
        walked.push(...reply.body.results!.map(({ id }) => id));
        path = /<([^>]+)>/.exec(String(reply.headers.link ?? ''))?.[1];
      }
      expect(walked).toEqual(rows.map(({ id }) => id));
    }
  });

  test('closed by its end lies in the slice of its end, is read by it, and is found by its id and its start', async () => {
    const started = daysAgoMs(2);
    const id = idOnDay(started, 7);
    await pool.query(
      `insert into brewing_session (id, user_name, end_time, outcome) values ($1, 'bob', now(), 'OUT_OF_BEANS')`,
      [id],
    );
    expect(await admin.fetch(brewingSession, id)).toMatchObject({
      userName: 'bob',
      startTime: new Date(started + 7).toISOString(),
    });
    const { results } = (await admin.get(brewingSession.path!)).body;
    expect(results!.map(({ userName }) => userName)).toEqual(['bob', 'ann']);
    const since = `${brewingSession.path}?filter=startTime=ge=${sliceDate(started)}`;
    expect((await admin.get(since)).body.results!.map(({ userName }) => userName)).toEqual(['bob']);
    const walked = await admin.get(`${brewingSession.path}?count=1`);
    const link = String(walked.headers.link).match(/<([^>]+)>/)![1]!;
    expect((await admin.get(link)).body.results!.map(({ userName }) => userName)).toEqual(['ann']);
    const scans = (text: string) => text.match(/Scan/g)!.length;
    const all = scans(await plan('select * from brewing_session r where r.id = 1'));
    const pruned = scans(
      await plan(`select * from brewing_session r where r.id = ${id} and r.end_time >= log_time(${id})`),
    );
    expect(pruned).toBeLessThan(all);
  });

  test('recommends a narrower time range if a read takes too long', async () => {
    const slow = await service.runtime.read(async (client) => {
      await client.query(`set statement_timeout = 20`);
      const answer = service.runtime
        .reader('cup', seesEverything)
        .list(client, { filter: [], start: 0, count: 0, restrict: () => 'pg_sleep(1) is not null' }, Date.now())
        .catch((error: Error) => error);
      const caught = await answer;
      await client.query('reset statement_timeout');
      return caught;
    });
    expect(slow).toMatchObject({
      word: 'too-expensive',
      message: expect.stringContaining('narrow the time range, such as madeAt=ge=-24h'),
    });
  });

  test('cannot be changed, emptied, or taken apart by the role that serves', async () => {
    const forbidden = [
      `update cup set drink = 'x'`,
      'delete from cup',
      'truncate cup',
      `delete from ${(await slicesOf('cup'))[0]}`,
      `drop table ${(await slicesOf('cup'))[0]}`,
      `update log_table set removable = true`,
      `insert into log_archive (name) values ('x')`,
      `update log_archive set rows = 1`,
      'delete from log_tombstone',
      `select make_log_slice(t, '2026-01-01') from log_table t`,
    ];
    for (const statement of forbidden)
      await expect(pool.query(statement), statement).rejects.toThrow(/permission denied|must be owner/);
    for (const [statement, words] of [
      [`select detach_log_slice('cup', '${sliceDate(daysAgoMs(3))}')`, 'is not due'],
      [`select detach_log_slice('user_account', '2026-01-01')`, 'there is no log called user_account'],
      [`select begin_log_import('cell', '2026-01-01', 1)`, 'there is no log called cell'],
      [`select remove_log_rows('brewing_session', '{1}')`, 'rows of brewing_session are not removed'],
    ] as const)
      await expect(pool.query(statement), statement).rejects.toThrow(words);
  });

  test('keeps a slice that is due until it is archived, and takes its count along when it goes', async () => {
    await makePastSlices(database, 'cup', [40]);
    const day = sliceDate(daysAgoMs(40));
    await pool.query(
      `insert into cup (id, drink, machine_id, extras) select $1::bigint + n, 'old', n, '[]' from generate_series(1, 9) n`,
      [idOnDay(daysAgoMs(40), 0)],
    );
    const before = await counts('cup');
    await expect(pool.query(`select detach_log_slice('cup', '${day}')`)).rejects.toThrow('is not archived');
    await asOwner(database, (client) =>
      client.query(`update log_setting set value = 0 where name = 'archiveBeforePurge'`),
    );
    const { rows } = await pool.query<{ gone: number }>(`select detach_log_slice('cup', '${day}') as gone`);
    expect(rows[0]!.gone).toBe(9);
    expect(await counts('cup')).toEqual({ total: before.total - 9, counted: before.counted - 9 });
    expect((await pool.query<{ dropped: number }>('select drop_log_leftovers() as dropped')).rows[0]!.dropped).toBe(1);
    await expect(
      pool.query(`select detach_log_slice('brewing_session', date_trunc('week', now() - interval '21 days')::date)`),
    ).rejects.toThrow('is not due');
  });

  test('is refused when its declaration contradicts itself', () => {
    const ids = new Set<string>();
    expect(() => modelOf([{ ...brewingSession, closedBy: 'userName' }], ids)).toThrow(
      'is closed by userName, which is not a time',
    );
    expect(() => modelOf([{ ...cup, added: { 2: ['drink'] } }], ids)).toThrow('added drink without a default');
    expect(() => modelOf([{ ...cup, timeField: 'at' }], ids)).toThrow('has no field at, which is its time');
  });
});
