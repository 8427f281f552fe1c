import { describe, expect, test } from 'vitest';
import { openNode } from '../../../test/world/open-world.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { elementCodes } from '../../kernel/declare/element-type.ts';

describe('the snapshot of a node', async () => {
  const world = await startWorld();
  const { service, database } = world;
  const limiter = new Limiter(world);
  const { policies } = service;
  const waiting = { timeout: 20_000 };
  const place = await limiter.container();
  const device = await limiter.device(place.name);

  test('follows a port that a poll adds, its uplink and its deletion without a new generation', async () => {
    const { set } = await policies.latest();
    const id = await limiter.port(device);
    await expect.poll(() => policies.current!.topology.port(id), waiting).toMatchObject({ deviceID: device });
    await limiter.sql('insert into port_uplink (port_id, kind) values ($1, 8)', [id]);
    await limiter.sql('update port set connection_state = 8 where id = $1', [id]);
    await expect.poll(() => policies.current!.topology.port(id)?.isUplink, waiting).toBe(true);
    await limiter.sql('delete from port where id = $1', [id]);
    await expect.poll(() => policies.current!.topology.port(id), waiting).toBe(null);
    expect(policies.current!.set).toBe(set);
  });

  test('contains memberships and containers together with the generation that they raised', async () => {
    const id = await limiter.port(device);
    const group = await limiter.group('PORT');
    const before = (await policies.latest()).set.generation;
    await limiter.join(group, elementCodes.PORT, id);
    const { set, topology } = await policies.latest();
    expect(set.generation).toBe(before + 1);
    expect(topology.port(id)?.groups).toEqual([group]);
    await limiter.transact(({ records }) => records.update(container, place.id, { name: 'Renamed' }));
    const renamed = await policies.latest();
    expect(renamed.topology.placeOfDevice(device)?.containers[0]?.name).toBe('Renamed');
    expect(renamed.set).toBe(set);
  });

  test('is loaded completely after a gap in the change feed', async () => {
    const { topology } = await policies.latest();
    await limiter.sql(
      `insert into feed_purge (table_name, txid, seq) values ('port', pg_current_xact_id(), 1)
       on conflict (table_name) do update set txid = excluded.txid`,
    );
    expect((await policies.latest()).topology).not.toBe(topology);
  });

  test('another node follows changes even while it receives no notifications', async () => {
    const otherNode = await openNode({ database });
    try {
      await expect.poll(async () => (await otherNode.app.inject('/readyz')).statusCode, waiting).toBe(200);
      await limiter.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'portreeve-listen' and datname = current_database()`,
      );
      const { id } = await limiter.container();
      const { set } = await policies.latest();
      await expect.poll(() => otherNode.policies.current!.set.generation, waiting).toBe(set.generation);
      expect(otherNode.policies.current!.topology.container(id)).not.toBe(null);
    } finally {
      await otherNode.close();
    }
  });
});
