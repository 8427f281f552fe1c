import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { logGroups } from '../../../test/overlay/logs.ts';
import { idOnDay, pastDays } from '../../../test/trials/slices.ts';
import { overlayWorld } from '../../../test/world/overlay-world.ts';
import { systemOrigin } from '../declare/caller.ts';
import { copyIn, copyLine } from './copy.ts';
import { LogWriter, type LogWriterOptions, reportOverload } from './log-writer.ts';

/** Number of batches that lose their session before the test ends. */
const endedMin = 3;

describe('the writer of a log', async () => {
  const { service, database } = await overlayWorld(logGroups);
  const { pool } = service.runtime;
  const writers: LogWriter[] = [];
  afterAll(() => Promise.all(writers.map((writer) => writer.close())));
  const errors: unknown[] = [];
  const writer = (options: Partial<LogWriterOptions> = {}) => {
    const logWriter = new LogWriter({
      pool,
      table: 'cup',
      columns: ['drink', 'machine_id', 'extras'],
      onOverload: () => undefined,
      onError: (error) => void errors.push(error),
      ...options,
    });
    writers.push(logWriter);
    return logWriter;
  };
  const rowsOf = async (drink: string) =>
    (await pool.query<{ count: number }>('select count(*) from cup where drink = $1', [drink])).rows[0]!.count;
  const totals = async () =>
    (await pool.query(`select row_total('cup') as total, (select count(*) from cup) as counted`)).rows[0] as {
      total: number;
      counted: number;
    };

  test('COPY gives back any text, number and list as it was', async () => {
    const client = await pool.connect();
    await client.query('create temp table copied (n integer, line text, cells jsonb)');
    const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0') && value.isWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.option(text), fc.array(text)), { maxLength: 20 }), async (rows) => {
        const lines = rows.map(([line, cells], n) => Buffer.from(copyLine([n, line, cells])));
        expect(await copyIn(client, 'copy copied from stdin', lines)).toBe(rows.length);
        const { rows: copiedRows } = await client.query('delete from copied returning n, line, cells');
        expect(copiedRows.sort((a, b) => a.n - b.n).map(({ line, cells }) => [line, cells])).toEqual(rows);
      }),
      { numRuns: 15 },
    );
    client.release(true);
  });

  test('a failed COPY reports the reason, and its session still works', async () => {
    const client = await pool.connect();
    const broken = async function* () {
      yield Buffer.from('tea\t1\t[]\n');
      throw new Error('the file ended early');
    };
    const copy = 'copy cup (drink, machine_id, extras) from stdin';
    await expect(copyIn(client, copy, broken())).rejects.toThrow('the file ended early');
    await expect(copyIn(client, copy, [Buffer.from('tea\tmany\t[]\n')])).rejects.toThrow('invalid input syntax');
    await expect(copyIn(client, 'copy nothing from stdin', [])).rejects.toThrow('does not exist');
    await expect(copyIn(client, 'copy nothing from stdin', Buffer.from('tea\n'))).rejects.toThrow('does not exist');
    await expect(copyIn(client, copy, Buffer.from('tea\tmany\t[]\n'))).rejects.toThrow('invalid input syntax');
    expect(await copyIn(client, copy, [])).toBe(0);
    client.release();
  });

  test('resolves when the row is committed, and writes a batch within its time', async () => {
    const logWriter = writer({ batchMs: 30 });
    await Promise.all([logWriter.write(['one', 1, []]), logWriter.write(['one', 2, []])]);
    expect(await rowsOf('one')).toBe(2);
    expect(await totals()).toMatchObject({ total: (await totals()).counted });
  });

  test('writes many, a thousand a batch, and counts them as it goes', async () => {
    const logWriter = writer();
    const rows = Array.from({ length: 25_000 }, (_, n) => logWriter.write(['many', n, []]));
    await rows[0];
    const during = await totals();
    expect(during.total).toBe(during.counted);
    await Promise.all(rows);
    expect(await rowsOf('many')).toBe(25_000);
    const { rows: batches } = await pool.query<{ count: number }>(
      `select count(distinct txid) from cup where drink = 'many'`,
    );
    expect(batches[0]!.count).toBe(25);
    const after = await totals();
    expect(after.total).toBe(after.counted);
  });

  test('drops droppable rows under overload, counts them, and reports them at intervals', async () => {
    const reported: ReadonlyMap<string, number>[] = [];
    const tell = reportOverload(service.runtime, systemOrigin('test'), 'cup');
    const logWriter = writer({
      queueRows: 100,
      batchRows: 50,
      overloadMs: 40,
      onOverload: async (dropped) => {
        reported.push(dropped);
        await tell(dropped);
      },
    });
    let acceptedRows = 0;
    for (let n = 0; n < 1_000; n++) if (logWriter.offer(['pressed', n, []], n % 2 ? 'TRAP' : 'SYSLOG')) acceptedRows++;
    expect(acceptedRows).toBeLessThan(1_000);
    await expect.poll(() => reported.length).toBe(1);
    expect([...reported[0]!.values()].reduce((a, b) => a + b, 0)).toBe(1_000 - acceptedRows);
    expect([...reported[0]!.keys()].sort()).toEqual(['SYSLOG', 'TRAP']);
    await logWriter.close();
    expect(await rowsOf('pressed')).toBe(acceptedRows);
    expect(reported).toHaveLength(1);
    const logged = () => pool.query(`select event_format_string as text from event where name = 'LOG_OVERLOAD'`);
    await expect
      .poll(async () => (await logged()).rows)
      .toEqual([{ text: expect.stringMatching(/dropped \d+ of SYSLOG, \d+ of TRAP\.$/) }]);
  });

  test('lets those wait whose rows may not be dropped, and never holds more than its queue', async () => {
    const logWriter = writer({ queueRows: 100, batchRows: 50 });
    let longest = 0;
    const rows = Array.from({ length: 2_000 }, async (_, n) => {
      const write = logWriter.write(['patient', n, []]);
      longest = Math.max(longest, logWriter.length);
      await write;
      longest = Math.max(longest, logWriter.length);
    });
    await Promise.all(rows);
    expect(longest).toBeLessThanOrEqual(100);
    expect(await rowsOf('patient')).toBe(2_000);
  });

  test('writes what waits when it is closed, and refuses what comes after', async () => {
    const logWriter = writer({ batchMs: 60_000 });
    for (let n = 0; n < 10; n++) logWriter.offer(['last', n, []], 'TRAP');
    await logWriter.close();
    expect(await rowsOf('last')).toBe(10);
    await expect(logWriter.write(['after', 1, []])).rejects.toThrow('the writer of cup is closed');
    expect(() => logWriter.offer(['after', 1, []], 'TRAP')).toThrow('is closed');
  });

  test('finds the row that the database refuses, rejects it for its sender, and writes the others', async () => {
    const logWriter = writer();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => logWriter.write(['picky', n === 17 ? 'seventeen' : n, []])),
    );
    expect(outcomes.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1);
    expect(outcomes[17]).toMatchObject({ reason: { code: '22P02' } });
    errors.length = 0;
    logWriter.offer(['picky', 'nobody waits for this', []], 'TRAP');
    await logWriter.close();
    expect(String(errors[0])).toMatch(/a row of cup with \d+ characters was refused \(22P02\)/);
    expect(inspect(errors)).not.toContain('nobody waits for this');
    expect(await rowsOf('picky')).toBe(39);
  });

  test('makes the slice that rows need', async () => {
    const { daysAgoMs } = pastDays();
    const logWriter = writer({ columns: ['id', 'drink', 'machine_id', 'extras'] });
    await logWriter.write([idOnDay(daysAgoMs(9), 1), 'sliced', 1, []]);
    expect(await rowsOf('sliced')).toBe(1);
    await expect(logWriter.write([idOnDay(daysAgoMs(90), 1), 'too old', 1, []])).rejects.toThrow('no partition');
  });

  test('writes each row once although its sessions are ended again and again', async () => {
    const mine = new pg.Pool({ connectionString: database.serviceUrl, application_name: 'log-writer-test', max: 2 });
    mine.on('error', () => undefined);
    mine.on('connect', (client) => client.on('error', () => undefined));
    const logWriter = writer({ pool: mine, batchRows: 100 });
    errors.length = 0;
    let isOver = false;
    const killing = (async () => {
      for (let n = 0; !isOver; n++) {
        await pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'log-writer-test' and datname = current_database()`,
        );
        await sleep(15 + (n % 5) * 7);
      }
    })();
    const rows: Promise<void>[] = [];
    // Until some sessions were ended during a batch: on a busy machine that takes longer.
    while (rows.length < 4_000 || errors.length < endedMin) {
      for (let n = 0; n < 100; n++) rows.push(logWriter.write(['tough', rows.length, []]));
      await sleep(10);
    }
    isOver = true;
    await killing;
    await Promise.all(rows);
    expect(await rowsOf('tough')).toBe(rows.length);
    const { rows: machines } = await pool.query<{ count: number }>(
      `select count(distinct machine_id) from cup where drink = 'tough'`,
    );
    expect(machines[0]!.count).toBe(rows.length);
    await logWriter.close();
    await mine.end();
  });
});
