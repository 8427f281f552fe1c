import { afterAll, beforeAll, expect, test } from 'vitest';
import { openNode } from '../../test/world/open-world.ts';
import { until } from '../../test/world/patience.ts';
import { type RadiusWorld, radiusWorld } from '../../test/world/radius-world.ts';
import type { Service } from './start-service.ts';

let world: RadiusWorld;
let second: Service | undefined;
beforeAll(async () => {
  world = await radiusWorld();
});
afterAll(async () => {
  await second?.close();
  await world.close();
});

test('leaves the engine to the first of two nodes with the same folder, and to the second when the first ends', async () => {
  const mac = '00:1D:09:07:00:01';
  expect((await world.mab(mac)).code).toBe('Access-Accept');
  const running = await world.engine.running();
  const { database, radius, logged } = world;
  second = await openNode({ database, jobs: 'enqueue', node: 'node-2', radius }, logged);
  const readiness = async () => (await second!.app.inject('/readyz')).json().results?.at(-1);
  const detail = 'another process uses the RADIUS folder of this node';
  await until('its report', async () => (await readiness())?.detail === detail);
  expect(await readiness()).toEqual({ name: 'radius', ready: false, detail });
  expect((await world.mab(mac)).code).toBe('Access-Accept');
  expect(await world.engine.running()).toEqual(running);

  await world.node().close();
  await until('the second node', async () => (await readiness())?.ready === true);
  await until('its answer', async () => (await world.mab(mac, { tries: 1 })).code === 'Access-Accept');
  expect(await world.engine.running()).toEqual(running);
  const events = await world.admin.get('/logging/event?filter=name==RADIUS_NAS_UNKNOWN');
  expect(events.body.filtered).toBe(0);
});
