import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { accessConfiguration } from '../access-configuration/access-configuration.ts';
import { accessPolicy } from '../access-policy/access-policy.ts';
import { logicalNetworkConfiguration } from '../logical-network-configuration/logical-network-configuration.ts';
import { logicalNetwork } from './logical-network.ts';

describe('logical-network', async () => {
  testCollection(logicalNetwork, { sample: (n) => ({ name: `network-${n}` }) });

  const { admin, service } = await world();
  const path = logicalNetwork.path!;
  const builtIn = (await admin.get(`${path}?filter=predefined==true`)).body.results!;

  test('has built-in networks for the isolation states and guests, without values', () => {
    expect(
      builtIn.map(({ name, accessState, defaultValue, configuredOn }) => [
        name,
        accessState,
        defaultValue,
        configuredOn,
      ]),
    ).toEqual([
      ['Registration', 'REGISTRATION', null, 0],
      ['Quarantine', 'QUARANTINE', null, 0],
      ['Dead End', 'DEAD_END', null, 0],
      ['Authentication', 'AUTHENTICATION', null, 0],
      ['Guest', 'GUEST', null, 0],
    ]);
  });

  test('protects the name of a built-in network and the network itself, but accepts a value for it', async () => {
    const { id } = builtIn[0]!;
    expect((await admin.delete(`${path}/${id}`)).body.status).toBe('protected');
    expect((await admin.post(`${path}/${id}`, { name: 'Other' })).body.status).toBe('protected');
    const defaultValue = { accessType: 'VLAN_ID', accessValue: '20' };
    expect((await admin.post(`${path}/${id}`, { defaultValue })).code).toBe(200);
    expect(await admin.fetch(logicalNetwork, Number(id))).toMatchObject({
      defaultValue: { ...defaultValue, radiusAttrGroupID: null, cliApply: [], cliUndo: [] },
    });
  });

  test('rejects a second network of an isolation state', async () => {
    const reply = await admin.post(path, { name: 'Second', accessState: 'QUARANTINE' });
    expect([reply.code, reply.body.errorMessage]).toEqual([400, expect.stringContaining('PRODUCTION')]);
  });

  test.each([
    [{ accessType: 'VLAN_ID', accessValue: '4095' }, 'defaultValue.accessValue'],
    [{ accessType: 'VLAN_ID', accessValue: '' }, 'defaultValue.accessValue'],
    [{ accessType: 'VLAN_NAME', accessValue: ' ' }, 'defaultValue.accessValue'],
    [{ accessType: 'DENY', accessValue: '3' }, 'defaultValue.accessValue'],
    [{ accessType: 'VLAN_ID', accessValue: '3', cliApply: ['vlan 3'] }, 'defaultValue.cliApply'],
    [{ accessType: 'CLI' }, 'defaultValue.cliApply'],
    [{ accessType: 'CLI', cliApply: ['vlan %VLANS%'] }, '%VLANS%'],
    [{ accessType: 'CLI', accessValue: '3; reload', cliApply: ['vlan %VLAN%'] }, 'defaultValue.accessValue'],
    [{ accessType: 'CLI', cliApply: ['one\ntwo'] }, 'defaultValue.cliApply'],
    [{ accessType: 'COLOUR' }, 'defaultValue.accessType'],
  ])('the value %j is refused', async (defaultValue, where) => {
    const reply = await admin.post(path, { name: 'Wrong', defaultValue });
    expect([reply.code, reply.body.errorMessage]).toEqual([400, expect.stringContaining(where)]);
  });

  test('adds the predefined networks with their configurations, and adds nothing the second time', async () => {
    const add = async (body?: object) =>
      (
        await admin.post<{ name: string; added: number; accessPolicyID: number | null }>(
          `${path}/add-predefined-network-access`,
          body,
        )
      ).body.results!;
    expect(await add({ names: ['Cameras'] })).toMatchObject([{ name: 'Cameras', added: 2 }]);
    expect((await add()).map(({ added }) => added)).toEqual([2, 2, 2, 2, 2, 2, 0, 2, 2, 2]);
    expect((await add()).map(({ added }) => added)).toEqual(Array(10).fill(0));
    const configurations = (await admin.get(accessConfiguration.path!)).body.results!;
    expect(configurations).toHaveLength(10);
    const cameras = configurations.find(({ name }) => name === 'Cameras')!;
    expect(await admin.fetch(logicalNetwork, Number(cameras.logicalNetworkID))).toMatchObject({ name: 'Cameras' });
    expect((await admin.delete(`${path}/${cameras.logicalNetworkID}`)).body.errorMessage).toContain(
      'Access configuration Cameras',
    );
    const withPolicies = { names: ['Voice'], createPolicies: true };
    const [voice] = await add(withPolicies);
    expect(voice).toMatchObject({ name: 'Voice', added: 2 });
    expect(await add(withPolicies)).toEqual([{ ...voice, added: 0 }]);
    expect(await admin.fetch(accessPolicy, voice!.accessPolicyID!)).toMatchObject({
      name: 'Voice',
      enabled: false,
      criteria: { who: { roles: ['Voice'] } },
      accessConfigurationName: 'Voice',
    });
  });

  test('counts the devices that have a value, and deletes its values with it', async () => {
    const id = await admin.create(logicalNetwork, { name: 'Laboratory' });
    const building = await admin.create(container, { name: 'Building L' });
    const floor = await admin.create(container, { name: 'Floor L', parent: 'Building L' });
    const devices: number[] = [];
    for (const [index, containerID] of [floor, floor, 1, 1].entries())
      devices.push(
        await admin.create(
          { path: '/device/pingable' },
          { name: `l-${index}`, ipAddress: `10.3.0.${index + 1}`, containerID, deviceType: 'printer' },
        ),
      );
    const value = (elementType: string, elementID: number) =>
      admin.create(logicalNetworkConfiguration, { logicalNetworkID: id, elementType, elementID });
    const configuredOn = async () => (await admin.fetch(logicalNetwork, id)).configuredOn;
    await value('DEVICE', devices[2]!);
    expect(await configuredOn()).toBe(1);
    const ofBuilding = await value('CONTAINER', building);
    expect(await configuredOn()).toBe(3);
    expect((await admin.get(`${path}/${id}/usage`)).body.results).toEqual([
      { name: 'Logical network configuration', children: ['2 records'] },
    ]);
    expect((await admin.delete(`${path}/${id}`)).code).toBe(200);
    expect((await admin.get(`${logicalNetworkConfiguration.path}/${ofBuilding}`)).code).toBe(404);
    const { rows } = await service.runtime.transact(systemOrigin('test'), ({ client }) =>
      client.query(`select count(*) as number from event where name = 'LOGICAL_NETWORK_CONFIGURATION_DELETED'`),
    );
    expect(rows[0].number).toBe(2);
  });
});
