import { describe, expect, test } from 'vitest';
import { asOwner } from '../../../test/trials/slices.ts';
import { openNode } from '../../../test/world/open-world.ts';
import { world } from '../../../test/world/world.ts';
import { job } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { startTask } from '../../system/background-task/background-task.service.ts';
import { Measurer } from './measure.ts';
import { thresholds } from './thresholds.ts';

const patient = { timeout: 60_000 };
const path = '/logging/event-types/thresholds';

const nothing = job('nothing', { doc: 'Do nothing', secondsMax: 5, repeatable: true, run: async () => undefined });

describe('a service that watches itself', async () => {
  const options = { selfMonitorMs: 100, overlay: { jobs: [nothing] } };
  const { admin, service, database } = await world({ ...options, jobs: 'enqueue' });
  const change = (...body: object[]) => admin.post(path, body);
  const threshold = async (name: string) => (await admin.get(path)).body.results!.find((item) => item.name === name)!;
  const reported = async (name: string) =>
    (await admin.get(`/logging/event?sortKey=id&filter=name==${name}_*`)).body.results!;

  test('lists its thresholds with the measured values', async () => {
    const { results } = (await admin.get(path)).body;
    expect(results!.map(({ name }) => name).sort()).toEqual(thresholds.map(({ name }) => name).sort());
    expect(Object.keys(results![0]!)).toEqual(
      'name metric unit warning critical forSeconds enabled current state'.split(' '),
    );
    for (const { name } of thresholds) await expect.poll(async () => (await threshold(name)).current).not.toBeNull();
    for (const { current, unit, state, name } of (await admin.get(path)).body.results!) {
      expect(current, String(name)).toBeGreaterThanOrEqual(0);
      if (unit === '%') expect(current, String(name)).toBeLessThanOrEqual(100);
      // DISK and MEMORY depend on what else runs on the machine.
      if (name !== 'DISK' && name !== 'MEMORY') expect(state, String(name)).toBe('OK');
    }
  });

  test('changes single fields of a threshold, and rejects a warning limit not below the critical limit', async () => {
    expect((await change({ name: 'CPU', warning: 70 }, { name: 'DISK', forSeconds: 5 })).code).toBe(200);
    expect(await threshold('CPU')).toMatchObject({ warning: 70, critical: 95, forSeconds: 300, enabled: true });
    for (const body of [
      { name: 'CPU', warning: 96 },
      { name: 'CPU', warning: 95 },
      { name: 'NO_SUCH', warning: 1 },
    ])
      expect(await change({ name: 'DISK', critical: 99 }, body)).toMatchObject({
        code: 422,
        body: { status: 'rejected' },
      });
    expect(await threshold('DISK')).toMatchObject({ critical: 90 });
    for (const body of [{ name: 'CPU', warning: 0 }, { name: 'CPU', forSeconds: -1 }, { warning: 1 }])
      expect((await change(body)).code, JSON.stringify(body)).toBe(400);
    expect((await change({ name: 'CPU' }, { name: 'CPU' })).code).toBe(400);
  });

  test('emits one event when jobs wait and one when none wait, for any number of nodes', async () => {
    await service.runtime.transact(systemOrigin('test'), async (tx) => {
      for (let n = 0; n < 3; n++) await startTask(tx, service.jobs!, nothing, {}, `wait ${n}`);
    });
    const watcher = await openNode({ ...options, database, jobs: 'enqueue' });
    try {
      await change({ name: 'QUEUE_DEPTH', warning: null, critical: 1, forSeconds: 0 });
      await expect.poll(async () => (await threshold('QUEUE_DEPTH')).state, patient).toBe('CRITICAL');
      expect(await reported('QUEUE_DEPTH')).toMatchObject([
        {
          name: 'QUEUE_DEPTH_CRITICAL',
          elementName: 'cell',
          eventFormatString: expect.stringMatching(/^Waiting jobs \(cell\): \d+ jobs, critical from 1 on\.$/),
        },
      ]);
      // Both nodes have measured again, and there is still one event.
      const since = (await threshold('QUEUE_DEPTH')).current;
      expect(since).toBeGreaterThanOrEqual(3);
      const worker = await openNode({ ...options, database, jobs: 'work' });
      try {
        await expect
          .poll(async () => (await reported('QUEUE_DEPTH')).slice(0, 2).map(({ name }) => name), { timeout: 60_000 })
          .toEqual(['QUEUE_DEPTH_CRITICAL', 'QUEUE_DEPTH_NORMAL']);
      } finally {
        await worker.close();
      }
    } finally {
      await watcher.close();
    }
  });

  test('detects a log that grows many times faster than before, also after midnight', async () => {
    const adds = (rows: number, firstDay: number, lastDay = firstDay) =>
      asOwner(database, (owner) =>
        owner.query(
          `insert into row_count_delta (table_name, slice, delta)
           select 'event', (now() at time zone 'UTC')::date - n, $1 from generate_series($2::integer, $3) n`,
          [rows, firstDay, lastDay],
        ),
      );
    const growth = async () => (await new Measurer(service.runtime.pool, ['/']).measure()).get('PARTITION_GROWTH')!;
    await change({ name: 'PARTITION_GROWTH', forSeconds: 0 });
    await adds(36_000, 0);
    // A log without a day before yesterday cannot be compared.
    expect(await growth()).toBe(0);
    await adds(3_000, 2, 8);
    await expect.poll(async () => (await threshold('PARTITION_GROWTH')).state).toBe('CRITICAL');
    expect(await growth()).toBeCloseTo(12, 0);
    // The same number of rows, but from yesterday: only the part within the last 24 hours counts.
    await adds(-36_000, 0);
    await adds(36_000, 1);
    const dayMs = 86_400_000;
    const expectedGrowth = 12 * (1 - (Date.now() % dayMs) / dayMs);
    expect(Math.abs((await growth()) - expectedGrowth)).toBeLessThan(0.1);
  });

  test('ends the reported state of a threshold that is disabled', async () => {
    await change({ name: 'MEMORY', warning: 0.001, critical: 100, forSeconds: 0 });
    await expect.poll(async () => (await threshold('MEMORY')).state).toBe('WARNING');
    await change({ name: 'MEMORY', enabled: false });
    await expect.poll(async () => (await threshold('MEMORY')).state, patient).toBe('OK');
    expect((await reported('MEMORY')).map(({ name }) => name)).toEqual(['MEMORY_WARNING', 'MEMORY_NORMAL']);
  });
});
