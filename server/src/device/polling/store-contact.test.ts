import { expect, test } from 'vitest';
import { until } from '../../../test/world/patience.ts';
import { world } from '../../../test/world/world.ts';
import type { WriteTx } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { container } from '../container/container.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { storeContact } from './store-contact.ts';

const { admin, service } = await world();
const { runtime } = service;
const transact = <T>(work: (tx: WriteTx) => Promise<T>) => runtime.transact(systemOrigin('test'), work);

test('of two polls that end at once, the later sees what the earlier found: the container is in contact', async () => {
  const containerID = await admin.create(container, { name: 'Two at once' });
  const newDevice = (name: string) =>
    transact(async ({ records }) => (await records.create(networkDevice, { name, containerID })).id);
  const ids = [await newDevice('first'), await newDevice('second')] as const;
  const answered = (id: number, afterwards: () => Promise<void>) =>
    transact(async (tx) => {
      await storeContact(
        tx,
        { id, name: `device ${id}`, containerID, status: 0, failures: 0, fault: '', uptimeTicks: null } as never,
        { kind: 'answered', uptimeTicks: null, community: null },
        Date.now(),
      );
      await afterwards();
    });
  const isWaiting = async () =>
    (
      await runtime.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rowCount! > 0;
  let second: Promise<void> | undefined;
  await answered(ids[0], async () => {
    second = answered(ids[1], async () => undefined);
    await until('the second poll to wait for the container', isWaiting);
  });
  await second;
  expect(await admin.fetch(container, containerID)).toMatchObject({ status: 1 });
});
