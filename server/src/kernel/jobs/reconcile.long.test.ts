import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runScript } from '../../../test/surface/schema-drift.ts';
import { migratedDatabase, testMasterKey } from '../../../test/world/databases.ts';
import { realProtocols, world } from '../../../test/world/world.ts';
import { reconciler } from '../../context.ts';
import { startService } from '../../node/start-service.ts';
import { RolledBack } from '../database/transaction.ts';
import { systemOrigin } from '../declare/caller.ts';
import type { Runtime } from '../write/runtime.ts';

/**
 * A difference that a reconciler closes: numbers to add to its sum. Two runs at once would count some of them twice.
 */
async function ledger() {
  const database = await migratedDatabase();
  const runs = { begun: 0, now: 0, most: 0, toFail: 0 };
  const copy = reconciler('copy-numbers', {
    doc: 'Add what is new to the sum',
    everySeconds: 3_600,
    secondsMax: 10,
    async run({ context }) {
      runs.begun++;
      if (runs.toFail > 0 && runs.toFail--) throw new Error('not today');
      runs.most = Math.max(runs.most, ++runs.now);
      await context.write(async ({ client }) => {
        await client.query(`with taken as (delete from new_number returning n), added as (select coalesce(sum(n), 0) as n from taken)
          update number_sum s set total = s.total + a.n from added a`);
      });
      runs.now--;
    },
  });
  await runScript(
    database,
    'create table new_number (n bigint not null); create table number_sum (total bigint not null); insert into number_sum values (0)',
  );
  const options = { jobs: 'work', overlay: { reconcilers: [copy] } } as const;
  const { service } = await world({ database, ...options });
  const runtime = service.runtime;
  /** Another node of the same cell. */
  const join = async (): Promise<Runtime> => {
    const otherNode = await startService({
      ...options,
      databaseUrl: database.serviceUrl,
      masterKey: await testMasterKey(),
      parts: realProtocols(),
      limits: { requestsPerSecond: 1, burst: 1, testsPerMinute: 1 },
      logger: false,
    });
    onTestFinished(() => otherNode.close());
    return otherNode.runtime;
  };
  const sum = async () => (await runtime.pool.query<{ total: number }>('select total from number_sum')).rows[0]!.total;
  const countRequests = async () => (await runtime.pool.query('select from reconcile_request')).rowCount;
  return { runtime, join, runs, sum, left: countRequests };
}

const add = (runtime: Runtime, n: number) =>
  runtime.transact(systemOrigin('test'), async (tx) => {
    await tx.client.query('insert into new_number values ($1)', [n]);
    tx.notify('copy-numbers');
  });

describe('a reconciler', () => {
  test('runs when a transaction that notified it is committed, and leaves no request behind', async () => {
    const { runtime, sum, left: countRequests } = await ledger();
    await add(runtime, 7);
    await vi.waitFor(async () => expect(await sum()).toBe(7), 60_000);
    await vi.waitFor(async () => expect(await countRequests()).toBe(0), 60_000);
  });

  test('is not notified by a transaction that is rolled back, or by a dry run', async () => {
    const { runtime, left: countRequests, runs } = await ledger();
    await vi.waitFor(() => expect(runs.begun).toBe(1), 60_000);
    await runtime.transact(systemOrigin('test'), async (tx) => {
      tx.notify('copy-numbers');
      throw new RolledBack('rehearsed');
    });
    const failed = runtime.transact(systemOrigin('test'), async (tx) => {
      tx.notify('copy-numbers');
      throw new Error('failed');
    });
    await expect(failed).rejects.toThrow('failed');
    expect(await countRequests()).toBe(0);
    expect(runs.begun).toBe(1);
  });

  test('cannot be notified if it is not declared', async () => {
    const { runtime } = await ledger();
    const notified = runtime.transact(systemOrigin('test'), async (tx) => tx.notify('sweep-the-floor'));
    await expect(notified).rejects.toThrow('no reconciler is called sweep-the-floor');
  });

  test('misses none of many commits at once on two nodes, and never runs twice at a time', async () => {
    const { runtime, join, sum, left: countRequests, runs } = await ledger();
    const second = await join();
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let n = 1; n <= 40; n++) await add(writer % 2 === 0 ? runtime : second, n);
    });
    await Promise.all(writers);
    await vi.waitFor(async () => expect(await sum()).toBe(16 * 820), 60_000);
    await vi.waitFor(async () => expect(await countRequests()).toBe(0), 60_000);
    expect(runs.most).toBe(1);
    // Many commits share one run.
    expect(runs.begun).toBeLessThan(640);
  });

  test('runs again after a failure, though the request is gone', async () => {
    const { runtime, sum, runs } = await ledger();
    await vi.waitFor(() => expect(runs.begun).toBe(1), 60_000);
    runs.toFail = 1;
    await add(runtime, 3);
    await vi.waitFor(async () => expect(await sum()).toBe(3), 60_000);
    expect(runs.begun).toBeGreaterThanOrEqual(3);
  });

  test('goes on at another node when the one that ran it is gone', async () => {
    const { runtime, join, sum } = await ledger();
    const second = await join();
    // Ends its session, like a broken network; some node then takes over.
    await runtime.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'portreeve-reconcile' and datname = current_database()`,
    );
    await add(second, 5);
    await vi.waitFor(async () => expect(await sum()).toBe(5), 60_000);
  });
});
