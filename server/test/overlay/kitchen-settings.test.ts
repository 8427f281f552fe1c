import { describe, expect, test } from 'vitest';
import { container } from '../../src/device/container/container.ts';
import { resource } from '../../src/kernel/operations/resource.ts';
import { testSettings } from '../conformance/settings.ts';
import { overlayWorld } from '../world/overlay-world.ts';
import { kitchenSettings } from './kitchen-settings.ts';

describe('settings of every kind of field', async () => {
  const world = await overlayWorld([resource('Kitchen settings', kitchenSettings)]);
  const { admin } = world;

  test('have their defaults before the first write', async () => {
    expect((await admin.get(kitchenSettings.path!)).body.results).toEqual([
      {
        motto: "It's on the wall",
        note: null,
        isOpen: true,
        cupsMax: 8,
        strength: 'MILD',
        menu: ['coffee'],
        prices: { coffee: 1 },
        placeID: null,
        keySet: false,
        version: 1,
      },
    ]);
  });

  testSettings(kitchenSettings, {
    world,
    change: (n) => ({ motto: `motto ${n}`, menu: [`tea ${n}`], prices: { tea: n }, key: `key ${n}` }),
  });

  test('are listed as usage of the records that they refer to, under their own title', async () => {
    const id = await admin.create(container, { name: 'Galley' });
    expect((await admin.post(kitchenSettings.path!, { placeID: id })).code).toBe(200);
    expect((await admin.get(`${container.path}/${id}/usage`)).body.results).toEqual([
      { name: 'Kitchen settings', children: ['Kitchen settings'] },
    ]);
    const refused = await admin.delete(`${container.path}/${id}`);
    expect(refused).toMatchObject({ code: 409, body: { status: 'in-use' } });
    expect(refused.body.errorMessage).toBe('Still in use by Kitchen settings; remove those references first.');
    expect((await admin.post(kitchenSettings.path!, { placeID: null })).code).toBe(200);
    expect((await admin.delete(`${container.path}/${id}`)).code).toBe(200);
  });
});
