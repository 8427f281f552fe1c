import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/world/patience.ts';
import { nasAddress, type RadiusWorld, radiusWorld } from '../../../test/world/radius-world.ts';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { observePorts } from '../../device/port/port.service.ts';
import { elementCodes } from '../../kernel/declare/element-type.ts';
import { logicalNetworkConfiguration } from '../../policy/logical-network-configuration/logical-network-configuration.ts';

const details = '/radius/radius-health-details';
const mac12 = '00:1D:09:00:00:12';
const nothing = { code: 'none', attributes: [] };
/** Options of requests that the test repeats itself. */
const once = { tries: 1, waitSeconds: 0.3 };
const vlan = (id: string) => [
  { name: 'Tunnel-Type', value: 'VLAN' },
  { name: 'Tunnel-Medium-Type', value: 'IEEE-802' },
  { name: 'Tunnel-Private-Group-Id', value: id },
];

describe('devices with MAC authentication', () => {
  let world: RadiusWorld;
  let limiter: Limiter;
  let deviceID: number;
  const sql = <R extends object>(text: string, values: unknown[] = []) => limiter.sql<R>(text, values);
  const portOf = async (name: string) =>
    (await sql<{ id: number }>('select id from port where device_id = $1 and name = $2', [deviceID, name]))[0]!.id;
  const enforce = async (tag: string, portID: number) => {
    const [group] = await sql<{ id: number }>('select id from "group" where tag = $1', [tag]);
    await limiter.join(group!.id, elementCodes.PORT, portID);
  };
  const networkID = async (state: string) =>
    (await sql<{ id: number }>('select id from logical_network where access_state = $1', [state]))[0]!.id;
  const value = async (state: string, elementType: string, elementID: number, fields: object) =>
    world.admin.create(logicalNetworkConfiguration, {
      logicalNetworkID: await networkID(state),
      elementType,
      elementID,
      ...fields,
    });
  const hostOf = async (mac: string) =>
    (await sql<{ id: number }>('select host_id as id from adapter where physical_address = $1', [mac]))[0];
  const rows = async (filter: string) =>
    (await world.admin.get<Record<string, unknown>>(`${details}?filter=${filter}&sortKey=id`)).body.results!;
  const untilRow = async (filter: string) => {
    await until('the row', async () => (await rows(filter)).length > 0);
    return rows(filter);
  };

  beforeAll(async () => {
    world = await radiusWorld();
    limiter = new Limiter(world);
    deviceID = (await sql<{ id: number }>('select id from network_device where ip_address = $1', [nasAddress]))[0]!.id;
  });
  afterAll(() => world.close());

  test('an unknown device becomes a rogue at the port `unknown`', async () => {
    const mac = '00:1D:09:00:00:01';
    expect(await world.mab(mac)).toEqual({ code: 'Access-Accept', attributes: [] });
    expect(await hostOf(mac)).toBeDefined();
    expect(await untilRow(`callingStationId==${mac}`)).toMatchObject([
      {
        nas: 'nas-1',
        nasPort: 'unknown',
        ssid: null,
        eapType: 'MAB',
        reply: 'ACCEPT',
        cause: 'NONE',
        decisionID: expect.any(String),
        message: 'Nothing is enforced: the port is in no enforcement group.',
        clusterNode: 'node-1',
      },
    ]);
    await until(
      'the connection',
      async () => (await sql('select from connection_active where mac = $1', [mac])).length === 1,
    );
    const { body } = await world.admin.get<{ authType: string; connected: boolean }>(
      `/adapter?filter=physicalAddress==${mac}`,
    );
    expect(body.results).toMatchObject([{ authType: 'MAB' }]);
    const page = await world.node().metrics.page();
    expect(page).toContain('portreeve_radius_answers_total{reply="ACCEPT",cause="NONE"} 1\n');
    expect(page).toContain('portreeve_radius_answer_duration_seconds_count 1\n');
    const events = await world.admin.get(`/logging/event?filter=name==RADIUS_PORT_UNRESOLVED`);
    expect(events.body.filtered).toBe(1);
  });

  test('the reply and the explanation have the decided value', async () => {
    const mac = '00:1D:09:00:00:01';
    const portID = await portOf('unknown');
    await value('REGISTRATION', 'DEVICE', deviceID, { accessType: 'VLAN_ID', accessValue: '30' });
    await enforce('enforce-registration', portID);
    await until('the policies', async () => (await world.mab(mac)).attributes.length > 0);
    expect(await world.mab(mac)).toEqual({ code: 'Access-Accept', attributes: vlan('30') });
    await until(
      'what was applied',
      async () =>
        (
          await sql(
            `select from adapter_access where applied ->> 'accessState' = 'REGISTRATION' and status = 'APPLIED'`,
          )
        ).length === 1,
    );
    const host = await hostOf(mac);
    const { body } = await world.admin.get<{ radius: object; reason: string }>(`/host/${host!.id}/policy`);
    expect(body.results).toMatchObject([{ radius: { code: 'Access-Accept', attributes: vlan('30') } }]);
  });

  test('finds a port of the device by name, description or number', async () => {
    await observePorts(world.service.runtime.pool, [
      { deviceID, name: 'Gi1/0/7', ifdescr: 'GigabitEthernet1/0/7', ifindex: '10107', status: 1 },
    ]);
    const requests: Record<string, string | number>[] = [
      { 'NAS-Port-Id': 'Gi1/0/7' },
      { 'NAS-Port-Id': 'GigabitEthernet1/0/7' },
      { 'NAS-Port': 10_107 },
    ];
    for (const [n, attributes] of requests.entries()) {
      const mac = `00:1D:09:00:01:0${n}`;
      expect((await world.mab(mac, { attributes })).code).toBe('Access-Accept');
      expect(await untilRow(`callingStationId==${mac}`)).toMatchObject([{ nasPort: 'Gi1/0/7' }]);
    }
  });

  test('finds a previously unknown port after a poll has stored it', async () => {
    const mac = '00:1D:09:00:00:09';
    const attributes = { 'NAS-Port-Id': 'Gi1/0/9' };
    expect((await world.mab(mac, { attributes })).code).toBe('Access-Accept');
    expect(await untilRow(`callingStationId==${mac}`)).toMatchObject([{ nasPort: 'unknown' }]);
    await observePorts(world.service.runtime.pool, [{ deviceID, name: 'Gi1/0/9', status: 1 }]);
    await until('the port', async () => {
      await world.mab(mac, { attributes });
      return (await rows(`callingStationId==${mac};nasPort=="Gi1/0/9"`)).length > 0;
    });
  });

  test('is rejected and reported where an isolation network has no value', async () => {
    const mac = '00:1D:09:00:00:61';
    const source = '127.0.0.12';
    const otherID = await world.device(source);
    await until('the device', async () => (await world.mab(mac, { source, tries: 1 })).code === 'Access-Accept');
    const [port] = await sql<{ id: number }>('select id from port where device_id = $1', [otherID]);
    await enforce('enforce-registration', port!.id);
    await until('the reject', async () => (await world.mab(mac, { source })).code === 'Access-Reject');
    expect((await untilRow(`callingStationId==${mac};reply==REJECT`))[0]).toMatchObject({ cause: 'NO_POLICY' });
    const events = (name: string) => world.admin.get(`/logging/event?filter=name==${name};mac==${mac}`);
    await until('the event', async () => (await events('ACCESS_VALUE_UNRESOLVED')).body.filtered === 1);
    expect((await events('ACCESS_VALUE_UNRESOLVED')).body.results).toMatchObject([
      {
        elementType: 2,
        elementID: otherID,
        mac,
        eventFormatString: expect.stringMatching(
          /^The logical network Registration has no value on nas-\d+: .+ rejected\.$/,
        ),
      },
    ]);
    expect((await events('RADIUS_AUTH_FAILURE')).body).toMatchObject({
      filtered: 1,
      results: [{ elementID: otherID }],
    });
  });

  test('adds a new wireless network, which can have its own values', async () => {
    const mac = '00:1D:09:00:00:02';
    const attributes = { 'Called-Station-Id': '00-11-22-33-44-55:Ward 3', 'NAS-Port-Type': 'Wireless-802.11' };
    expect(await world.mab(mac, { attributes })).toEqual({ code: 'Access-Accept', attributes: [] });
    expect((await world.admin.get('/ssid')).body.results).toMatchObject([
      { name: 'Ward 3', bssids: ['00:11:22:33:44:55'] },
    ]);
    const portID = await portOf('Ward 3');
    await enforce('enforce-registration', portID);
    const rule = await value('REGISTRATION', 'SSID', portID, { accessEnforcement: 'DENY', accessType: 'NONE' });
    await until('the reject', async () => (await world.mab(mac, { attributes })).code === 'Access-Reject');
    expect((await untilRow(`callingStationId==${mac};reply==REJECT`))[0]).toMatchObject({
      ssid: 'Ward 3',
      cause: 'OTHER',
    });
    expect(
      (
        await world.admin.post(`${logicalNetworkConfiguration.path}/${rule}`, {
          accessEnforcement: 'ENFORCE',
          accessType: 'VLAN_ID',
          accessValue: '77',
        })
      ).code,
    ).toBe(200);
    await until('the accept', async () => (await world.mab(mac, { attributes })).code === 'Access-Accept');
    expect(await world.mab(mac, { attributes })).toEqual({ code: 'Access-Accept', attributes: vlan('77') });
  });

  test('answers a request whose network name has control characters, and stores the name as one line', async () => {
    const mac = '00:1D:09:00:00:03';
    const attributes = {
      'Called-Station-Id': '00-11-22-33-44-56:lab\x01\x0b\x1b[2J',
      'NAS-Port-Type': 'Wireless-802.11',
    };
    const reply = await world.mab(mac, { attributes });
    expect(reply.code).toBe('Access-Accept');
    expect(await untilRow(`callingStationId==${mac}`)).toMatchObject([{ ssid: 'lab[2J' }]);
  });

  test('rejects the next request of a disabled host, without attributes that grant access', async () => {
    const mac = '00:1D:09:00:00:01';
    const host = await hostOf(mac);
    expect((await world.admin.post(`/host/${host!.id}`, { enabled: false })).code).toBe(200);
    expect(await world.mab(mac)).toEqual({ code: 'Access-Reject', attributes: [] });
    expect((await untilRow(`callingStationId==${mac};reply==REJECT`))[0]).toMatchObject({ cause: 'HOST_DISABLED' });
    expect((await world.admin.post(`/host/${host!.id}`, { enabled: true })).code).toBe(200);
    expect(await world.mab(mac)).toEqual({ code: 'Access-Accept', attributes: vlan('30') });
  });

  test('decides an excluded address as an unknown one, and stores no host', async () => {
    const mac = '00:00:5E:00:01:0A';
    expect(await world.mab(mac)).toEqual({ code: 'Access-Accept', attributes: vlan('30') });
    expect(await hostOf(mac)).toBeUndefined();
  });

  test('rejects a request without a MAC address', async () => {
    const attributes = { 'User-Name': 'nobody', 'Service-Type': 'Call-Check', 'User-Password': 'nobody' };
    expect(await world.send({ attributes })).toEqual({ code: 'Access-Reject', attributes: [] });
    expect(await untilRow('username==nobody')).toMatchObject([{ callingStationId: null, cause: 'OTHER' }]);
  });

  test('uses a changed secret immediately, in the same process', async () => {
    const mac = '00:1D:09:00:00:01';
    const before = await world.engine.running();
    for (const secret of ['another-secret', 'a "third" of %{User-Name} \\', 'secret-of-nas']) {
      expect((await world.admin.post(`/device/snmp/${deviceID}`, { radiusSecret: secret })).code).toBe(200);
      await until('the new secret', async () => (await world.mab(mac, { secret, ...once })).code === 'Access-Accept');
    }
    expect(await world.mab(mac, { secret: 'of-a-stranger', tries: 1 })).toEqual(nothing);
    expect(await world.engine.running()).toEqual(before);
  });

  test('answers many access devices that send requests at the same time', async () => {
    const addresses = Array.from({ length: 12 }, (_, n) => `127.0.0.${100 + n}`);
    for (const address of addresses) await world.device(address);
    await until(
      'the last of them',
      async () => (await world.mab(mac12, { source: addresses.at(-1)!, ...once })).code !== 'none',
    );
    await world.engine.start((await world.engine.running())!.generation);
    await until('the engine', async () => (await world.mab(mac12, once)).code !== 'none');
    const replies = await Promise.all(
      addresses.map((source) => world.mab(mac12, { source, tries: 1, waitSeconds: 30 })),
    );
    expect(replies.map(({ code }) => code)).toEqual(addresses.map(() => 'Access-Accept'));
  });

  test('uses secrets with any characters', async () => {
    const secrets = ['a "b" c', '%{User-Name}', 'a\\b', 'a\\', 'a\\\\b', 'a\\nb', 'a\\101b', "it's", '`x` $y', 'grün'];
    for (const [n, radiusSecret] of secrets.entries()) {
      const source = `127.0.1.${n + 1}`;
      await world.device(source, { radiusSecret });
      const isAnswered = async () =>
        (await world.mab('00:1D:09:00:00:01', { source, secret: radiusSecret, ...once })).code !== 'none';
      await until(radiusSecret, isAnswered);
    }
  });

  test('does not answer unsigned requests, unless the profile accepts them', async () => {
    const mac = '00:1D:09:00:00:01';
    expect(await world.mab(mac, { signs: false, tries: 1 })).toEqual(nothing);
    const id = await world.admin.create(
      { path: '/radius/radius-server-config' },
      { name: 'Old switches', tlsConfigID: 3, requireMessageAuthenticator: false },
    );
    await world.device('127.0.0.10', { radiusServerConfigID: id });
    await world.runs();
    const source = '127.0.0.10';
    await until(
      'the other profile',
      async () => (await world.mab(mac, { source, signs: false, ...once })).code !== 'none',
    );
    expect((await world.admin.delete(`/radius/radius-server-config/${id}`)).code).toBe(409);
  });

  test('requires an access device to be in the permitted networks', async () => {
    const outside = await world.admin.post('/device/snmp', {
      name: 'outside',
      ipAddress: '192.0.2.7',
      containerID: 1,
      radiusEnabled: true,
      radiusSecret: 'of-nobody',
    });
    expect([outside.code, outside.body.errorMessage]).toEqual([
      422,
      expect.stringContaining('add its network to nasNetworks'),
    ]);
    const narrow = await world.admin.post('/radius/radius-server-config/global', { nasNetworks: ['10.0.0.0/8'] });
    expect([narrow.code, narrow.body.errorMessage]).toEqual([
      422,
      expect.stringMatching(/outside these networks: \d+\./),
    ]);
  });

  test('does not answer an address without access device, and reports it once', async () => {
    const ask = async () =>
      expect(await world.mab('00:1D:09:00:00:01', { source: '127.0.0.99', tries: 1 })).toEqual(nothing);
    // Other tests add devices, and on a busy machine send packets before the node has read them: their addresses are reported too.
    const filter = 'name==RADIUS_NAS_UNKNOWN;attributes.address==127.0.0.99';
    const events = async () => (await world.admin.get(`/logging/event?filter=${filter}`)).body.filtered;
    // On a busy machine the engine may drop a packet without a call to its node.
    await until('the event', async () => {
      await ask();
      return (await events()) === 1;
    });
    await ask();
    expect(await events()).toBe(1);
  });

  test('does not answer an access device with a wrong secret, and reports it once, by its name', async () => {
    const source = '127.0.0.21';
    const id = await world.device(source);
    for (const _ of [1, 2])
      expect(await world.mab('00:1D:09:00:00:01', { source, secret: 'of-last-year', tries: 1 })).toEqual(nothing);
    const mismatchEvents = async () =>
      (await world.admin.get(`/logging/event?filter=name==RADIUS_NAS_SECRET_MISMATCH;elementID==${id}`)).body.results!;
    await until('the event', async () => (await mismatchEvents()).length > 0);
    expect(await mismatchEvents()).toMatchObject([{ ip: source }]);
    expect(JSON.stringify(await mismatchEvents())).not.toContain('of-last-year');
  });

  test('rejects no request while no node answers, and continues by itself afterwards', async () => {
    const mac = '00:1D:09:00:00:01';
    const before = await world.engine.running();
    await world.node().close();
    expect(await world.mab(mac, { tries: 1 })).toEqual(nothing);
    await world.startNode();
    await until('the answer', async () => (await world.mab(mac)).code === 'Access-Accept');
    expect(await world.engine.running()).toEqual(before);
  });
});
