import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { backgroundTask } from './background-task.ts';

const path = '/system/background-task';

describe('background task', async () => {
  const shared = await world();
  const { admin } = shared;
  const { runtime } = shared.service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const events = async (id: number) =>
    (
      await runtime.pool.query<{ name: string }>(
        'select name from event where element_type = 11 and element_id = $1 order by id',
        [id],
      )
    ).rows.map(({ name }) => name);

  /** Creates a task as the service does for a job. */
  const jobTask = async (state: string) => {
    const { id } = await transact(({ records }) => records.create(backgroundTask, { message: `job that is ${state}` }));
    await runtime.pool.query(
      `update background_task set kind = 'JOB', job_name = 'some-job', state = $2 where id = $1`,
      [id, state],
    );
    return id;
  };

  testCollection(backgroundTask, {
    world: shared,
    refused: ['kind'],
    sample: (n) => ({
      message: `Replace the certificate of portal ${n}`,
      note: `before noon of day ${n}`,
      dateDue: `2027-03-01T12:00:00.${String(n % 1_000).padStart(3, '0')}Z`,
      attributes: { building: `house ${n}`, 'a key with "quotes" & <signs>': '' },
    }),
  });

  test('stores who created a task and when, whatever the request contains', async () => {
    const giver = await shared.caller({ scheduler: ['add'] });
    const givenAfter = Date.now();
    const id = await giver.create(backgroundTask, {
      message: 'given',
      assigner: 999,
      dateCreated: '2001-01-01T00:00:00Z',
    });
    const givenBefore = Date.now();
    const record = await giver.fetch(backgroundTask, id);
    expect(record).toMatchObject({ kind: 'MANUAL', state: 'QUEUED', assigner: giver.accountId });
    expect(Date.parse(record.dateCreated as string)).toBeGreaterThanOrEqual(givenAfter);
    expect(Date.parse(record.dateCreated as string)).toBeLessThanOrEqual(givenBefore);
  });

  test('shows callers without the permission only tasks that they created or are assigned to', async () => {
    const stranger = await shared.caller({});
    const mine = await admin.create(backgroundTask, { message: 'for the stranger', assignee: stranger.accountId });
    const otherTask = await admin.create(backgroundTask, { message: 'for somebody else' });
    expect((await stranger.get(path)).body).toMatchObject({ filtered: 1, total: 1, results: [{ id: mine }] });
    expect((await stranger.get(`${path}?filter=id==${otherTask}`)).body).toMatchObject({
      filtered: 0,
      total: 1,
      results: [],
    });
    expect((await stranger.get(`${path}/${mine}`)).code).toBe(200);
    expect((await stranger.get(`${path}/${otherTask}`)).code).toBe(404);
    expect((await stranger.post(`${path}/${mine}`, { note: 'x' })).code).toBe(403);
    expect((await stranger.get(`${path}/current-user`)).body.results).toMatchObject([{ id: mine }]);
  });

  test('lists the open tasks of the current user, newest first', async () => {
    const user = await shared.caller({ scheduler: ['add', 'modify'] });
    const [first, second, done] = [
      await user.create(backgroundTask, { message: 'first' }),
      await admin.create(backgroundTask, { message: 'second', assignee: user.accountId }),
      await user.create(backgroundTask, { message: 'done' }),
    ];
    expect((await user.post(`${path}/${done}/complete`)).code).toBe(200);
    const { results } = (await user.get(`${path}/current-user`)).body;
    expect(results?.map(({ id }) => id)).toEqual([second, first]);
  });

  test('completes a task with a date and one event, and releases the next task', async () => {
    const first = await admin.create(backgroundTask, { message: 'lay the cable' });
    const nextTask = await admin.create(backgroundTask, { message: 'connect the switch', previousTask: first });
    expect(await admin.fetch(backgroundTask, nextTask)).toMatchObject({ previousTaskComplete: false });
    expect((await admin.fetch(backgroundTask, first)).childTasks).toEqual([nextTask]);
    expect((await admin.post(`${path}/${first}/complete`, { note: 'fibre, not copper' })).code).toBe(200);
    const done = await admin.fetch(backgroundTask, first);
    expect(done).toMatchObject({ state: 'COMPLETED', note: 'fibre, not copper', dateCompleted: expect.any(String) });
    expect(await admin.fetch(backgroundTask, nextTask)).toMatchObject({ previousTaskComplete: true });
    expect((await admin.post(`${path}/${first}/complete`)).code).toBe(200);
    expect((await admin.fetch(backgroundTask, first)).dateCompleted).toBe(done.dateCompleted);
    expect((await events(first)).filter((name) => name === 'BACKGROUND_TASK_COMPLETED')).toHaveLength(1);
    expect((await admin.post(`${path}/999999999/complete`)).code).toBe(404);
  });

  test('creates manual tasks only, which are completed once and in their order', async () => {
    expect(await admin.post(path, { message: 'posing as a job', kind: 'JOB' })).toMatchObject({
      code: 409,
      body: { status: 'protected' },
    });
    const first = await admin.create(backgroundTask, { message: 'dig', kind: 'MANUAL' });
    const nextTask = await admin.create(backgroundTask, { message: 'fill', previousTask: first });
    expect((await admin.post(`${path}/${first}`, { kind: 'JOB' })).code).toBe(409);
    expect((await admin.post(`${path}/${nextTask}/complete`)).code).toBe(422);
    const tried = await admin.post(`${path}/${first}/complete?dryRun=true`);
    expect(tried.body.results).toMatchObject([{ id: first, state: 'COMPLETED' }]);
    expect((await admin.post(`${path}/${first}/complete`, { note: 'one metre' })).code).toBe(200);
    const done = await admin.fetch(backgroundTask, first);
    expect((await admin.post(`${path}/${first}/complete`, { note: 'two metres' })).code).toBe(422);
    expect((await admin.post(`${path}/${first}/complete`, { note: 'one metre' })).code).toBe(200);
    expect(await admin.fetch(backgroundTask, first)).toEqual(done);
    expect((await admin.post(`${path}/${nextTask}/complete`)).code).toBe(200);
  });

  test('writes who completed a task to the audit log', async () => {
    const id = await admin.create(backgroundTask, { message: 'audited' });
    const reply = await admin.post(`${path}/${id}/complete`);
    const audit = (await admin.get(`/logging/audit?filter=requestID=="${reply.headers['x-request-id']}"`)).body;
    expect(audit.results).toMatchObject([{ action: 'EXECUTE', liveDBID: id }]);
  });

  test('clears the reference of the next task when a task is deleted', async () => {
    const first = await admin.create(backgroundTask, { message: 'one' });
    const nextTask = await admin.create(backgroundTask, { message: 'two', previousTask: first });
    expect((await admin.post(`${path}/delete`, { id: [first] })).code).toBe(200);
    expect(await admin.fetch(backgroundTask, nextTask)).toMatchObject({ previousTask: null, version: 2 });
  });

  test('refuses a task that would wait for itself, directly or indirectly', async () => {
    const first = await admin.create(backgroundTask, { message: 'hen' });
    const nextTask = await admin.create(backgroundTask, { message: 'egg', previousTask: first });
    for (const previousTask of [first, nextTask])
      expect((await admin.post(`${path}/${first}`, { previousTask })).code).toBe(422);
  });

  test('lets jobs of the service be acknowledged after a failure and deleted, but not edited', async () => {
    const failed = await jobTask('FAILED');
    const running = await jobTask('RUNNING');
    expect(await admin.post(`${path}/${failed}`, { note: 'x' })).toMatchObject({
      code: 409,
      body: { status: 'protected' },
    });
    expect((await admin.post(`${path}/${running}/complete`)).code).toBe(422);
    expect((await admin.post(`${path}/${failed}/complete`)).code).toBe(200);
    expect(await admin.fetch(backgroundTask, failed)).toMatchObject({
      state: 'FAILED',
      dateCompleted: expect.any(String),
    });
    expect((await admin.post(`${path}/delete`, { id: [failed] })).code).toBe(200);
  });

  test('allows the deletion of an account that jobs refer to', async () => {
    const leaver = await shared.caller({});
    const id = await jobTask('COMPLETED');
    await runtime.pool.query('update background_task set assigner = $2, assignee = $2 where id = $1', [
      id,
      leaver.accountId,
    ]);
    await transact(({ records }) => records.remove(userAccount, [leaver.accountId]));
    expect(await admin.fetch(backgroundTask, id)).toMatchObject({ assigner: 0, assignee: null });
  });
});
