import { expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { type Claimed, Leases, type Polled } from './leases.ts';

const { service } = await world();
const { runtime } = service;
const { pool } = runtime;
const done: Polled = { done: new Set(['contact', 'resync']), putOff: new Set() };
let createdCount = 0;

const device = async (overrides: object = {}): Promise<number> => {
  const name = `leased-${++createdCount}`;
  const record = { name, ipAddress: `10.6.${createdCount >> 8}.${createdCount & 255}`, containerID: 1, ...overrides };
  return (await runtime.transact(systemOrigin('test'), ({ records }) => records.create(networkDevice, record))).id;
};
const rowOf = async (id: number) =>
  (
    await pool.query<{ isFree: boolean; resync: string; contact: number }>(
      `select p.lease_until < now() as "isFree", p.resync_due::text as resync,
         extract(epoch from p.contact_due - now())::float8 as contact from device_poll p where p.device_id = $1`,
      [id],
    )
  ).rows[0]!;

test('one of many concurrent claims gets the lease of a device, and none has it after the release, also during renewals', async () => {
  const id = await device();
  const nodes = Array.from({ length: 4 }, () => new Leases(pool));
  for (let round = 0; round < 50; round++) {
    const claims = await Promise.all(nodes.map((node) => node.claimOne(id)));
    const winners = claims.flatMap((claim, nodeIndex) => (claim ? [{ claim, node: nodes[nodeIndex]! }] : []));
    expect(winners).toHaveLength(1);
    const { claim, node } = winners[0]!;
    await Promise.all([node.renew(), node.renew(), node.release(claim, done)]);
    expect(await rowOf(id)).toMatchObject({ isFree: true });
  }
});

test('a request during a running poll is still due afterwards', async () => {
  const id = await device();
  const leases = new Leases(pool);
  const claimed = (await leases.claimOne(id)) as Claimed;
  await pool.query('update device_poll set resync_due = clock_timestamp() where device_id = $1', [id]);
  await leases.release(claimed, done);
  expect((await rowOf(id)).resync).not.toBe('infinity');
  await leases.release((await leases.claimOne(id))!, done);
  expect((await rowOf(id)).resync).toBe('infinity');
});

test('a device is due again after its interval, a tenth more or less, and one without an address never', async () => {
  const id = await device({ contactPollingInterval: 1_000 });
  const leases = new Leases(pool);
  await leases.release((await leases.claimOne(id))!, done);
  const { contact } = await rowOf(id);
  expect(contact).toBeGreaterThan(890);
  expect(contact).toBeLessThan(1_110);
  const nowhere = await device({ ipAddress: null });
  const ids = (await leases.claimDue(1_000)).map((claimed) => claimed.id);
  expect(ids).not.toContain(nowhere);
});

test('an interrupted task is due again soon, also one that had not started', async () => {
  const id = await device({ l2PollingEnabled: true, contactPollingInterval: 1_000 });
  const leases = new Leases(pool);
  const claimed = (await leases.claimOne(id))!;
  await leases.release(claimed, { ...done, done: new Set(), brokenOff: new Set(['contact', 'resync', 'l2']) });
  const { rows } = await pool.query(
    `select extract(epoch from greatest(p.contact_due, p.resync_due, p.l2_due) - now())::float8 as seconds from device_poll p where p.device_id = $1`,
    [id],
  );
  expect(rows[0]!.seconds).toBeGreaterThan(20);
  expect(rows[0]!.seconds).toBeLessThan(40);
});

test('a holder that lost its lease is notified, and cannot release the lease of another', async () => {
  const id = await device();
  const [first, second] = [new Leases(pool), new Leases(pool)];
  const claimed = (await first.claimOne(id))!;
  await pool.query(`update device_poll set lease_until = now() - interval '1 second' where device_id = $1`, [id]);
  const newClaim = (await second.claimOne(id))!;
  expect(await runtime.read((client) => first.holds(client, id))).toBe(false);
  await first.release(claimed, done);
  expect(await runtime.read((client) => second.holds(client, id))).toBe(true);
  await second.release(newClaim, done);
  expect(await rowOf(id)).toMatchObject({ isFree: true });
});
