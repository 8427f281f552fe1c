import { describe, expect, test } from 'vitest';
import { asOwner } from '../../../test/trials/slices.ts';
import { Limiter, selecting } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { seesEverything } from '../access/visibility.ts';
import { Parameters } from '../database/parameters.ts';
import type { Table } from '../model/model.ts';
import { ReadBound } from './read-bound.ts';

describe('the price of a read', async () => {
  const { service, database } = await world();
  const bound = new ReadBound(service.runtime.pool);
  const host = { name: 'host', declaration: {}, selectables: new Map() } as unknown as Table;
  const matching = { text: `select from generate_series(1, 1000000) r(x) where r.x::text like '%a'`, values: [] };
  const run = (comparisons: readonly [string, number][]) =>
    service.runtime.read((client) =>
      bound.run(
        client,
        host,
        { text: '', values: [], comparisons: new Map(comparisons), matching, isSorted: false, hasMore: true },
        async () => 'done',
      ),
    );

  test('counts the rows of every table that a value is compared with', async () => {
    await asOwner(database, (owner) =>
      owner.query(`insert into row_count_delta (table_name, slice, delta) values ('adapter', '-infinity', 100000)`),
    );
    await bound.start();
    const refused = { word: 'too-expensive', message: expect.stringContaining('it has 64 comparisons') };
    await expect(run([['adapter', 64]])).rejects.toMatchObject(refused);
    await expect(
      run([
        ['host', 1],
        ['adapter', 63],
      ]),
    ).rejects.toMatchObject(refused);
    expect(await run([['host', 64]])).toBe('done');
    expect(await run([['adapter', 1]])).toBe('done');
    await bound.close();
  });

  test('of what counts every row is that of the rows that match: such reads run one after the other', async () => {
    const adapter = { ...host, name: 'adapter' } as Table;
    const counts = {
      text: '',
      values: [],
      comparisons: new Map(),
      isSorted: false,
      readsAll: true,
      hasMore: true,
    } as const;
    const runRead = (rows: number, work: () => Promise<unknown>) => {
      const boundedRead = {
        ...counts,
        values: [],
        matching: { text: `select from generate_series(1, ${rows})`, values: [] },
      };
      const running = Array.from({ length: 4 }, () =>
        service.runtime.read((client) => bound.run(client, adapter, boundedRead, work)),
      );
      return Promise.all(running);
    };
    let running = 0;
    let maxRunning = 0;
    await runRead(100_000, async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await service.runtime.pool.query('select pg_sleep(0.02)');
      running -= 1;
    });
    expect(maxRunning).toBe(2);
    const { promise: areTogether, resolve } = Promise.withResolvers<void>();
    let started = 0;
    await runRead(1_000, () => {
      started += 1;
      if (started === 4) resolve();
      return areTogether;
    });
    expect(started).toBe(4);
  });

  test('is that of all conditions, also of those on adapters and owners of hosts', () => {
    const parameters = new Parameters();
    const context = service.runtime.reader('adapter', seesEverything);
    context.matching(['ipaddress==10.0.0.1,description=out=(x,y)'], parameters, 0);
    service.runtime.reader('host', seesEverything).matching(['hostName==*b;id==1'], parameters, 0);
    expect([...parameters.comparisons]).toEqual([
      ['adapter', 3],
      ['host', 1],
    ]);
  });
});

describe('a read that runs out of its time', async () => {
  const testWorld = await world();
  const { service, database } = testWorld;
  const bound = new ReadBound(service.runtime.pool);
  const table = { name: 'container' } as Table;
  const nothing = { text: 'select', values: [] };
  const boundedRead = { ...nothing, comparisons: new Map<string, number>(), matching: nothing, isSorted: false };

  const outOfTime = (hasMore: boolean) =>
    service.runtime.read(async (client) => {
      await client.query('set statement_timeout = 50');
      try {
        return await bound.run(client, table, { ...boundedRead, hasMore }, () => client.query('select pg_sleep(5)'));
      } catch (error) {
        return error;
      } finally {
        await client.query('reset statement_timeout');
      }
    });

  test('is 503 where it is known to be little: the machine is busy, and another filter would not help', async () => {
    expect(await outOfTime(false)).toMatchObject({ word: 'unavailable', message: expect.stringContaining('too busy') });
  });

  test('is the fault of the read where it has conditions of unknown cost', async () => {
    expect(await outOfTime(true)).toMatchObject({ code: '57014' });
  });

  test('is not called small for who sees some rows only: what they may view is looked up row by row', async () => {
    const limited = await new Limiter(testWorld).caller({ permissions: { devices: selecting(1) } });
    await asOwner(database, async (owner) => {
      await owner.query('begin; lock table network_device in access exclusive mode');
      const path = '/device';
      const [all, some] = await Promise.all([testWorld.admin.get(path), limited.get(path)]);
      expect([all.body.status, some.body.status]).toEqual(['unavailable', 'too-expensive']);
      await owner.query('rollback');
    });
  });
});
