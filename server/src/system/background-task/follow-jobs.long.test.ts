import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { promised } from '../../../test/world/patience.ts';
import { world } from '../../../test/world/world.ts';
import { job } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { startTask } from './background-task.service.ts';
import { backgroundTask } from './background-task.ts';

/** The steps that the jobs of this file completed. */
const batches: number[] = [];
let abortedAfterMs: number | undefined;

const countSlowly = job('count-slowly', {
  doc: 'Count to a number, a batch at a time',
  secondsMax: 60,
  repeatable: false,
  async run(payload, { signal, progress, report }) {
    const { to: lastStep, batchMs } = payload as { to: number; batchMs: number };
    for (let done = 0; done < lastStep; done++) {
      if (signal.aborted) {
        abortedAfterMs = Date.now();
        throw signal.reason;
      }
      await sleep(batchMs);
      batches.push(done);
      progress(done + 1, lastStep, `batch ${done + 1}`);
    }
    report([{ item: 'all', outcome: 'COUNTED', detail: `${lastStep}` }]);
  },
});

const failAlways = job('fail-always', {
  doc: 'Fail',
  secondsMax: 5,
  repeatable: false,
  run: async () => {
    throw new Error('The switch did not answer.');
  },
});

describe('a job with a background task', async () => {
  const { admin, service } = await world({ jobs: 'work', overlay: { jobs: [countSlowly, failAlways] } });
  const start = (which: typeof countSlowly, payload: unknown, message: string) =>
    service.runtime.transact(systemOrigin('test'), (tx) => startTask(tx, service.jobs!, which, payload, message));
  const task = (id: number) => admin.fetch(backgroundTask, id);
  const until = async (id: number, isReached: (record: Record<string, unknown>) => boolean) => {
    for (let tries = 0; tries < 1_200; tries++) {
      const record = await task(id);
      if (isReached(record)) return record;
      await sleep(50);
    }
    throw new Error(`task ${id} did not get there: ${JSON.stringify(await task(id))}`);
  };
  const queued = async () => {
    const { rows } = await service.runtime.pool.query<{ count: number }>(
      `select count(*)::integer as count from pgboss.job where name = 'count-slowly'`,
    );
    return rows[0]!.count;
  };

  test('is stored together with its task, or not at all', async () => {
    const before = await queued();
    const broken = service.runtime.transact(systemOrigin('test'), async (tx) => {
      await startTask(tx, service.jobs!, countSlowly, { to: 1, batchMs: 1 }, 'Never to be seen');
      throw new Error('the cause fails');
    });
    await expect(broken).rejects.toThrow('the cause fails');
    expect(await queued()).toBe(before);
    expect((await admin.get('/system/background-task?filter=message=="Never to be seen"')).body.filtered).toBe(0);
  });

  test('does not need its own notification if it was queued with others', async () => {
    const ids = await service.runtime.transact(systemOrigin('test'), async (tx) => {
      const started: number[] = [];
      for (let n = 0; n < 5; n++)
        started.push(await startTask(tx, service.jobs!, countSlowly, { to: 1, batchMs: 1 }, `One of five, ${n}`));
      return started;
    });
    for (const id of ids) await until(id, ({ state }) => state === 'COMPLETED');
  });

  test('shows its progress and ends with a report', async () => {
    const id = await start(countSlowly, { to: 4, batchMs: 400 }, 'Count to four');
    const running = await until(
      id,
      (record) => record.state === 'RUNNING' && (record.progress as { done: number }).done > 0,
    );
    expect(running).toMatchObject({ kind: 'JOB', jobName: 'count-slowly', attempts: 1, progress: { total: 4 } });
    const done = await until(id, (record) => record.state === 'COMPLETED');
    expect(done).toMatchObject({
      progress: { done: 4, total: 4, percent: 100 },
      report: [{ item: 'all', outcome: 'COUNTED', detail: '4' }],
      errorMessage: null,
    });
    expect(done.dateCompleted).not.toBeNull();
  });

  test('updates observed fields: progress raises no version and writes no audit row', async () => {
    const id = await start(countSlowly, { to: 2, batchMs: 10 }, 'Count to two');
    const done = await until(id, (record) => record.state === 'COMPLETED');
    expect(done.version).toBe(1);
    const { body } = await admin.get(
      `/logging/audit?filter=auditObjectType.dbTableName==background_task;liveDBID==${id}`,
    );
    expect(body.filtered).toBe(1);
  });

  test('is cancelled when its task is deleted, and stops after a complete batch', async () => {
    batches.length = 0;
    const id = await start(countSlowly, { to: 1_000, batchMs: 50 }, 'Count for long');
    await until(id, (record) => record.state === 'RUNNING');
    const cancelledAt = Date.now();
    expect((await admin.post('/system/background-task/delete', { id: [id] })).code).toBe(200);
    expect((await admin.get(`/system/background-task/${id}`)).code).toBe(404);
    while (abortedAfterMs === undefined && Date.now() - cancelledAt < 60_000) await sleep(20);
    expect(abortedAfterMs! - cancelledAt).toBeLessThan(promised(5_000));
    const counted = batches.length;
    await sleep(200);
    expect(batches.length).toBe(counted);
  });

  test('that failed stores the reason, and can be acknowledged but not edited', async () => {
    const id = await start(failAlways, {}, 'Ask the switch');
    const failed = await until(id, (record) => record.state === 'FAILED');
    expect(failed).toMatchObject({ errorMessage: 'The switch did not answer.', dateCompleted: null });
    expect((await admin.post(`/system/background-task/${id}`, { message: 'Something else' })).body.status).toBe(
      'protected',
    );
    expect((await admin.post(`/system/background-task/${id}/complete`)).code).toBe(200);
    expect((await task(id)).dateCompleted).not.toBeNull();
    const { rows } = await service.runtime.pool.query(
      'select event_format_string from event where name = $1 and element_id = $2',
      ['BACKGROUND_TASK_FAILED', id],
    );
    expect(rows).toEqual([{ event_format_string: 'Task Ask the switch failed: The switch did not answer.' }]);
  });

  test('that is still running cannot be completed by hand', async () => {
    const id = await start(countSlowly, { to: 100, batchMs: 50 }, 'Count on');
    await until(id, (record) => record.state === 'RUNNING');
    expect((await admin.post(`/system/background-task/${id}/complete`)).body.status).toBe('rejected');
    await admin.post('/system/background-task/delete', { id: [id] });
  });
});
