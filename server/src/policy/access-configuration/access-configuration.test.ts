import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { Limiter, selecting } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { logicalNetwork } from '../logical-network/logical-network.ts';
import { accessConfiguration } from './access-configuration.ts';

interface DirectValue {
  accessType: string;
  accessValue: string;
  label: string;
  usedBy: number;
  knownOn: number;
  missingOn: { deviceName: string }[];
}

describe('access-configuration', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const path = accessConfiguration.path!;
  const cameras = await admin.create(logicalNetwork, { name: 'Cameras' });
  const direct = { type: 'DIRECT', directConfiguration: { accessType: 'VLAN_ID', accessValue: '30' } };

  testCollection(accessConfiguration, {
    world: shared,
    sample: (n) => ({ name: `configuration-${n}`, type: 'LOGICAL_NETWORK', logicalNetworkID: cameras }),
    needed: ['logicalNetworkID'],
  });

  test.each([
    [{ type: 'DIRECT' }, 400, 'directConfiguration'],
    [{ type: 'LOGICAL_NETWORK' }, 400, 'logicalNetworkID'],
    [{ ...direct, logicalNetworkID: 1 }, 400, 'logicalNetworkID'],
    [{ ...direct, type: 'LOGICAL_NETWORK' }, 400, 'directConfiguration'],
    [{ type: 'DIRECT', directConfiguration: { accessType: 'VLAN_ID', accessValue: '0' } }, 400, '4094'],
    [{ type: 'LOGICAL_NETWORK', logicalNetworkID: 1 }, 422, 'Registration isolates hosts'],
    [{ type: 'LOGICAL_NETWORK', logicalNetworkID: 999_999 }, 422, '999999'],
    [{ ...direct, firewallTagIDs: [4] }, 422, 'firewall-tag'],
    [
      { type: 'DIRECT', directConfiguration: { ...direct.directConfiguration, radiusAttrGroupID: 999_999 } },
      422,
      '999999',
    ],
  ])('%j is refused', async (body, code, words) => {
    const reply = await admin.post(path, { name: 'Wrong', ...body });
    expect([reply.code, reply.body.errorMessage]).toEqual([code, expect.stringContaining(words)]);
  });

  test('can grant the guest network', async () => {
    const [guest] = (await admin.get(`${logicalNetwork.path}?filter=accessState==GUEST`)).body.results!;
    await admin.create(accessConfiguration, { name: 'Guests', type: 'LOGICAL_NETWORK', logicalNetworkID: guest!.id });
  });

  test('supporting-info lists networks that can be granted, types and placeholders', async () => {
    const { results } = (await admin.get<Record<string, { name: string }[]>>(`${path}/supporting-info`)).body;
    expect(results).toHaveLength(1);
    const { logicalNetworks, accessTypes, placeholders, firewallTags } = results![0]!;
    expect(logicalNetworks!.map(({ name }) => name)).toEqual(['Cameras', 'Guest']);
    expect(accessTypes).toContainEqual(expect.objectContaining({ name: 'CLI', radius: false, cli: true }));
    expect(placeholders).toContain('%VLAN%');
    expect(firewallTags).toEqual([]);
  });

  describe('direct values to choose from', async () => {
    const place = await admin.create(container, { name: 'Hall A' });
    const devices: number[] = [];
    const vlans = [
      [
        { id: 30, name: 'cameras' },
        { id: 31, name: 'doors' },
      ],
      [{ id: 30, name: 'cameras' }],
      [],
    ];
    for (const [index, had] of vlans.entries()) {
      const id = await admin.create(
        { path: '/device/pingable' },
        { name: `sw-${index}`, ipAddress: `10.4.0.${index + 1}`, containerID: place, deviceType: 'printer' },
      );
      await service.runtime.pool.query('update network_device set vlans = $2 where id = $1', [id, JSON.stringify(had)]);
      devices.push(id);
    }
    await admin.create(accessConfiguration, { name: 'Direct 30', ...direct });
    await admin.create(accessConfiguration, {
      name: 'Doors',
      type: 'DIRECT',
      directConfiguration: { accessType: 'VLAN_NAME', accessValue: 'doors' },
    });
    await admin.create(accessConfiguration, {
      name: 'Filter',
      type: 'DIRECT',
      directConfiguration: { accessType: 'FILTER_ID', accessValue: 'strict' },
    });
    const choices = async (query: string, client = admin) =>
      (await client.get<DirectValue>(`${path}/direct-configuration${query}`)).body.results!;

    test('are the VLANs of the devices and the values in use, with the devices that lack one', async () => {
      const shown = (await choices(`?containerID=${place}`)).map(({ missingOn, ...value }) => ({
        ...value,
        missingOn: missingOn.map(({ deviceName }) => deviceName),
      }));
      expect(shown).toEqual([
        { accessType: 'FILTER_ID', accessValue: 'strict', label: 'strict', usedBy: 1, knownOn: 0, missingOn: [] },
        { accessType: 'VLAN_ID', accessValue: '30', label: 'cameras', usedBy: 1, knownOn: 2, missingOn: [] },
        { accessType: 'VLAN_ID', accessValue: '31', label: 'doors', usedBy: 0, knownOn: 1, missingOn: ['sw-1'] },
        { accessType: 'VLAN_NAME', accessValue: 'doors', label: 'doors', usedBy: 1, knownOn: 1, missingOn: ['sw-1'] },
      ]);
    });

    test('can be limited to one device, and are those of visible devices only', async () => {
      expect(await choices(`?deviceID=${devices[1]}`)).toContainEqual(
        expect.objectContaining({ accessType: 'VLAN_ID', accessValue: '30', knownOn: 1 }),
      );
      expect((await admin.get(`${path}/direct-configuration?deviceID=999999`)).code).toBe(404);
      const limiter = new Limiter(shared);
      const visibleContainer = await limiter.container();
      const caller = await limiter.caller({
        permissions: { 'policy-access': { view: true }, devices: selecting(visibleContainer.id) },
      });
      expect((await choices('', caller)).map(({ knownOn, missingOn }) => [knownOn, missingOn])).toEqual([
        [0, []],
        [0, []],
        [0, []],
      ]);
      expect((await caller.get(`${path}/direct-configuration?deviceID=${devices[1]}`)).code).toBe(404);
    });
  });
});
