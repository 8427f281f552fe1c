import { describe, expect, test } from 'vitest';
import { Limiter, selecting } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { observePorts } from '../port/observe-ports.ts';
import { observeSsids, removeSsids, type SeenSsid } from './ssid.service.ts';

describe('ssid', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const { runtime } = service;
  let createdCount = 0;

  const accessPoint = async () => {
    const name = `ap-${++createdCount}`;
    const reply = await admin.post('/device/pingable', {
      name,
      ipAddress: `10.9.0.${createdCount}`,
      containerID: 1,
      deviceType: 'access-point',
    });
    return { id: Number(String(reply.headers.location).split('/').at(-1)), name };
  };
  /** Ports first, as in a poll. */
  const see = (device: { id: number; name: string }, observedSsids: readonly SeenSsid[]) =>
    runtime.transact(systemOrigin('test'), async (tx) => {
      const names = [...new Set(observedSsids.map(({ name }) => name))];
      await observePorts(
        tx.client,
        names.map((name) => ({ deviceID: device.id, name, portType: 1, status: 1 })),
      );
      await observeSsids(tx, device, observedSsids);
    });
  const network = (
    name: string,
    bssid: string | null = null,
    security: SeenSsid['security'] = 'UNKNOWN',
  ): SeenSsid => ({
    name,
    bssid,
    security,
  });
  const listed = async (filter: string) => (await admin.get(`/ssid?filter=${filter}`)).body.results!;
  const eventsOf = async (type: string, element: string) =>
    (await admin.get(`/logging/event?filter=name==${type};elementName=="${element}"`)).body.results!;
  const configOf = async (id: unknown) => (await admin.get(`/ssid/config?id=${id}`)).body.results![0]!;

  test('is found once, with all its radios, under the identity of its port', async () => {
    const device = await accessPoint();
    const both = [network('corp', '02:00:00:00:01:00', 'ENTERPRISE'), network('corp', '02:00:00:00:02:00')];
    await see(device, both);
    await see(device, both);
    const [record, ...otherRecords] = await listed(`deviceID==${device.id}`);
    expect(otherRecords).toEqual([]);
    expect(record).toEqual({
      id: expect.any(Number),
      name: 'corp',
      deviceID: device.id,
      deviceName: device.name,
      containerID: 1,
      bssids: ['02:00:00:00:01:00', '02:00:00:00:02:00'],
      security: 'ENTERPRISE',
      present: true,
      clients: 0,
      firstSeen: expect.any(String),
      lastSeen: expect.any(String),
    });
    expect((await admin.get(`/device/port/${record!.id}`)).body.results).toMatchObject([
      { portType: 1, name: 'corp', portID: 'ssid:corp' },
    ]);
    expect(await eventsOf('SSID_DISCOVERED', `${device.name} corp`)).toHaveLength(1);
    await see(device, [network('corp')]);
    expect(await listed(`deviceID==${device.id}`)).toMatchObject([{ security: 'ENTERPRISE', bssids: [] }]);
  });

  test('is kept when its device no longer has it, is reported once, and returns with the same id', async () => {
    const device = await accessPoint();
    await see(device, [network('guest')]);
    const [before] = await listed(`deviceID==${device.id}`);
    const lose = () => runtime.transact(systemOrigin('test'), (tx) => removeSsids(tx, device));
    await runtime.pool.query('update port set status = 4 where device_id = $1', [device.id]);
    await lose();
    await lose();
    expect(await listed(`deviceID==${device.id}`)).toMatchObject([{ id: before!.id, present: false }]);
    expect(await eventsOf('SSID_REMOVED', `${device.name} guest`)).toHaveLength(1);
    await see(device, [network('guest')]);
    expect(await listed(`deviceID==${device.id}`)).toMatchObject([{ id: before!.id, present: true }]);
    expect(await eventsOf('SSID_DISCOVERED', `${device.name} guest`)).toHaveLength(2);
  });

  test('goes with its device, and so does its configuration', async () => {
    const device = await accessPoint();
    await see(device, [network('gone')]);
    expect((await admin.delete(`/device/${device.id}`)).code).toBe(200);
    expect(await listed('name==gone')).toEqual([]);
    const { rows } = await runtime.pool.query(
      'select from ssid_config c where not exists (select from ssid s where s.id = c.ssid_id)',
    );
    expect(rows).toEqual([]);
  });

  describe('configuration', async () => {
    const device = await accessPoint();
    await see(
      device,
      ['one', 'two', 'three'].map((name) => network(name)),
    );
    const ids = (await listed(`deviceID==${device.id}`)).map(({ id }) => id as number);
    const server = await admin.create(
      { path: '/settings/integration/aaa' },
      { name: 'for-ssids', netId: '192.0.2.8', secret: 'a-shared-secret' },
    );
    const put = (body: object) => admin.call('PUT', '/ssid/config', body);

    test('is inherited from the device until it is set', async () => {
      expect(await configOf(ids[0])).toEqual({
        id: [ids[0]],
        inherit: true,
        primaryAAAServerID: null,
        secondaryAAAServerID: null,
        configurations: [],
        guestTemplateIDs: [],
        portalConfigurationID: null,
        inheritedFrom: { elementType: 'DEVICE', elementID: device.id, name: device.name },
        version: 1,
      });
      expect((await admin.get('/ssid/config')).body.results!.length).toBeGreaterThanOrEqual(3);
    });

    test('is replaced for all that are named, and twice is as once', async () => {
      const ownConfig = { id: ids.slice(0, 2), inherit: false };
      for (const _ of [1, 2]) expect(await put(ownConfig)).toMatchObject({ code: 200 });
      for (const id of ownConfig.id)
        expect(await configOf(id)).toMatchObject({
          inherit: false,
          inheritedFrom: null,
          version: 2,
        });
      expect(await configOf(ids[2])).toMatchObject({ inherit: true, version: 1 });
      expect(await eventsOf('SSID_CONFIG_MODIFIED', 'one')).toHaveLength(1);
      // Absent fields get their defaults.
      await put({ id: [ids[0]] });
      expect(await configOf(ids[0])).toMatchObject({ inherit: true, version: 3 });
    });

    test('can be sent back as it was read; an older version is refused, and then nothing is changed', async () => {
      const config = await configOf(ids[1]);
      expect(await put(config)).toMatchObject({ code: 200 });
      expect(await configOf(ids[1])).toEqual(config);
      const stale = await put({ ...config, id: [ids[2], ids[1]], inherit: true, version: 1 });
      expect([stale.code, stale.body.status]).toEqual([409, 'stale']);
      expect(await configOf(ids[2])).toMatchObject({ version: 1 });
    });

    test.each([
      [{ id: [1, 999_999_999] }, 404],
      [{ id: [] }, 400],
      [{}, 400],
      [{ id: 'x' }, 400],
      [{ primaryAAAServerID: 999_999_999 }, 422],
      [{ inherit: false, secondaryAAAServerID: server }, 400],
      [{ inherit: false, primaryAAAServerID: server, secondaryAAAServerID: server }, 400],
      [{ guestTemplateIDs: [7] }, 422],
      [{ portalConfigurationID: 7 }, 422],
      [{ configurations: [{ logicalNetworkID: 1 }] }, 400],
      [{ colour: 'red' }, 400],
    ])('is refused with %j', async (body, code) => {
      const bodyWithId = 'id' in body || Object.keys(body).length === 0 ? body : { id: [ids[2]], ...body };
      expect((await put(bodyWithId)).code).toBe(code);
      expect(await configOf(ids[2])).toMatchObject({ version: 1 });
    });

    test('has access values of its own, which are rows of logical network configurations', async () => {
      const path = '/policy/logical-network-configuration';
      const inherited = await admin.create(
        { path },
        { logicalNetworkID: 1, elementType: 'CONTAINER', elementID: 1, accessType: 'VLAN_ID', accessValue: '20' },
      );
      const storedConfig = await configOf(ids[2]);
      expect(storedConfig).toMatchObject({
        inherit: true,
        configurations: [{ logicalNetworkID: 1, accessValue: '20' }],
      });
      expect(await put(storedConfig)).toMatchObject({ code: 200 });
      await runtime.pool.query('update network_device set radius_enabled = true where id = $1', [device.id]);
      const ownConfig = { logicalNetworkID: 1, accessType: 'VLAN_ID', accessValue: '31' };
      const rows = async () => (await admin.get(`${path}?filter=elementType==SSID;elementID==${ids[2]}`)).body.results!;
      for (const _ of [1, 2])
        expect(await put({ id: [ids[2]], inherit: false, configurations: [ownConfig] })).toMatchObject({ code: 200 });
      expect(await rows()).toMatchObject([
        { ...ownConfig, ssidID: ids[2], elementName: `${device.name} three`, version: 1 },
      ]);
      expect(await configOf(ids[2])).toMatchObject({ inherit: false, configurations: [ownConfig] });
      expect(await put({ id: [ids[2]], inherit: true })).toMatchObject({ code: 200 });
      expect(await rows()).toEqual([]);
      expect((await admin.delete(`${path}/${inherited}`)).code).toBe(200);
    });

    test('of a network that the caller does not see is not there, for reading and for writing', async () => {
      const limiter = new Limiter(shared);
      const [place, otherContainer] = [await limiter.container(), await limiter.container()];
      const visibleSsid = await limiter.ssid(await limiter.device(place.name));
      const hidden = await limiter.ssid(await limiter.device(otherContainer.name));
      const caller = await limiter.caller({ permissions: { devices: selecting(place.id) } });
      const shown = (await caller.get('/ssid/config')).body.results!;
      expect(shown.map(({ id }) => id)).toEqual([[visibleSsid]]);
      expect((await caller.get(`/ssid/config?id=${visibleSsid},${hidden}`)).code).toBe(404);
      const change = (id: number[]) => caller.call('PUT', '/ssid/config', { id, inherit: false });
      expect((await change([visibleSsid, hidden])).code).toBe(404);
      expect(await configOf(visibleSsid)).toMatchObject({ version: 1 });
      expect((await change([visibleSsid])).code).toBe(200);
    });

    test('needs the right to modify devices, and each network once', async () => {
      const viewer = await shared.caller({ devices: ['view'] });
      expect((await viewer.get(`/ssid/config?id=${ids[0]}`)).code).toBe(200);
      expect((await viewer.call('PUT', '/ssid/config', { id: [ids[0]] })).code).toBe(403);
      expect((await admin.get('/ssid/config?id=1,1')).code).toBe(400);
    });
  });
});
