import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { logicalNetwork } from '../../policy/logical-network/logical-network.ts';
import { logicalNetworkConfiguration } from '../../policy/logical-network-configuration/logical-network-configuration.ts';
import { radiusDictionaryEntry } from '../radius-dictionary-entry/radius-dictionary-entry.ts';
import { radiusAttributeGroup } from './radius-attribute-group.ts';

const path = radiusAttributeGroup.path!;

interface Identified {
  dbid: number;
}

describe('RADIUS attribute groups', async () => {
  const shared = await world();
  const { admin } = shared;
  const entryOf = async (name: string): Promise<number> =>
    (await admin.get<Identified>(`${radiusDictionaryEntry.path}/attribute/${name}`)).body.results![0]!.dbid;
  const groupOf = async (name: string): Promise<number> =>
    (await admin.get<Identified>(`${path}/name/${name}`)).body.results![0]!.dbid;
  const filterId = await entryOf('Filter-Id');
  const pair = await entryOf('Cisco-AVPair');
  const tunnelType = await entryOf('Tunnel-Type');

  testCollection(radiusAttributeGroup, {
    world: shared,
    sample: (n) => ({ name: `Sample ${n}`, attributes: [{ dbid: filterId, responseValues: [`list-${n}`], tag: 0 }] }),
    change: (n) => ({ name: `Changed ${n}` }),
  });

  test('the built-in groups have attributes of the dictionary, in their order', async () => {
    const { results } = (await admin.get(`${path}/list`)).body;
    expect(results!.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Aruba_Role', 'Cisco_Vlan', 'HP_Vlan', 'RFC_Filter', 'RFC_Vlan', 'VPN_Class']),
    );
    const [vlan] = (await admin.get(`${path}/name/Cisco_Vlan`)).body.results!;
    expect(vlan).toMatchObject({
      builtIn: true,
      attributes: [
        { attribute: 'Tunnel-Type', hasTag: true, tag: 1, responseValues: ['VLAN'] },
        { attribute: 'Tunnel-Medium-Type', tag: 1, responseValues: ['IEEE-802'] },
        { attribute: 'Tunnel-Private-Group-Id', tag: 1, responseValues: ['%ACCESS_VALUE%'] },
      ],
    });
    expect((await admin.get(`${path}/name/cisco_vlan`)).code).toBe(404);
  });

  test('a built-in group cannot be renamed or deleted, but its attributes can be changed', async () => {
    const id = await groupOf('Ruckus_Role');
    expect((await admin.delete(`${path}/${id}`)).body.errorMessage).toContain('is built in and cannot be deleted');
    expect(await admin.post(`${path}/${id}`, { name: 'Ours' })).toMatchObject({
      code: 409,
      body: { errorMessage: expect.stringContaining('is built in and cannot be renamed') },
    });
    const attributes = [{ dbid: pair, responseValues: ['role=%VALUE%'] }];
    expect((await admin.post(`${path}/${id}`, { attributes })).code).toBe(200);
  });

  test('an attribute that a group uses cannot be deleted from the dictionary', async () => {
    const dbid = await admin.create(radiusDictionaryEntry, {
      attribute: 'Kept-Tier',
      value: '1',
      type: 'integer',
      vendor: 'Kept',
      vendorID: 65_100,
      definedValues: { 1: 'Gold' },
    });
    const group = await admin.create(radiusAttributeGroup, {
      name: 'Tiers',
      attributes: [{ dbid: dbid, responseValues: ['Gold'] }],
    });
    expect((await admin.delete(`${radiusDictionaryEntry.path}/${dbid}`)).code).toBe(409);
    expect((await admin.get(`${path}/${group}`)).body.results).toMatchObject([
      { attributes: [{ attribute: 'Kept-Tier', custom: true, vendor: 'Kept', definedValues: { 1: 'Gold' }, tag: 0 }] },
    ]);
  });

  test.each<[string, object[], string]>([
    [
      'an unknown variable',
      [{ dbid: filterId, responseValues: ['%SECRET%'] }],
      'attributes.0.responseValues.0: has the unknown variable %SECRET%',
    ],
    ['a lone percent sign', [{ dbid: filterId, responseValues: ['5%'] }], 'write %% for a percent sign'],
    [
      'a name that is none',
      [{ dbid: tunnelType, responseValues: ['Vlan-13'] }],
      'attributes.0.responseValues.0: must be a number from 0',
    ],
    [
      'a tag where there is none',
      [{ dbid: filterId, responseValues: ['a'], tag: 1 }],
      'attributes.0.tag: values of Filter-Id have no tag',
    ],
    ['a tag that cannot be', [{ dbid: tunnelType, responseValues: ['VLAN'], tag: 32 }], 'tag'],
    ['no value', [{ dbid: filterId, responseValues: [] }], 'responseValues'],
    ['a control character', [{ dbid: filterId, responseValues: ['a\nb'] }], 'responseValues'],
    [
      'an attribute twice',
      [
        { dbid: filterId, responseValues: ['a'] },
        { dbid: filterId, responseValues: ['b'] },
      ],
      'attributes.1.dbid: Filter-Id is listed twice; give it several values instead',
    ],
  ])('%s is refused', async (_, attributes, message) => {
    const { code, body } = await admin.post(path, { name: 'Wrong', attributes });
    expect([code, body.errorMessage]).toEqual([400, expect.stringContaining(message)]);
  });

  test('rejects an attribute that is not in the dictionary', async () => {
    const { code } = await admin.post(path, {
      name: 'Wrong',
      attributes: [{ dbid: 9_999_999, responseValues: ['a'] }],
    });
    expect(code).toBe(422);
  });

  test('fills the response values of two groups with the given values', async () => {
    const [redirect, vlan, voice] = [
      await groupOf('Cisco_Redirect'),
      await groupOf('RFC_Vlan'),
      await groupOf('Cisco_Voice'),
    ];
    const both = (await admin.get(`${path}/responsevalues/${redirect}/${voice}?accessValue=120`)).body.results!;
    expect(both).toEqual([
      {
        attribute: 'Cisco-AVPair',
        tag: 0,
        values: ['url-redirect=%REDIRECT_URL%', 'url-redirect-acl=120'],
        from: 'DEVICE',
      },
      { attribute: 'Tunnel-Type', tag: 0, values: ['VLAN'], from: 'LOGICAL_NETWORK' },
      { attribute: 'Tunnel-Medium-Type', tag: 0, values: ['IEEE-802'], from: 'LOGICAL_NETWORK' },
      { attribute: 'Tunnel-Private-Group-Id', tag: 0, values: ['120'], from: 'LOGICAL_NETWORK' },
      { attribute: 'Cisco-AVPair', tag: 0, values: ['device-traffic-class=voice'], from: 'LOGICAL_NETWORK' },
    ]);
    const responseValues = (await admin.get(`${path}/responsevalues/0/${await groupOf('HP_Vlan')}?accessValue=100`))
      .body.results!;
    expect(responseValues).toMatchObject([{ values: [String(0x32_00_00_64)] }]);
    expect((await admin.get(`${path}/responsevalues/0/0`)).body.results).toEqual([]);
    expect((await admin.get(`${path}/responsevalues/${vlan}/9999999`)).code).toBe(404);
  });

  describe('of a device', async () => {
    const device = await admin.create(
      { path: `${networkDevice.path}/snmp` },
      { name: 'edge', ipAddress: '10.0.2.77', containerID: 1, radiusEnabled: true, radiusSecret: 'of-the-test' },
    );
    const network = await admin.create(logicalNetwork, { name: 'Cameras', accessState: 'PRODUCTION' });
    const groups = async (query = '') => (await admin.get(`${path}/modelcfg/${device}${query}`)).body.results;
    const ofNetwork = `?logicalNetwork=${network}`;
    const [hp, role] = [await groupOf('HP_Vlan'), await groupOf('Aruba_Role')];

    test('come from the driver, otherwise from the device, and also from the logical network', async () => {
      expect(await groups()).toMatchObject([{ name: 'RFC_Vlan', from: 'DEFAULT' }]);
      expect((await admin.post(`${path}/modelcfg/${device}/${hp}`, {})).code).toBe(200);
      expect(await groups()).toEqual([{ radiusAttrGroupID: hp, name: 'HP_Vlan', from: 'DEVICE' }]);
      const refused = await admin.post(`${path}/modelcfg/${device}/${role}`, { logicalNetwork: network });
      expect([refused.code, refused.body.errorMessage]).toEqual([
        422,
        `logicalNetwork: ${network} has no configuration on device ${device}.`,
      ]);
      await admin.create(logicalNetworkConfiguration, {
        logicalNetworkID: network,
        elementType: 'DEVICE',
        elementID: device,
        accessType: 'ROLE',
        accessValue: 'camera',
      });
      expect((await admin.post(`${path}/modelcfg/${device}/${role}`, { logicalNetwork: network })).code).toBe(200);
      expect(await groups(ofNetwork)).toMatchObject([
        { name: 'HP_Vlan', from: 'DEVICE' },
        { name: 'Aruba_Role', from: 'LOGICAL_NETWORK' },
      ]);
      expect((await admin.get(`${path}/${role}`)).body.results).toMatchObject([{ usage: 1 }]);
      expect((await admin.delete(`${path}/${role}`)).code).toBe(409);
    });

    test('show the reply with the source of each attribute', async () => {
      const reply = await admin.get(
        `${logicalNetworkConfiguration.path}/radius?logicalNetworkID=${network}&deviceID=${device}&mac=001A2B3C4D5E`,
      );
      // A role is not a VLAN, so the variable in the device's attribute has no value.
      expect(reply.body.results).toEqual([
        {
          code: 'Access-Accept',
          attributes: [{ attribute: 'Aruba-User-Role', tag: 0, values: ['camera'], from: 'LOGICAL_NETWORK' }],
        },
      ]);
    });

    test('can be cleared once', async () => {
      expect((await admin.delete(`${path}/modelcfg/${device}${ofNetwork}`)).code).toBe(200);
      expect((await admin.delete(`${path}/modelcfg/${device}${ofNetwork}`)).code).toBe(404);
      expect((await admin.delete(`${path}/modelcfg/${device}`)).code).toBe(200);
      expect((await admin.delete(`${path}/modelcfg/${device}`)).code).toBe(404);
      expect(await groups(ofNetwork)).toMatchObject([{ name: 'RFC_Filter', from: 'DEFAULT' }]);
      expect((await admin.get(`${path}/modelcfg/9999999`)).code).toBe(404);
    });
  });
});
