import { beforeAll, describe, expect, test } from 'vitest';
import { type ConnectedHosts, connectHosts } from '../../../test/decide/connected-hosts.ts';
import { until } from '../../../test/world/patience.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { auditSourceOf, systemOrigin } from '../../kernel/declare/caller.ts';
import { startTask } from '../../system/background-task/background-task.service.ts';
import { backgroundTask } from '../../system/background-task/background-task.ts';
import { accessConfiguration } from '../access-configuration/access-configuration.ts';
import { accessPolicy } from '../access-policy/access-policy.ts';
import { forgetSql } from './stored-comparisons.ts';

const hosts = 4;

interface Task {
  state: string;
  report: { detail: string }[];
  errorMessage: string | null;
}

describe('a dry run over more live connections than a request waits for', async () => {
  const world = await startWorld({ jobs: 'work', comparedInRequestMax: hosts - 1 });
  const { admin, service } = world;
  const limiter = new Limiter(world);
  const sql = limiter.sql.bind(limiter);
  const ids: Record<string, number> = {};

  let connected: ConnectedHosts;

  beforeAll(async () => {
    connected = await connectHosts(world, limiter, hosts);
    ids.hall = connected.containerID;
    ids.configuration = await admin.create(accessConfiguration, {
      name: 'To 40',
      type: 'DIRECT',
      directConfiguration: { accessType: 'VLAN_ID', accessValue: '40' },
    });
  });

  const policy = (name: string) => ({
    name,
    criteria: { where: { containers: [ids.hall] } },
    accessConfigurationID: ids.configuration,
  });
  const tryOut = (name: string, query = '', caller = admin) =>
    caller.post(`${accessPolicy.path}?dryRun=true${query}`, policy(name));

  /** Waits until the task that a dry run started has ended, and returns it. */
  async function taskOf(reply: Awaited<ReturnType<typeof tryOut>>): Promise<Task> {
    expect(reply, reply.text).toMatchObject({ code: 202, body: { status: 'success' } });
    return endOf(String(reply.headers.location).replace('/api/v2', ''));
  }

  async function endOf(path: string): Promise<Task> {
    let task: Task | undefined;
    await until(`the end of ${path}`, async () => {
      task = (await admin.get<Task & object>(path)).body.results![0];
      return ['COMPLETED', 'FAILED', 'CANCELLED'].includes(task!.state);
    });
    return task!;
  }

  test('runs as a background task, returns its pages to a repeated dry run, and changes nothing', async () => {
    const first = await tryOut('Everybody');
    expect((await tryOut('Everybody')).code).toBe(202);
    const { state, report, errorMessage } = await taskOf(first);
    expect([state, errorMessage]).toEqual(['COMPLETED', null]);
    expect(report[0]!.detail).toContain(`${hosts} of ${hosts} live connections that you can view would change.`);
    const { code, body } = await tryOut('Everybody', '&start=1&count=2');
    expect([code, body.filtered, body.total]).toEqual([200, hosts, hosts]);
    const access = { accessState: 'PRODUCTION', policyName: 'Everybody', value: { accessValue: '40' } };
    expect(body.results).toMatchObject([
      { hostName: 'host-1', after: access },
      { hostName: 'host-2', after: access },
    ]);
    expect((await admin.get(`${accessPolicy.path}?filter=name==Everybody`)).body.results).toEqual([]);
  });

  test('shows and counts what the caller sees, also in the report of the task', async () => {
    const managed = await connected.managerOf(3, { 'policy-access': { view: true, add: true }, hosts: { view: true } });
    await taskOf(await tryOut('Mine'));
    // The same request by another caller is another dry run.
    const { report } = await taskOf(await tryOut('Mine', '', managed));
    expect(report[0]!.detail).toContain('1 of 1 live connections');
    const { body } = await tryOut('Mine', '', managed);
    expect([body.filtered, body.total]).toEqual([1, 1]);
    expect(body.results!.map(({ hostName }) => hostName)).toEqual(['host-3']);
  });

  test('is compared again after the policies changed', async () => {
    await taskOf(await tryOut('Later'));
    expect((await tryOut('Later')).code).toBe(200);
    await admin.create(accessPolicy, policy('In between'));
    expect((await tryOut('Later')).code).toBe(202);
  });

  test('fails if the token was revoked before the task ran', async () => {
    const caller = await limiter.caller({ permissions: { 'policy-access': { view: true, add: true } } });
    const [token] = await sql<{ publicId: string }>(
      'update api_token set revoked_at = now() where account_id = $1 returning public_id as "publicId"',
      [caller.accountId],
    );
    const payload = {
      operationId: 'access-policy.create',
      id: 0,
      parameters: {},
      query: { dryRun: true },
      body: policy('Too late'),
      ifMatch: null,
      nowMs: Date.now(),
      credential: { kind: 'token', publicId: token!.publicId },
      source: auditSourceOf(systemOrigin('test')),
    };
    const id = await limiter.transact((tx) => startTask(tx, service.jobs!, { name: 'what-if' }, payload, 'Try'));
    const { state, errorMessage } = await endOf(`/system/background-task/${id}`);
    expect([state, errorMessage]).toEqual(['FAILED', expect.stringContaining('is no longer valid')]);
  });

  test('returns 503 if the account already has three of them running', async () => {
    const { id: taskID } = await limiter.transact((tx) =>
      tx.records.create(backgroundTask, { message: 'Somebody else is at work' }),
    );
    const [account] = await sql<{ assigner: number }>(
      'select assigner from background_task where assigner <> 0 limit 1',
    );
    await sql(`update background_task set state = 'RUNNING', assigner = $2 where id = $1`, [taskID, account!.assigner]);
    for (const key of ['a', 'b', 'c']) await sql('insert into what_if (key, task_id) values ($1, $2)', [key, taskID]);
    expect(await tryOut('Fourth')).toMatchObject({ code: 503, body: { status: 'unavailable' } });
    await sql('delete from background_task where id = $1', [taskID]);
    expect((await tryOut('Fourth')).code).toBe(202);
  });

  test('is deleted after ten minutes', async () => {
    await taskOf(await tryOut('Old'));
    await sql(`update what_if set made_at = now() - interval '11 minutes'`);
    await sql(forgetSql);
    expect(await sql('select from what_if_slice')).toEqual([]);
    expect((await tryOut('Old')).code).toBe(202);
  });
});
