import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { brewingSession, cup } from '../../../test/overlay/logs.ts';
import { pastDays } from '../../../test/trials/slices.ts';
import { overlayWorld } from '../../../test/world/overlay-world.ts';
import { rules } from '../../context.ts';
import type { Collection } from '../declare/declaration.ts';
import { protectedRecord } from '../failure.ts';
import { resource } from '../operations/resource.ts';

interface Entry {
  position: string;
  change: string;
  record: { id: number; drink?: string; userName?: string };
}

describe('a monitor of a log', async () => {
  const { admin, service, database } = await overlayWorld([
    resource('Cup', cup, {
      rules: rules(cup as unknown as Collection, {
        beforeDelete({ drink }) {
          if (drink === 'holy') throw protectedRecord('This cup is kept for ever.');
        },
      }),
    }),
    resource('Brewing session', brewingSession),
  ]);
  const { pool } = service.runtime;
  await pastDays().makePastSlices(database, 'cup', [1]);
  const otherSessions: pg.Client[] = [];
  afterAll(() => Promise.all(otherSessions.map((client) => client.end())));
  const session = async () => {
    const client = new pg.Client({ connectionString: database.serviceUrl });
    otherSessions.push(client);
    await client.connect();
    return client;
  };
  const make = (client: pg.Pool | pg.Client, drink: string, count = 1) =>
    client.query(
      `insert into cup (drink, machine_id, extras) select $1, n, '[]' from generate_series(1, $2::integer) n`,
      [drink, count],
    );
  const start = async (filter?: string[]) => {
    const reply = await admin.post(`${cup.path}/monitor/start`, filter && { filter });
    expect(reply.code, reply.text).toBe(201);
    return reply.body.results![0] as { id: number; position: string };
  };
  const poll = async (id: number, position?: string) => {
    const reply = await admin.get(`${cup.path}/monitor/${id}${position ? `?position=${position}` : ''}`);
    expect(reply.code, reply.text).toBe(200);
    return { ...reply.body, results: reply.body.results as unknown as Entry[] };
  };

  test('reports only rows added after its start, in order, and again those not acknowledged', async () => {
    await make(pool, 'before');
    const { id } = await start();
    expect((await poll(id)).results).toEqual([]);
    await make(pool, 'first');
    await make(pool, 'second');
    const { results, total } = await poll(id);
    expect(results.map(({ change, record }) => [change, record.drink])).toEqual([
      ['added', 'first'],
      ['added', 'second'],
    ]);
    expect(total).toBe(2);
    const again = (await poll(id)).results;
    expect(again.map(({ record }) => record)).toEqual(results.map(({ record }) => record));
    expect((await poll(id, results[0]!.position)).results.map(({ record }) => record.drink)).toEqual(['second']);
    expect((await poll(id, results[1]!.position)).results).toEqual([]);
    expect((await poll(id)).results).toEqual([]);
  });

  test('misses no row that commits late, and waits for no transaction of others', async () => {
    const { id } = await start();
    const [late, idle] = [await session(), await session()];
    await idle.query('begin; select pg_current_xact_id()');
    await late.query('begin');
    await make(late, 'late');
    await make(pool, 'early');
    const first = await poll(id);
    expect(first.results.map(({ record }) => record.drink)).toEqual(['early']);
    await late.query('commit');
    const second = await poll(id, first.results[0]!.position);
    expect(second.results.map(({ record }) => record.drink)).toEqual(['late']);
    await idle.query('rollback');
    expect((await poll(id, second.results[0]!.position)).results).toEqual([]);
  });

  test('reports a row of a transaction that was open long before the monitor started', async () => {
    const old = await session();
    await old.query('begin');
    // As if the row had been written some minutes ago.
    await old.query(
      `insert into cup (id, drink, machine_id, extras) values (log_id() - 300000::bigint * 8192, 'slow', 1, '[]')`,
    );
    const { id } = await start();
    await old.query('commit');
    expect((await poll(id)).results.map(({ record }) => record.drink)).toEqual(['slow']);
  });

  test('reports a thousand rows per poll with the number of waiting ones, and each row once', async () => {
    const { id } = await start();
    await make(pool, 'many', 1_700);
    await make(pool, 'more', 900);
    const reportedIds: number[] = [];
    let position: string | undefined;
    const waiting: (number | undefined)[] = [];
    for (;;) {
      const { results, total } = await poll(id, position);
      if (results.length === 0) break;
      waiting.push(total);
      reportedIds.push(...results.map(({ record }) => record.id));
      position = results.at(-1)!.position;
      if (reportedIds.length === 1_000) await make(pool, 'meanwhile', 10);
    }
    expect(waiting).toEqual([2_600, 1_610, 610]);
    expect(new Set(reportedIds).size).toBe(2_610);
    expect(reportedIds).toHaveLength(2_610);
  });

  test('applies the filter it was started with, and refuses one that is wrong at once', async () => {
    const { id } = await start(['drink==espresso*']);
    await make(pool, 'tea', 3);
    await make(pool, 'Espresso doppio');
    expect((await poll(id)).results.map(({ record }) => record.drink)).toEqual(['Espresso doppio']);
    expect((await admin.post(`${cup.path}/monitor/start`, { filter: ['colour==red'] })).code).toBe(400);
  });

  test('never reports imported rows', async () => {
    const { id } = await start();
    await pool.query(`insert into cup (txid, drink, machine_id, extras) values ('0', 'imported', 1, '[]')`);
    expect((await poll(id)).results).toEqual([]);
  });

  test('refuses a position that is none', async () => {
    const { id, position } = await start();
    const forged = [
      'nonsense',
      Buffer.from('1:1:|0||0|x').toString('base64url'),
      Buffer.from('9:1:|0||0|0').toString('base64url'),
      Buffer.from('1:1:|0||0|0|0').toString('base64url'),
      `${position.slice(0, 3)}`,
    ];
    for (const wrong of forged)
      expect((await admin.get(`${cup.path}/monitor/${id}?position=${wrong}`)).code, wrong).toBe(400);
  });

  test('follows a log that is closed by its end, whatever the end is', async () => {
    const { id } = (await admin.post(`${brewingSession.path}/monitor/start`)).body.results![0] as { id: number };
    await pool.query(
      `insert into brewing_session (user_name, end_time, outcome) values ('now', now(), 'SERVED'), ('past', now() - interval '6 days', 'SERVED')`,
    );
    const { results } = (await admin.get(`${brewingSession.path}/monitor/${id}`)).body;
    expect(results!.map(({ record }) => (record as Entry['record']).userName).sort()).toEqual(['now', 'past']);
  });

  test('streams too, from where the client stopped', async () => {
    const { id, position } = await start();
    await make(pool, 'streamed');
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = service.app.server.address() as { port: number };
    const ending = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}/api/v2${cup.path}/monitor/${id}`, {
      headers: { authorization: `Bearer ${admin.token}`, accept: 'text/event-stream', 'last-event-id': position },
      signal: ending.signal,
    });
    let text = '';
    // One row, written when the test ends, because the next test counts rows.
    let second: Promise<unknown> | undefined;
    for await (const chunk of answer.body!) {
      text += Buffer.from(chunk).toString();
      if (text.includes('streamed')) second ??= make(pool, 'second sip');
      if (text.includes('second sip')) break;
    }
    ending.abort();
    await second;
    expect(text.match(/"drink":"streamed"/g)).toHaveLength(1);
    await sleep(0);
  });

  describe('whose rows are removed', () => {
    const idOf = async (drink: string) =>
      (await pool.query<{ id: number }>('select id from cup where drink = $1 order by id limit 1', [drink])).rows[0]!
        .id;

    test('all or none: each gets an audit row with its fields, is recorded as deleted, and is no longer counted', async () => {
      await make(pool, 'spilled');
      await make(pool, 'spoiled');
      await make(pool, 'holy');
      const ids = [await idOf('spilled'), await idOf('spoiled')];
      const { total } = (await admin.get(`${cup.path}/count/all`)).body;
      expect((await admin.post(`${cup.path}/delete`, { id: [...ids, 12_345] })).code).toBe(404);
      expect(await admin.post(`${cup.path}/delete`, { id: [...ids, await idOf('holy')] })).toMatchObject({
        code: 409,
        body: { status: 'protected' },
      });
      expect((await admin.get(`${cup.path}/count/all`)).body.total).toBe(total);
      expect((await admin.post(`${cup.path}/delete`, { id: ids })).code).toBe(200);
      expect((await admin.delete(`${cup.path}/${ids[0]}`)).code).toBe(404);
      expect((await admin.get(`${cup.path}/count/all`)).body.total).toBe(total! - 2);
      const { results } = (await admin.get(`/logging/audit?filter=auditObjectType.dbTableName==cup`)).body;
      expect(results).toHaveLength(2);
      expect(results![0]).toMatchObject({ action: 'DELETE', liveDBID: ids[1], auditObjectName: 'spoiled' });
      expect(results![0]!.changes).toContainEqual({ field: 'drink', before: 'spoiled', after: null, changed: true });
      const { rows } = await pool.query(`select id from log_tombstone where log = 'cup' order by id`);
      expect(rows.map(({ id }) => id)).toEqual(ids);
    });
  });
});
