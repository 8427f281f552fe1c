import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openNode } from '../../../test/world/open-world.ts';
import { world } from '../../../test/world/world.ts';
import { job } from '../../context.ts';
import { startTask } from '../../system/background-task/background-task.service.ts';
import { backgroundTask } from '../../system/background-task/background-task.ts';
import { systemOrigin } from '../declare/caller.ts';

interface Attempt {
  signal: AbortSignal;
  end: PromiseWithResolvers<string>;
}
const attempts: Attempt[] = [];

/** Ends only when the test ends it, whatever its signal is, like work that hangs in a call. */
const waitForEnd = async (signal: AbortSignal): Promise<string> => {
  const end = Promise.withResolvers<string>();
  attempts.push({ signal, end });
  return end.promise;
};

const waiting = (name: string, repeatable: boolean) =>
  job(name, {
    doc: 'Wait for an end',
    secondsMax: 600,
    repeatable,
    async run(_payload, { signal, progress, report }) {
      progress(attempts.length, 10);
      report([{ item: await waitForEnd(signal), outcome: 'ENDED', detail: '' }]);
    },
  });
const stubborn = waiting('stubborn', true);
const once = waiting('stubborn-once', false);

test('what runs by the clock is due again within an hour, for the node that was away in its minute', async () => {
  const { service } = await world({ jobs: 'work' });
  const { rows } = await service.runtime.pool.query<{ name: string; cron: string }>(
    'select s.name, s.cron from pgboss.schedule s order by s.name',
  );
  expect(rows.map(({ name }) => name)).toContain('log-age');
  // Minute, then hour: every one, or from one on until midnight.
  const rare = rows.filter(({ cron }) => !/^\S+ (\*|\d+-23) \* \* \*$/.test(cron));
  expect(rare).toEqual([]);
  expect(rows.map(({ name }) => name)).toContain('host-aging');
  const handbook = await readFile(new URL('../../../../docs/handbook/operating.md', import.meta.url), 'utf8');
  expect(rows.filter(({ name }) => !handbook.includes(`| \`${name}\` |`))).toEqual([]);
});

describe('an attempt whose job was given to another worker', async () => {
  const options = { jobs: 'work', overlay: { jobs: [stubborn, once] } } as const;
  const { admin, service, database } = await world(options);
  const otherNode = await openNode({ ...options, database });
  const { pool } = service.runtime;
  const start = (which: typeof stubborn) =>
    service.runtime.transact(systemOrigin('test'), (tx) => startTask(tx, service.jobs!, which, {}, 'Wait'));
  const task = (id: number) => admin.fetch(backgroundTask, id);
  const queued = async (id: number) => {
    const { rows } = await pool.query(
      'select j.state, j.retry_count as retries from pgboss.job j join background_task t on t.queue_job_id = j.id::text where t.id = $1',
      [id],
    );
    return rows;
  };
  /** Does what the queue does if a worker does not report for too long. */
  const takenAway = (id: number, state: 'retry' | 'failed') =>
    pool.query(
      `update pgboss.job j set state = $2, start_after = now() from background_task t where t.queue_job_id = j.id::text and t.id = $1`,
      [id, state],
    );
  const expectAttempts = (count: number) => expect.poll(() => attempts.length).toBe(count);

  test.each([
    ['returns', (end: Attempt['end']) => end.resolve('overtaken')],
    ['fails', (end: Attempt['end']) => end.reject(new Error('overtaken'))],
  ])('learns it, and writes neither into the task nor into the queue when it %s', async (_how, leave) => {
    attempts.length = 0;
    const id = await start(stubborn);
    await expectAttempts(1);
    await takenAway(id, 'retry');
    await expectAttempts(2);
    await expect.poll(() => attempts[0]!.signal.aborted).toBe(true);
    expect(attempts[1]!.signal.aborted).toBe(false);
    leave(attempts[0]!.end);
    // The worker takes the next job when it has completed this one.
    const nextId = await start(stubborn);
    await expectAttempts(3);
    expect(await task(id)).toMatchObject({ state: 'RUNNING', attempts: 2, errorMessage: null, report: [] });
    expect(await queued(id)).toEqual([{ state: 'active', retries: 1 }]);
    for (const { end } of attempts.slice(1)) end.resolve('current');
    for (const taskId of [id, nextId]) await expect.poll(async () => (await task(taskId)).state).toBe('COMPLETED');
    expect(await task(id)).toMatchObject({ attempts: 2, report: [{ item: 'current' }] });
    expect(await queued(id)).toEqual([{ state: 'completed', retries: 1 }]);
  });

  test('leaves a task that is failed within a minute, where the job is not begun again', async () => {
    attempts.length = 0;
    const id = await start(once);
    await expectAttempts(1);
    await takenAway(id, 'failed');
    await expect.poll(() => attempts[0]!.signal.aborted).toBe(true);
    attempts[0]!.end.resolve('too late');
    await service.runtime.transact(systemOrigin('test'), (tx) => service.jobs!.enqueue(tx.client, 'lost-tasks', {}));
    await expect.poll(async () => (await task(id)).state).toBe('FAILED');
    expect(await task(id)).toMatchObject({
      errorMessage: expect.stringContaining('the job is not retried'),
      report: [],
      dateCompleted: null,
    });
    const failed = `/logging/event?filter=name==BACKGROUND_TASK_FAILED;elementID==${id}`;
    await expect.poll(async () => (await admin.get(failed)).body.results!.length).toBe(1);
  });

  test('leaves other tasks alone: those that wait and those that run', async () => {
    attempts.length = 0;
    const ids = [await start(once), await start(once), await start(once)];
    await expectAttempts(2);
    await service.runtime.transact(systemOrigin('test'), (tx) => service.jobs!.enqueue(tx.client, 'lost-tasks', {}));
    await expect
      .poll(
        async () =>
          (await pool.query(`select from pgboss.job where name = 'lost-tasks' and state < 'completed'`)).rowCount,
      )
      .toBe(0);
    expect((await Promise.all(ids.map(task))).map(({ state }) => state).sort()).toEqual([
      'QUEUED',
      'RUNNING',
      'RUNNING',
    ]);
    for (const { end } of attempts) end.resolve('done');
    await expectAttempts(3);
    attempts[2]!.end.resolve('done');
    for (const id of ids) await expect.poll(async () => (await task(id)).state).toBe('COMPLETED');
    await otherNode.close();
  });

  test('of a node that stops goes back to the queue, and the next node begins it again', async () => {
    attempts.length = 0;
    const leaving = await openNode({ ...options, database });
    const ids = [await start(stubborn), await start(stubborn)];
    await expectAttempts(2);
    await leaving.close();
    const abortedIndex = attempts.findIndex(({ signal }) => signal.aborted);
    expect(abortedIndex).toBeGreaterThanOrEqual(0);
    attempts[abortedIndex]!.end.resolve('too late');
    attempts[1 - abortedIndex]!.end.resolve('done');
    await expectAttempts(3);
    attempts[2]!.end.resolve('done');
    for (const id of ids) await expect.poll(async () => (await task(id)).state).toBe('COMPLETED');
    expect((await Promise.all(ids.map(task))).map((state) => state.attempts).sort()).toEqual([1, 2]);
  });
});
