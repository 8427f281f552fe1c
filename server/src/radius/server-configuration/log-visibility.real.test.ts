import { afterAll, beforeAll, expect, test } from 'vitest';
import { nasAddress, type RadiusWorld, radiusWorld } from '../../../test/world/radius-world.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';

const hiddenAddress = '127.0.0.77';
const waiting = { timeout: 60_000, interval: 200 };
let world: RadiusWorld;

beforeAll(async () => {
  world = await radiusWorld({ jobs: 'work' });
});
afterAll(() => world.close());

test('the log of an engine shows the addresses of access devices only to callers who see these devices', async () => {
  const limiter = new Limiter(world);
  const shown = await limiter.container();
  await limiter.sql('update network_device set container_id = $1 where host(ip_address) = $2', [shown.id, nasAddress]);
  await world.device(hiddenAddress);
  const mac = '00:1D:09:00:00:31';
  for (const source of [nasAddress, hiddenAddress])
    await expect.poll(async () => (await world.mab(mac, { source })).code, waiting).toBe('Access-Accept');
  const junior = await limiter.caller({
    permissions: {
      radius: { view: true },
      devices: { view: true, customized: true, allIDs: false, selectedIDs: [shown.id] },
    },
  });
  const logOf = async (caller: Pick<typeof junior, 'get'>) =>
    (await caller.get('/radius/radius-server-config/log')).text;
  await expect.poll(() => logOf(world.admin), waiting).toContain(hiddenAddress);
  const log = await logOf(junior);
  expect(log).toContain(nasAddress);
  expect(log).not.toContain(hiddenAddress);
});
