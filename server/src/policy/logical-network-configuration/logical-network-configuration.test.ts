import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { Limiter, selecting } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { logicalNetwork } from '../logical-network/logical-network.ts';
import { logicalNetworkConfiguration } from './logical-network-configuration.ts';

interface Properties {
  elementName: string;
  supportedAccessTypes: string[];
  vlans: { id: number }[];
  configurations: { logicalNetworkID: number; accessValue: string | null; inheritedFrom: object | null }[];
}

interface Reply {
  code: string;
  attributes: { attribute: string; values: string[]; from: string }[];
}

describe('logical-network-configuration', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const path = logicalNetworkConfiguration.path!;
  const networks: number[] = [];
  const containers: number[] = [];
  for (let n = 0; n < 20; n++) {
    networks.push(await admin.create(logicalNetwork, { name: `network ${n}` }));
    containers.push(await admin.create(container, { name: `building ${n}` }));
  }

  testCollection(logicalNetworkConfiguration, {
    world: shared,
    sample: (n) => ({
      logicalNetworkID: networks[n % 20],
      elementType: 'CONTAINER',
      elementID: containers[Math.floor(n / 20)],
      accessType: 'VLAN_ID',
      accessValue: String(n + 1),
    }),
    change: (n) => ({ note: `changed ${n}` }),
  });

  const limiter = new Limiter(shared);
  let createdNetworks = 0;
  /** Creates a RADIUS client with one port and one SSID, in a container of its own. */
  const place = async () => {
    const inside = await limiter.container();
    const device = await limiter.device(inside.name);
    await service.runtime.pool.query(`update network_device set radius_enabled = true, vlans = $2 where id = $1`, [
      device,
      JSON.stringify([{ id: 30, name: 'cameras' }]),
    ]);
    return { container: inside, device, port: await limiter.port(device), ssid: await limiter.ssid(device) };
  };
  const network = () => admin.create(logicalNetwork, { name: `own ${++createdNetworks}` });
  const vlan = (logicalNetworkID: number, elementType: string, elementID: number, accessValue: string) => ({
    logicalNetworkID,
    elementType,
    elementID,
    accessType: 'VLAN_ID',
    accessValue,
  });
  const propertiesOf = async (query: string) =>
    (await admin.get<Properties>(`${path}/element/properties?${query}`)).body.results!;
  const valueAt = async (query: string, networkID: number) =>
    (await propertiesOf(query))[0]!.configurations.find(({ logicalNetworkID }) => logicalNetworkID === networkID)!;
  const rowsOf = async (filter: string) => (await admin.get(`${path}?filter=${filter}&sortKey=id`)).body.results!;

  test('applies the nearest value: port, device, container, default', async () => {
    const { container: inside, device, port } = await place();
    const id = await network();
    expect(await valueAt(`elementType=PORT&elementID=${port}`, id)).toMatchObject({ id: null, accessType: null });
    await admin.post(`${logicalNetwork.path}/${id}`, { defaultValue: { accessType: 'VLAN_ID', accessValue: '9' } });
    expect(await valueAt(`elementType=PORT&elementID=${port}`, id)).toMatchObject({ id: null, accessValue: '9' });
    await admin.create(logicalNetworkConfiguration, vlan(id, 'CONTAINER', inside.id, '10'));
    expect(await valueAt(`elementType=PORT&elementID=${port}`, id)).toMatchObject({
      accessValue: '10',
      inheritedFrom: { elementType: 'CONTAINER', elementID: inside.id, name: inside.name },
    });
    await admin.create(logicalNetworkConfiguration, vlan(id, 'DEVICE', device, '30'));
    expect(await valueAt(`elementType=PORT&elementID=${port}`, id)).toMatchObject({
      accessValue: '30',
      inheritedFrom: { elementType: 'DEVICE', elementID: device },
    });
    await admin.create(logicalNetworkConfiguration, vlan(id, 'PORT', port, '12'));
    expect(await valueAt(`elementType=PORT&elementID=${port}`, id)).toMatchObject({
      accessValue: '12',
      inheritedFrom: null,
    });
    const [ofDevice] = await propertiesOf(`deviceID=${device}`);
    expect(ofDevice).toMatchObject({ vlans: [{ id: 30, name: 'cameras' }] });
    expect(ofDevice!.supportedAccessTypes).toContain('FILTER_ID');
    expect(ofDevice!.supportedAccessTypes).not.toContain('CLI');
    expect(await rowsOf(`logicalNetworkID==${id}`)).toMatchObject([
      { elementType: 'CONTAINER', valueKnownOnDevice: null },
      { elementType: 'DEVICE', valueKnownOnDevice: true },
      { elementType: 'PORT', valueKnownOnDevice: false },
    ]);
  });

  test('its RADIUS reply follows the nearest value, its enforcement and its attribute group', async () => {
    const { container: inside, device, port, ssid } = await place();
    const id = await network();
    const replyAt = async (query = '') =>
      (await admin.get<Reply>(`${path}/radius?logicalNetworkID=${id}&deviceID=${device}${query}`)).body.results![0]!;
    const attributesAt = async (query?: string) =>
      (await replyAt(query)).attributes.map(
        ({ attribute, values, from: origin }) => `${attribute}=${values} ${origin}`,
      );
    expect(await replyAt()).toEqual({ code: 'Access-Reject', attributes: [] });
    await admin.create(logicalNetworkConfiguration, vlan(id, 'CONTAINER', inside.id, '10'));
    expect(await attributesAt()).toEqual([
      'Tunnel-Type=VLAN DEFAULT',
      'Tunnel-Medium-Type=IEEE-802 DEFAULT',
      'Tunnel-Private-Group-Id=10 DEFAULT',
    ]);
    const { dbid: voice } = (await admin.get('/radius/attrgroups/name/RFC_Voice')).body.results![0]!;
    const byVlanName = { ...vlan(id, 'DEVICE', device, 'cameras'), accessType: 'VLAN_NAME', radiusAttrGroupID: voice };
    await admin.create(logicalNetworkConfiguration, byVlanName);
    // VLAN 30 has this name in the VLAN list of the device.
    expect(await attributesAt()).toEqual([`Egress-VLANID=${0x31_00_00_1e} LOGICAL_NETWORK`]);
    await admin.create(logicalNetworkConfiguration, {
      ...vlan(id, 'PORT', port, 'strict'),
      accessType: 'FILTER_ID',
    });
    expect(await attributesAt(`&portID=${port}`)).toEqual(['Filter-Id=strict DEFAULT']);
    await admin.create(logicalNetworkConfiguration, {
      ...vlan(id, 'SSID', ssid, '12'),
      accessEnforcement: 'DENY',
    });
    const [{ name }] = (await admin.get(`/ssid?filter=id==${ssid}`)).body.results as [{ name: string }];
    expect(await replyAt(`&ssid=${encodeURIComponent(name)}`)).toEqual({ code: 'Access-Reject', attributes: [] });
    for (const [query, code] of [
      [`&portID=${port}&ssid=x`, 400],
      ['&ssid=nobody', 422],
      ['&portID=999999', 422],
    ])
      expect((await admin.get(`${path}/radius?logicalNetworkID=${id}&deviceID=${device}${query}`)).code).toBe(code);
    expect((await admin.get(`${path}/radius?logicalNetworkID=999999&deviceID=${device}`)).code).toBe(404);
  });

  test('deletes values with their element', async () => {
    const { device, port, ssid } = await place();
    const id = await network();
    for (const [type, element] of [
      ['DEVICE', device],
      ['PORT', port],
      ['SSID', ssid],
    ] as const)
      await admin.create(logicalNetworkConfiguration, vlan(id, type, element, '30'));
    expect((await admin.delete(`/device/${device}`)).code).toBe(200);
    expect(await rowsOf(`logicalNetworkID==${id}`)).toEqual([]);
  });

  test('rejects values that a device does not support, and elements that do not exist', async () => {
    const { container: inside, device } = await place();
    const id = await network();
    const lines = { accessType: 'CLI', cliApply: ['vlan %VLAN%'], accessValue: '' };
    const post = (body: object) => admin.post(path, body);
    expect(await post({ ...vlan(id, 'DEVICE', device, ''), ...lines })).toMatchObject({ code: 422 });
    expect(await post({ ...vlan(id, 'CONTAINER', inside.id, ''), ...lines })).toMatchObject({ code: 201 });
    expect(await post(vlan(id, 'SSID', device + 100_000, '3'))).toMatchObject({ code: 422 });
    expect(await post(vlan(id, 'DEVICE', device, '4095'))).toMatchObject({ code: 400 });
    const pinged = await admin.create(
      { path: '/device/pingable' },
      { name: 'pinged', ipAddress: '10.5.0.1', containerID: 1, deviceType: 'printer' },
    );
    expect(await post(vlan(id, 'DEVICE', pinged, '3'))).toMatchObject({ code: 422 });
  });

  test('writes many values by their keys, all or none, and reports the index of a fault', async () => {
    const { container: inside, device } = await place();
    const id = await network();
    const upsert = (body: object[]) => admin.post<{ id: number }>(`${path}/batch-upsert`, body);
    const both = [vlan(id, 'CONTAINER', inside.id, '10'), vlan(id, 'DEVICE', device, '11')];
    const first = await upsert(both);
    expect(first.code).toBe(200);
    const again = await upsert([both[0]!, { ...both[1]!, accessValue: '12' }]);
    expect(again.body.results).toEqual(first.body.results);
    expect(await rowsOf(`logicalNetworkID==${id}`)).toMatchObject([
      { accessValue: '10', version: 1 },
      { accessValue: '12', version: 2 },
    ]);
    const wrong = await upsert([{ ...both[0]!, accessValue: '13' }, vlan(id, 'DEVICE', 999_999_999, '3')]);
    expect([wrong.code, wrong.body.errorMessage]).toEqual([422, expect.stringMatching(/^\[1\]: .*999999999/)]);
    const twice = await upsert([both[0]!, both[0]!]);
    expect([twice.code, twice.body.errorMessage]).toEqual([400, expect.stringContaining('[1]')]);
    expect(await rowsOf(`logicalNetworkID==${id}`)).toMatchObject([{ accessValue: '10' }, { accessValue: '12' }]);
  });

  test('replaces all values of a device, and those of its ports and SSIDs only if they are included', async () => {
    const { device, port, ssid } = await place();
    const { port: foreign } = await place();
    const [a, b] = [await network(), await network()];
    for (const configuration of [
      vlan(a, 'DEVICE', device, '1'),
      vlan(a, 'PORT', port, '2'),
      vlan(a, 'SSID', ssid, '3'),
    ])
      await admin.create(logicalNetworkConfiguration, configuration);
    const replace = (configurations: object[]) =>
      admin.post(`${path}/element/properties/${device}`, { configurations });
    const value = { logicalNetworkID: b, accessType: 'VLAN_ID', accessValue: '4' };
    expect(await replace([value, { ...value, elementType: 'PORT', elementID: port }])).toMatchObject({ code: 200 });
    expect(
      (await rowsOf(`logicalNetworkID=in=(${a},${b})`)).map(({ logicalNetworkID, elementType }) => [
        logicalNetworkID,
        elementType,
      ]),
    ).toEqual([
      [a, 'SSID'],
      [b, 'DEVICE'],
      [b, 'PORT'],
    ]);
    expect(await replace([{ ...value, elementType: 'PORT', elementID: foreign }])).toMatchObject({ code: 400 });
    expect((await admin.post(`${path}/element/properties/999999999`, { configurations: [] })).code).toBe(404);
  });

  test('sets one value on many elements, and keeps their other values', async () => {
    const places = [await place(), await place()];
    const [a, b] = [await network(), await network()];
    const elements = places.map(({ device }) => ({ elementType: 'DEVICE', elementID: device }));
    const merge = (logicalNetworkID: number, accessValue: string) =>
      admin.post(`${path}/element/properties`, {
        elements,
        configurations: [{ logicalNetworkID, accessType: 'VLAN_ID', accessValue }],
      });
    for (const [id, value] of [
      [a, '1'],
      [b, '2'],
      [a, '3'],
    ] as const)
      expect(await merge(id, value)).toMatchObject({ code: 200 });
    expect((await rowsOf(`logicalNetworkID=in=(${a},${b})`)).map(({ accessValue }) => accessValue)).toEqual([
      '3',
      '3',
      '2',
      '2',
    ]);
  });

  test('prevents changes on elements that the caller does not see, and hides their names', async () => {
    const [visiblePlace, hidden] = [await place(), await place()];
    const id = await network();
    const row = await admin.create(logicalNetworkConfiguration, vlan(id, 'DEVICE', hidden.device, '5'));
    const rights = { view: true, add: true, modify: true, delete: true };
    const caller = await limiter.caller({
      permissions: { 'policy-access': rights, devices: selecting(visiblePlace.container.id) },
    });
    expect((await caller.get(`${path}/${row}`)).body.results).toMatchObject([{ elementName: '' }]);
    expect((await caller.post(path, vlan(id, 'PORT', hidden.port, '6'))).code).toBe(422);
    expect((await caller.post(`${path}/${row}`, { accessValue: '6' })).code).toBe(422);
    expect((await caller.delete(`${path}/${row}`)).code).toBe(422);
    expect((await caller.delete(`${logicalNetwork.path}/${id}`)).code).toBe(422);
    expect((await caller.get(`${path}/element/properties?deviceID=${hidden.device}`)).code).toBe(404);
    expect((await caller.post(path, vlan(id, 'PORT', visiblePlace.port, '6'))).code).toBe(201);
    expect(await admin.fetch(logicalNetworkConfiguration, row)).toMatchObject({ accessValue: '5' });
  });
});
