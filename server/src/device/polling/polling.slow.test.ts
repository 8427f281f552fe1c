import { type Switches, type SwitchSpec, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { type SshDevice, startSshDevice } from '@portreeve/testbed/ssh-device.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { realProtocols } from '../../../test/world/open-world.ts';
import { world } from '../../../test/world/world.ts';
import { container } from '../container/container.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { port } from '../port/port.ts';
import { DevicePoller } from './poller.ts';

const access = '127.0.31.1';
const core = '127.0.31.2';
const user = {
  userName: 'op',
  auth: { protocol: 'SHA256', password: 'auth-pass-123' },
  priv: { protocol: 'AES', password: 'priv-pass-456' },
} as const;
const specs: SwitchSpec[] = [
  {
    address: access,
    sysName: 'sw-access',
    ports: 24,
    neighbours: [
      { port: 22, sysName: 'sw-core', chassis: '02:00:00:00:31:02', portId: 'Gi1/0/1', managementAddress: core },
    ],
  },
  { address: core, sysName: 'sw-core', kind: 'cisco', ports: 24 },
  { address: '127.0.31.3', sysName: 'sw-private', ports: 8, users: [user], communities: false },
  { address: '127.0.31.4', sysName: 'sw-left', ports: 8 },
  { address: '127.0.31.5', sysName: 'sw-right', ports: 8 },
];
const v3 = {
  snmpProtocol: 'V3_AUTH_PRIV',
  snmpUsername: 'op',
  snmpAuthenticationProtocol: 'SHA256',
  snmpAuthenticationPassword: 'auth-pass-123',
  snmpPrivacyProtocol: 'AES',
  snmpPrivacyPassword: 'priv-pass-456',
};

const patientSeconds = 30;

describe('polling', async () => {
  /** Loopback addresses always reply to ping; these are treated as if their cable was unplugged. */
  const unplugged = new Set<string>();
  const pinged: (readonly string[])[] = [];
  const real = realProtocols();
  const { pinger } = real.drivers;
  const drivers: typeof real.drivers = {
    of: (name) => real.drivers.of(name),
    pinger: {
      ...pinger,
      each(hosts) {
        pinged.push(hosts);
        const answers = pinger.each(hosts);
        return new Map(
          [...answers].map(([host, answer]) => [host, unplugged.has(host) ? Promise.resolve(null) : answer]),
        );
      },
    },
  };
  const { admin, service } = await world({ parts: { ...real, drivers } });
  const faults: Error[] = [];
  const newPoller = () =>
    new DevicePoller(
      { runtime: service.runtime, drivers, clock: Date.now },
      { onError: (error) => void faults.push(error) },
    );
  const poller = newPoller();
  let switches: Switches;
  const ids = new Map<string, number>();
  let room: number;

  const create = async (name: string, overrides: object) => {
    const reply = await admin.post('/device/snmp', {
      name,
      containerID: room,
      snmpPort: switches.port,
      ...(!('snmpProtocol' in overrides) && { snmpProtocol: 'V2C', snmpSecurityStrings: ['public'] }),
      ...overrides,
    });
    expect(reply, reply.text).toMatchObject({ code: 201 });
    ids.set(name, Number(String(reply.headers.location).split('/').at(-1)));
  };

  /** Long where a reply is expected, because a busy machine delays it; short where a device is silent. */
  const waitForAnswers = async (snmpTimeout: number) =>
    expect((await admin.post('/device/properties', { snmpTimeout, snmpRetries: 0 })).code).toBe(200);

  beforeAll(async () => {
    switches = await startSwitches(specs);
    room = await admin.create(container, { name: 'Polled' });
    await waitForAnswers(patientSeconds);
    await create('sw-access', { ipAddress: access });
    await create('sw-core', { ipAddress: core });
  });
  afterAll(() => switches.stop());

  const device = (name: string) => admin.fetch(networkDevice, ids.get(name)!);
  const sql = async <T extends object>(text: string, values: unknown[] = []) =>
    (await service.runtime.pool.query<T>(text, values)).rows;
  const poll = async (name: string, ...kinds: string[]) => {
    const due = kinds.map((kind) => `${kind}_due = now() - interval '1 second'`).join(', ');
    await sql(`update device_poll set ${due} where device_id = $1`, [ids.get(name)]);
    await poller.pollDue();
    expect(faults).toEqual([]);
  };
  const whereIs = async (mac: string) =>
    sql(
      'select d.name as device, p.name as port from connection_active a join port p on p.id = a.port_id join network_device d on d.id = a.device_id where a.mac = $1',
      [mac.toUpperCase()],
    );
  const eventsOf = async (type: string, element: string) =>
    (await admin.get(`/logging/event?filter=name==${type};elementName==${element}`)).body.results!;
  const portsOf = async (name: string) =>
    (await admin.get(`${port.path}/by-device?deviceID=${ids.get(name)}&includeHidden=true`)).body.results!;

  test('pings new devices together, identifies them, and stores their ports and the locations of hosts', async () => {
    expect(await poller.pollDue()).toBe(2);
    expect(pinged).toEqual([[access, core]]);
    expect(await device('sw-access')).toMatchObject({ status: 1, driver: 'qbridge', systemName: 'sw-access' });
    expect(await device('sw-core')).toMatchObject({ status: 1, driver: 'cisco-ios' });
    for (const [address, name] of [
      [access, 'sw-access'],
      [core, 'sw-core'],
    ] as const)
      for (const number of [1, 7, 20]) {
        const { name: portName } = await switches.portOf(address, number);
        expect(await whereIs(await switches.hostMac(address, number))).toEqual([{ device: name, port: portName }]);
      }
    expect(await admin.fetch(container, room)).toMatchObject({ status: 1 });
    expect(await eventsOf('CONTACT_ESTABLISHED', 'Polled')).toHaveLength(1);
  });

  test('hosts behind an uplink are not connected to its port', async () => {
    await switches.plug(access, 22, '02:11:22:33:44:55', 1);
    await poll('sw-access', 'resync');
    expect(await whereIs('02:11:22:33:44:55')).toEqual([]);
    expect((await portsOf('sw-access')).find(({ name }) => name === '1/22')).toMatchObject({ connectionState: 8 });
  });

  test('a MAC address that moved is found by the next poll', async () => {
    const mac = await switches.hostMac(access, 3);
    await switches.move(mac, { address: access, port: 3 }, { address: core, port: 21 });
    await poll('sw-core', 'resync');
    await poll('sw-access', 'l2');
    expect(await whereIs(mac)).toEqual([{ device: 'sw-core', port: 'Gi1/0/21' }]);
  });

  test('a restart that renumbers interfaces is noticed, and no port becomes another', async () => {
    const before = await portsOf('sw-access');
    await switches.setUptime(access, 500_000);
    await poll('sw-access', 'contact');
    await switches.reboot(access, true);
    await poll('sw-access', 'contact');
    const after = await portsOf('sw-access');
    const identity = (ports: typeof before) => ports.map(({ dbid, name, label }) => [name, dbid, label]).sort();
    expect(identity(after)).toEqual(identity(before));
    const numbers = (ports: typeof before) =>
      ports.filter(({ portType }) => portType === 0).map(({ ifindex }) => ifindex);
    expect(new Set([...numbers(before), ...numbers(after)]).size).toBe(2 * numbers(before).length);
    expect(await whereIs(await switches.hostMac(access, 7))).toEqual([{ device: 'sw-access', port: '1/7' }]);
  });

  test('polls a device with the second community if only that one works', async () => {
    await admin.post(`/device/snmp/${ids.get('sw-core')}`, { snmpSecurityStrings: ['wrong', 'public'] });
    await waitForAnswers(5);
    await poller.pollDue();
    await waitForAnswers(patientSeconds);
    expect(await device('sw-core')).toMatchObject({ status: 1 });
    expect(await sql('select community from device_poll where device_id = $1', [ids.get('sw-core')])).toEqual([
      { community: 1 },
    ]);
  });

  test('a wrong v3 password degrades a device and is reported once, and the right one restores it', async () => {
    await create('sw-private', { ...v3, ipAddress: '127.0.31.3', snmpAuthenticationPassword: 'not-the-password' });
    await poller.pollDue();
    await poll('sw-private', 'contact');
    expect(await device('sw-private')).toMatchObject({ status: 3, portCount: 0 });
    const reported = await eventsOf('DEVICE_AUTHENTICATION_FAILED', 'sw-private');
    expect(reported).toHaveLength(1);
    expect(JSON.stringify(reported)).not.toContain('not-the-password');
    await admin.post(`/device/snmp/${ids.get('sw-private')}`, v3);
    await poller.pollDue();
    expect(await device('sw-private')).toMatchObject({ status: 1, portCount: expect.any(Number) });
    expect((await portsOf('sw-private')).length).toBeGreaterThan(8);
  });

  test('reports a container as lost once if both of its switches stop, to monitors too, and keeps the locations of hosts', async () => {
    const hall = await admin.create(container, { name: 'Hall' });
    const pair = { 'sw-left': '127.0.31.4', 'sw-right': '127.0.31.5' };
    for (const [name, ipAddress] of Object.entries(pair)) await create(name, { ipAddress, containerID: hall });
    await poller.pollDue();
    const hosts = await sql(
      'select a.mac from connection_active a join network_device d on d.id = a.device_id where d.container_id = $1',
      [hall],
    );
    expect(hosts).toHaveLength(8);
    const started = await admin.post(`${container.path}/monitor/start`, { filter: ['name==Hall'] });
    await waitForAnswers(1);
    for (const [name, address] of Object.entries(pair)) {
      await switches.pause(address);
      unplugged.add(address);
      for (let missed = 1; missed <= 3; missed++) {
        expect(await device(name)).toMatchObject({ status: 1 });
        await poll(name, 'contact');
      }
      expect(await device(name)).toMatchObject({ status: 2, lostEvent: { name: 'CONTACT_LOST', empty: false } });
      const isLast = name === 'sw-right';
      expect(await admin.fetch(container, hall)).toMatchObject({
        status: isLast ? 3 : 2,
        lostEvent: { empty: !isLast },
      });
      expect(await eventsOf('CONTACT_LOST', 'Hall')).toHaveLength(isLast ? 1 : 0);
      await poll(name, 'contact');
    }
    expect(await eventsOf('CONTACT_LOST', 'Hall')).toHaveLength(1);
    const reported = (await admin.get(String(started.headers.location).replace('/api/v2', ''))).body.results!;
    expect(reported.at(-1)).toMatchObject({
      change: 'modified',
      record: { name: 'Hall', status: 3, lostEvent: { name: 'CONTACT_LOST' } },
    });
    expect(
      await sql(
        'select a.mac from connection_active a join network_device d on d.id = a.device_id where d.container_id = $1',
        [hall],
      ),
    ).toHaveLength(8);
    expect(new Set((await portsOf('sw-left')).map(({ status }) => status))).toEqual(new Set([0]));

    unplugged.clear();
    await waitForAnswers(patientSeconds);
    for (const address of Object.values(pair)) await switches.resume(address);
    for (const name of Object.keys(pair)) await poll(name, 'contact');
    expect(await admin.fetch(container, hall)).toMatchObject({ status: 1, establishedEvent: { empty: false } });
    expect(await eventsOf('CONTACT_ESTABLISHED', 'Hall')).toHaveLength(2);
    // After the contact is back the device is read again.
    expect((await portsOf('sw-left')).find(({ name }) => name === '1/1')).toMatchObject({ status: 1 });
  });

  test('a device that never answered is not polled repeatedly, and is read once it answers', async () => {
    await switches.pause('127.0.31.4');
    await waitForAnswers(1);
    unplugged.add('127.0.31.4');
    await admin.post(`/device/snmp/${ids.get('sw-left')}`, { note: 'asked again because of this' });
    expect(await poller.pollDue()).toBe(1);
    expect(await poller.pollDue()).toBe(0);
    const [{ isLater }] = (await sql<{ isLater: boolean }>(
      `select resync_due > now() + interval '5 minutes' and resync_due < 'infinity' as "isLater" from device_poll where device_id = $1`,
      [ids.get('sw-left')],
    )) as [{ isLater: boolean }];
    expect(isLater).toBe(true);
    await switches.resume('127.0.31.4');
    await waitForAnswers(patientSeconds);
    unplugged.clear();
  });

  test('a node that lost its lease writes nothing down, and the one that took over does', async () => {
    const [id] = [ids.get('sw-access')!];
    const lastL2 = async () => (await device('sw-access')).lastL2Poll;
    const before = await lastL2();
    await switches.disturb(access, { delayMs: 200 });
    await sql(`update device_poll set l2_due = now() - interval '1 second' where device_id = $1`, [id]);
    const slow = poller.pollDue();
    await expect
      .poll(() => sql(`select from device_poll where device_id = $1 and lease_until > now()`, [id]))
      .toHaveLength(1);
    expect(await newPoller().pollDue()).toBe(0);
    await sql(
      `update device_poll set lease_until = now() + interval '1 minute', node = 'another' where device_id = $1`,
      [id],
    );
    await slow;
    expect(await lastL2()).toBe(before);
    await sql(`update device_poll set lease_until = '-infinity' where device_id = $1`, [id]);
    await switches.disturb(access, {});
    expect(await newPoller().pollDue()).toBe(1);
    expect(await lastL2()).not.toBe(before);
    expect(faults).toEqual([]);
  });

  test('a node that starts reads every forwarding table once, whenever it would be due', async () => {
    await poller.pollDue();
    const devices = ['sw-access', 'sw-core', 'sw-right'];
    const readings = () => Promise.all(devices.map(async (name) => (await device(name)).lastL2Poll));
    const before = await readings();
    const node = newPoller();
    node.start();
    await expect
      .poll(async () => (await readings()).every((pollTime, n) => pollTime !== before[n]), { timeout: 60_000 })
      .toBe(true);
    await node.stop();
    expect(await sql(`select from device_poll where lease_until > now()`)).toEqual([]);
    expect(faults).toEqual([]);
  });

  describe('over SSH', () => {
    const commands = {
      'cat /proc/uptime': '360.55 1200.11\n',
      'hostapd_cli interface': "Selected interface 'wlan0'\nAvailable interfaces:\nwlan0\n",
      'hostapd_cli -i wlan0 status': 'state=ENABLED\nbss[0]=wlan0\nbssid[0]=02:00:00:00:01:00\nssid[0]=corp\n',
      'hostapd_cli -i wlan0 get_config': 'bssid=02:00:00:00:01:00\nssid=corp\nwpa=2\nkey_mgmt=WPA-EAP\n',
      'hostapd_cli -i wlan0 all_sta': '02:00:00:00:00:07\nflags=[AUTH][ASSOC][AUTHORIZED]\nvlan_id=30\n',
    };
    const account = { userName: 'op', password: 'pass-123' };
    let point: SshDevice;
    beforeAll(async () => {
      point = await startSshDevice({ ...account, commands });
      await create('ap-1', {
        snmpProtocol: undefined,
        snmpPort: undefined,
        ipAddress: point.host,
        radiusEnabled: true,
        radiusSecret: 'a-radius-secret',
        deviceTypeOverride: 'access-point',
        cliCredentials: { ...account, port: point.port },
      });
    });
    afterAll(() => point.stop());

    test('reads the networks and stations of an access point, and pins its first host key', async () => {
      await poller.pollDue();
      expect(faults).toEqual([]);
      expect(await device('ap-1')).toMatchObject({
        status: 1,
        driver: 'hostapd',
        cliCredentials: { hostKey: point.hostKey },
      });
      expect(await whereIs('02:00:00:00:00:07')).toEqual([{ device: 'ap-1', port: 'corp' }]);
      expect((await admin.get('/ssid?filter=deviceName==ap-1')).body.results).toMatchObject([
        { name: 'corp', security: 'ENTERPRISE', bssids: ['02:00:00:00:01:00'], present: true, clients: 1 },
      ]);
    });

    test('a network that the access point no longer has is gone, and so is its record when the ports are purged', async () => {
      const { password } = account;
      const otherDevice = await startSshDevice({
        userName: 'op',
        password,
        commands: {
          ...commands,
          'hostapd_cli -i wlan0 status': commands['hostapd_cli -i wlan0 status'].replace('corp', 'new'),
        },
      });
      await admin.post(`/device/snmp/${ids.get('ap-1')}`, {
        cliCredentials: { password, port: otherDevice.port, hostKey: null },
      });
      await poller.pollDue();
      const networks = async () =>
        (await admin.get('/ssid?filter=deviceName==ap-1&sortKey=name')).body.results!.map(({ name, present }) => [
          name,
          present,
        ]);
      expect(await networks()).toEqual([
        ['corp', false],
        ['new', true],
      ]);
      expect(await whereIs('02:00:00:00:00:07')).toEqual([{ device: 'ap-1', port: 'new' }]);
      await poller.resync(ids.get('ap-1')!, true, AbortSignal.timeout(60_000));
      expect(await networks()).toEqual([['new', true]]);
      await otherDevice.stop();
      await admin.post(`/device/snmp/${ids.get('ap-1')}`, {
        cliCredentials: { password, port: point.port, hostKey: point.hostKey },
      });
      await poller.pollDue();
    });

    test('a changed host key degrades the device and is reported once, and no password is sent', async () => {
      await point.stop();
      point = await startSshDevice({ ...account, commands });
      await admin.post(`/device/snmp/${ids.get('ap-1')}`, {
        cliCredentials: { password: account.password, port: point.port },
      });
      await poller.pollDue();
      await poll('ap-1', 'contact');
      expect(await device('ap-1')).toMatchObject({ status: 3 });
      expect(await eventsOf('DEVICE_HOST_KEY_CHANGED', 'ap-1')).toHaveLength(1);
      expect(point.ran()).toEqual([]);
      await admin.post(`/device/snmp/${ids.get('ap-1')}`, {
        cliCredentials: { password: account.password, hostKey: null },
      });
      await poller.pollDue();
      expect(await device('ap-1')).toMatchObject({ status: 1, cliCredentials: { hostKey: point.hostKey } });
    });
  });
});
