import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { promised, until } from '../../../test/world/patience.ts';
import { type RadiusWorld, radiusWorld } from '../../../test/world/radius-world.ts';

const globalPath = '/radius/radius-server-config/global';

interface LoggedEvent {
  name: string;
  elementName: string;
  timeOfEvent: string;
}

describe('the health of a node with an engine', () => {
  let world: RadiusWorld;

  const events = async () => {
    const filter = encodeURIComponent('name==RADIUS_SERVICE_*');
    return (await world.admin.get<LoggedEvent>(`/logging/event?sortKey=id&filter=${filter}`)).body.results!;
  };
  const pid = async () => (await world.engine.running())?.pid;

  beforeAll(async () => {
    world = await radiusWorld();
    await world.runs();
  });
  afterAll(() => world.close());

  test('reports an engine that was killed as down, and as up when it responds again', async () => {
    expect(await events()).toEqual([]);
    const before = await pid();
    const killedMs = Date.now();
    process.kill(before!, 'SIGKILL');
    await until('both events', async () => (await events()).length === 2);
    const [down, up] = await events();
    expect([down, up]).toMatchObject([
      { name: 'RADIUS_SERVICE_DOWN', elementName: 'node-1' },
      { name: 'RADIUS_SERVICE_UP', elementName: 'node-1' },
    ]);
    expect(Date.parse(down!.timeOfEvent) - killedMs).toBeLessThan(promised(10_000));
    expect(await pid()).not.toBe(before);
  });

  test('reports an engine that hangs as down, and as up after its restart', async () => {
    const before = await pid();
    process.kill(before!, 'SIGSTOP');
    await until('both events', async () => (await events()).length === 4);
    expect((await events()).slice(2).map(({ name }) => name)).toEqual(['RADIUS_SERVICE_DOWN', 'RADIUS_SERVICE_UP']);
    expect(await pid()).not.toBe(before);
  });

  test('an engine that is stopped by the settings is not reported', async () => {
    await world.admin.post(globalPath, { serviceEnabled: false });
    await until('the end of the engine', async () => (await pid()) === undefined);
    await world.admin.post(globalPath, { serviceEnabled: true });
    await world.runs();
    expect(await events()).toHaveLength(4);
  });
});
