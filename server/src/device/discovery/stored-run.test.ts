import { describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { container } from '../container/container.ts';
import { holdRun, RunLost, type TakenRun, takeRun } from './stored-run.ts';

describe('the run of a discovery', async () => {
  const { admin, service } = await world({ jobs: 'enqueue' });
  const { runtime } = service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);

  test('is written by the worker that has it, and no longer by the one that lost it', async () => {
    const containerID = await admin.create(container, { name: 'Fenced' });
    const reply = await admin.post('/device/discovery/discover', {
      containerID,
      ranges: [{ cidr: '198.51.100.0/30' }],
      credentials: [{ snmpProtocol: 'V2C', snmpSecurityStrings: ['hush'] }],
    });
    expect(reply, reply.text).toMatchObject({ code: 202 });
    const { rows } = await runtime.pool.query<{ id: number }>(
      'select w.run_id as id from discovery_work w where w.container_id = $1',
      [containerID],
    );
    const id = rows[0]!.id;
    const take = (worker: string) => transact((tx) => takeRun(tx, id, worker));
    const hold = (run: TakenRun) => transact(({ client }) => holdRun(client, run));
    const first = (await take('first')) as TakenRun;
    await hold(first);
    expect(await take('second')).toBe('held');
    await runtime.pool.query(`update discovery_work set beat_at = now() - interval '1 minute' where run_id = $1`, [id]);
    const second = (await take('second')) as TakenRun;
    await hold(second);
    await expect(hold(first)).rejects.toThrow(RunLost);
  });
});
