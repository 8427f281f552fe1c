import { Limiter } from '@portreeve/server/test/world/restricted-admins.ts';
import { world as startWorld } from '@portreeve/server/test/world/world.ts';
import { expect, test } from 'vitest';
import { valuesMissing } from './values-missing.ts';

test('names the networks that have no value on devices with enforced ports', async () => {
  const world = await startWorld();
  const limiter = new Limiter(world);
  const { pool } = world.service.runtime;
  const building = await limiter.container();
  const floor = await limiter.container(building.name);
  const device = await limiter.device(floor.name);
  const port = await limiter.port(device);
  expect(await valuesMissing(pool)).toEqual([]);
  const [registration] = await limiter.sql<{ id: number }>(`select id from "group" where tag = 'enforce-registration'`);
  await limiter.join(registration!.id, 3, port);
  expect(await valuesMissing(pool)).toEqual([{ network: 'Registration', devices: 1, first: expect.any(String) }]);
  const [network] = await limiter.sql<{ id: number }>(
    `select id from logical_network where access_state = 'REGISTRATION'`,
  );
  await world.admin.create(
    { path: '/policy/logical-network-configuration' },
    {
      logicalNetworkID: network!.id,
      elementType: 'CONTAINER',
      elementID: building.id,
      accessType: 'VLAN_ID',
      accessValue: '70',
    },
  );
  expect(await valuesMissing(pool)).toEqual([]);
});
