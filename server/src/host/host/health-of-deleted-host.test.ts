import { expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { host } from './host.ts';

test('setting the health of a host that is deleted meanwhile returns 404', async () => {
  const { admin, service } = await world();
  const id = await admin.create(host, { hostName: 'leaving' });
  const { runtime } = service;
  const waiting = () =>
    runtime.pool.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  const reply = await runtime.transact(systemOrigin('test'), async ({ client }) => {
    await client.query('delete from host where id = $1', [id]);
    const request = admin.post(`${host.path}/${id}/set-health`, { health: 'AT_RISK' });
    await expect.poll(async () => (await waiting()).rows[0]!.count, { timeout: 20_000 }).toBeGreaterThan(0);
    return { pendingReply: request };
  });
  expect((await reply.pendingReply).code).toBe(404);
});
