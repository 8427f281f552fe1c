import { type RecordedSet, type Switches, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { outboundGuard } from '../protocols/outbound/outbound.ts';
import { snmpClient } from '../protocols/snmp/client.ts';
import type { SnmpCredential } from '../protocols/snmp/snmp.ts';
import type { UsmUser } from '../protocols/snmp/usm.ts';
import { sshClient } from '../protocols/ssh/ssh.ts';
import type { DeviceAccess, Driver } from './driver.ts';
import { openDrivers } from './drivers.ts';
import type { DriverName } from './names.ts';

const outbound = outboundGuard({ allow: ['127.0.0.0/8'], refuse: [] });
const snmp = snmpClient({ outbound });
const drivers = openDrivers({ snmp, ssh: sshClient({ outbound }), outbound });
const user: UsmUser = {
  userName: 'op',
  auth: { protocol: 'SHA256', password: 'auth-pass-123' },
  priv: { protocol: 'AES', password: 'priv-pass-456' },
};
const [access, cisco, plain, router] = ['127.0.45.1', '127.0.45.2', '127.0.45.3', '127.0.45.4'] as const;
const cable = {
  port: 45,
  sysName: 'sw-cisco',
  chassis: '02:aa:bb:cc:dd:00',
  portId: 'Gi1/0/45',
  managementAddress: cisco,
};

let switches: Switches;
beforeAll(async () => {
  switches = await startSwitches([
    { address: access, users: [user], neighbours: [cable] },
    {
      address: cisco,
      kind: 'cisco',
      users: [user],
      neighbours: [{ ...cable, sysName: 'sw-access', managementAddress: access }],
    },
    { address: plain, kind: 'dot1d' },
    {
      address: router,
      kind: 'router',
      forwards: true,
      routes: 12,
      arpTable: 'old',
      interfaces: [
        { vlan: 10, address: '10.1.0.1', prefix: 24 },
        { vlan: 20, address: '10.2.0.1', prefix: 24 },
      ],
    },
  ]);
});
afterAll(async () => {
  snmp.close();
  await switches.stop();
});
beforeEach(async () => {
  for (const address of [access, cisco]) await switches.takeSets(address);
});

const v2c: SnmpCredential = { version: 'v2c', community: 'public' };
const accessTo = (
  host: string,
  credential: SnmpCredential = v2c,
  write: SnmpCredential = { version: 'v2c', community: 'private' },
): DeviceAccess => ({
  key: host,
  host,
  snmp: { port: switches.port, credential, writeCredential: write, timeoutMs: 1_000, retries: 2 },
});
const v3: SnmpCredential = { version: 'v3', user };
const driver = (name: DriverName): Required<Driver> => drivers.of(name) as Required<Driver>;
const qbridge = driver('qbridge');
const ios = driver('cisco-ios');
const ports = (...numbers: number[]) => numbers.map((number) => 10_100 + number);
const portsToVlan = (vlan: number, ...numbers: number[]) => ports(...numbers).map((ifIndex) => ({ ifIndex, vlan }));

/** Formats each SET as `column.index` of its values, with the switch's result. */
const orderOf = (sets: readonly RecordedSet[]): string[] =>
  sets.map(({ varbinds, outcome }) => {
    const names = varbinds.map(({ oid }) =>
      oid
        .replace('1.3.6.1.2.1.17.7.1.4.3.1.2.', 'egress ')
        .replace('1.3.6.1.2.1.17.7.1.4.3.1.4.', 'untagged ')
        .replace('1.3.6.1.2.1.17.7.1.4.5.1.1.', 'pvid ')
        .replace('1.3.6.1.4.1.9.9.68.1.2.2.1.2.', 'vmVlan ')
        .replace('1.3.6.1.2.1.2.2.1.7.', 'admin '),
    );
    return `${names.join(', ')}${outcome === 'noError' ? '' : `: ${outcome}`}`;
  });

describe('reading switches', () => {
  test.each([
    ['qbridge', access, v2c],
    ['qbridge', access, v3],
    ['cisco-ios', cisco, v2c],
    ['cisco-ios', cisco, v3],
  ] as const)('%s at %s: identifies the device', async (name, host, credential) => {
    const identity = await driver(name).identify(accessTo(host, credential));
    expect(identity).toMatchObject({
      driver: name,
      sysName: `sw-${host.replaceAll('.', '-')}`,
      vendor: name === 'qbridge' ? 'Lab' : 'Cisco Systems',
      serialNumber: expect.stringMatching(/^SN02AA/),
      chassisMac: expect.stringMatching(/^02:AA/),
    });
    expect(identity.mibs).toContain(name === 'qbridge' ? 'Q-BRIDGE-MIB' : 'CISCO-CDP-MIB');
    if (credential.version === 'v3') expect(identity.engineId).toMatch(/^80001f8804/);
  });

  test.each([
    ['qbridge', access],
    ['cisco-ios', cisco],
  ] as const)('%s at %s: its interfaces, with bridge ports that are no interface numbers', async (name, host) => {
    const interfaces = await driver(name).readInterfaces(accessTo(host));
    expect(interfaces.filter(({ kind }) => kind === 'physical')).toHaveLength(48);
    expect(interfaces.filter(({ kind }) => kind === 'virtual')).toHaveLength(6);
    const byIndex = new Map(interfaces.map((deviceInterface) => [deviceInterface.ifIndex, deviceInterface]));
    expect(byIndex.get(10_130)).toMatchObject({
      bridgePort: 38,
      kind: 'physical',
      adminStatus: 1,
      operStatus: 1,
      vlan: 1,
      speedBps: 1e9,
      alias: 'desk 30',
    });
    expect(byIndex.get(10_148)).toMatchObject({ bridgePort: null, kind: 'physical', aggregateIfIndex: 5_001 });
    expect(byIndex.get(5_001)).toMatchObject({ bridgePort: 69, kind: 'aggregate', name: 'Po1', speedBps: 2e9 });
    expect(byIndex.get(1)).toMatchObject({ kind: 'virtual', ip: host });
  });

  test('its VLANs by number and name, and on a Cisco without those of other media', async () => {
    const expected = { 1: 'default', 10: 'office', 20: 'voice', 30: 'registration', 40: 'quarantine' };
    for (const [name, host] of [
      ['qbridge', access],
      ['cisco-ios', cisco],
    ] as const) {
      const vlans = await driver(name).readVlans(accessTo(host));
      expect(Object.fromEntries(vlans.map(({ id, name: called }) => [id, called]))).toEqual(expected);
    }
  });

  test.each([
    ['qbridge', access, v2c],
    ['cisco-ios', cisco, v2c],
    ['cisco-ios', cisco, v3],
  ] as const)('%s at %s: its hosts, each in its VLAN and on its interface', async (name, host, credential) => {
    await switches.plug(host, 40, '02:11:22:33:44:55');
    await driver(name).writeVlan(accessTo(host), portsToVlan(20, 40));
    const entries = await driver(name).readMacTable(accessTo(host, credential));
    expect(entries.filter(({ status }) => status === 'learned')).toHaveLength(45);
    expect(entries.find(({ mac }) => mac === '02:11:22:33:44:55')).toEqual({
      mac: '02:11:22:33:44:55',
      vlan: 20,
      portId: '10140',
      status: 'learned',
    });
    const thirtieth = (await switches.hostMac(host, 30)).toUpperCase();
    expect(entries.find(({ mac }) => mac === thirtieth)).toMatchObject({ vlan: 1, portId: '10130' });
    await switches.unplug(host, 40, '02:11:22:33:44:55');
    await driver(name).writeVlan(accessTo(host), portsToVlan(1, 40));
  });

  test('a bridge without VLANs is read by the older table', async () => {
    const entries = await qbridge.readMacTable(accessTo(plain));
    expect(entries).toHaveLength(44);
    expect(entries[0]).toMatchObject({ vlan: null, status: 'learned' });
  });

  test('reads a router by either address table, and detects that it routes', async () => {
    for (const [ip, vlan] of [
      ['10.1.0.9', 10],
      ['10.2.0.9', 20],
    ] as const)
      await switches.setArp(router, ip, '02:11:22:33:44:55', vlan);
    await switches.setArp(access, '2001:db8::7', '02:11:22:33:44:66', 1);
    expect(await qbridge.readArpTable(accessTo(router))).toHaveLength(2);
    expect(await qbridge.readArpTable(accessTo(access))).toEqual([
      { ip: '2001:db8::7', mac: '02:11:22:33:44:66', ifIndex: 1 },
    ]);
    expect(await qbridge.readRouting(accessTo(router))).toMatchObject({
      isForwarding: true,
      hasLayer3: true,
      subnets: ['10.1.0.0/24', '10.2.0.0/24', '127.0.45.0/24'],
      routes: 12,
    });
    expect(await qbridge.readRouting(accessTo(access))).toEqual({
      isForwarding: false,
      hasLayer3: false,
      subnets: ['127.0.45.0/24'],
      arpEntries: 0,
      routes: 1,
    });
  });

  test('its neighbours, on the interface that the cable is in, and a Cisco by both protocols', async () => {
    const lldp = {
      protocol: 'lldp',
      ifIndex: 10_145,
      chassisId: '02:AA:BB:CC:DD:00',
      portId: 'Gi1/0/45',
      capabilities: ['bridge'],
    };
    expect(await qbridge.readNeighbours(accessTo(access))).toMatchObject([
      { ...lldp, systemName: 'sw-cisco', managementAddresses: [cisco] },
    ]);
    expect(await ios.readNeighbours(accessTo(cisco))).toMatchObject([
      { ...lldp, systemName: 'sw-access', managementAddresses: [access] },
      {
        protocol: 'cdp',
        ifIndex: 10_145,
        systemName: 'sw-access',
        managementAddresses: [access],
        capabilities: ['bridge'],
      },
    ]);
  });

  test.each(['strange-texts', 'strange-types'] as const)('survives %s', async (mood) => {
    await switches.behave(access, mood);
    const interfaces = await qbridge.readInterfaces(accessTo(access));
    const identity = await qbridge.identify(accessTo(access));
    await qbridge.readMacTable(accessTo(access));
    const neighbours = await qbridge.readNeighbours(accessTo(access));
    await switches.behave(access, 'honest');
    for (const text of [
      identity.sysName,
      identity.sysDescr,
      ...neighbours.map(({ portId }) => portId),
      ...interfaces.map(({ name }) => name),
    ]) {
      expect(text.length).toBeLessThanOrEqual(255);
      expect(text).not.toMatch(/[\p{Cc}\p{Cs}]/u);
    }
    expect(interfaces).toHaveLength(55);
  });

  test('follows interfaces to their new numbers after a restart', async () => {
    await switches.reboot(plain, true);
    const interfaces = await qbridge.readInterfaces(accessTo(plain));
    expect(interfaces.find(({ name }) => name === '1/30')).toMatchObject({ ifIndex: 10_630, bridgePort: 38 });
    expect((await qbridge.readMacTable(accessTo(plain))).every(({ portId }) => Number(portId) > 10_600)).toBe(true);
  });
});

describe('writing VLANs to a qbridge', () => {
  test('joins the new VLAN, sets the PVID, leaves the old VLAN, in this order, and changes nothing else', async () => {
    const outcomes = await qbridge.writeVlan(accessTo(access), portsToVlan(30, 7));
    expect(outcomes).toEqual([{ ifIndex: 10_107, vlan: 30, from: 1, current: 30, isWritten: true, error: null }]);
    const sets = await switches.takeSets(access);
    expect(orderOf(sets)).toEqual(['egress 30, untagged 30', 'pvid 7', 'egress 1, untagged 1']);
    expect(sets[0]!.varbinds.map(({ value }) => value)).toEqual(['020000000000000008', '020000000000000000']);
    expect(sets[2]!.varbinds.map(({ value }) => value)).toEqual(['fdffff00fffffc0008', 'fdffff00fffffc0008']);
  });

  test('writes nothing that is there already', async () => {
    const [outcome] = await qbridge.writeVlan(accessTo(access), portsToVlan(30, 7));
    expect(outcome).toMatchObject({ isWritten: false, error: null, current: 30 });
    expect(await switches.takeSets(access)).toEqual([]);
  });

  test('moves ports to one VLAN in one SET, whatever VLANs they come from', async () => {
    const outcomes = await qbridge.writeVlan(accessTo(access, v3, v3), portsToVlan(40, 7, 8, 30));
    expect(outcomes.map(({ from: previousVlan, current, error }) => [previousVlan, current, error])).toEqual([
      [30, 40, null],
      [1, 40, null],
      [1, 40, null],
    ]);
    expect(orderOf(await switches.takeSets(access))).toEqual([
      'egress 40, untagged 40',
      'pvid 7, pvid 8, pvid 38',
      'egress 30, untagged 30',
      'egress 1, untagged 1',
    ]);
    await qbridge.writeVlan(accessTo(access), portsToVlan(1, 7, 8, 30));
  });

  test('creates no VLAN, and reports an interface that is not a port', async () => {
    const outcomes = await qbridge.writeVlan(accessTo(access), [
      ...portsToVlan(77, 7),
      { ifIndex: 14_501, vlan: 30 },
      ...portsToVlan(30, 9),
    ]);
    expect(outcomes.map(({ error }) => error)).toEqual([
      'The device has no VLAN 77.',
      "Interface 14501 is no port of the device's bridge.",
      null,
    ]);
    expect(orderOf(await switches.takeSets(access))).toEqual([
      'egress 30, untagged 30',
      'pvid 9',
      'egress 1, untagged 1',
    ]);
    await qbridge.writeVlan(accessTo(access), portsToVlan(1, 9));
  });

  test('reports the failure of one port, moves the others, and leaves no port in two VLANs', async () => {
    await switches.failWrites(access, { word: 'genErr', under: '1.3.6.1.2.1.17.7.1.4.5.1.1', times: 2 });
    const outcomes = await qbridge.writeVlan(accessTo(access), portsToVlan(30, 7, 8, 9));
    await switches.failWrites(access, null);
    expect(outcomes.map(({ current }) => current)).toEqual([1, 30, 30]);
    expect(outcomes[0]!.error).toContain('answered genErr for 1.3.6.1.2.1.17.7.1.4.5.1.1.7');
    expect(outcomes.slice(1).map(({ error }) => error)).toEqual([null, null]);
    const seventh = (await qbridge.readInterfaces(accessTo(access))).find(({ ifIndex }) => ifIndex === 10_107);
    expect(seventh).toMatchObject({ vlan: 1 });
    const sets = await switches.takeSets(access);
    const joins = sets.filter(({ varbinds }) => varbinds[0]!.oid === '1.3.6.1.2.1.17.7.1.4.3.1.2.30');
    expect(joins.at(-1)!.varbinds[0]!.value).toBe('018000000000000008');
    await qbridge.writeVlan(accessTo(access), portsToVlan(1, 8, 9));
  });

  test('reports a read-only community for the port, and changes nothing', async () => {
    const [outcome] = await qbridge.writeVlan(accessTo(access, v2c, v2c), portsToVlan(30, 7));
    expect(outcome).toMatchObject({ current: 1, isWritten: false });
    expect(outcome!.error).toBe(
      `The device ${access} (SNMP port ${switches.port}) answered noAccess for 1.3.6.1.2.1.17.7.1.4.3.1.2.30.`,
    );
  });

  test('goes by what it reads back when the answer was lost, and not the change', async () => {
    const device = accessTo(access);
    const impatient = { ...device, snmp: { ...device.snmp!, timeoutMs: 700, retries: 0 } };
    await switches.failWrites(access, { word: 'unanswered', under: '1.3.6.1.2.1.17.7.1.4.5.1.1', times: 1 });
    expect(await qbridge.writeVlan(impatient, portsToVlan(30, 7))).toMatchObject([{ current: 30, error: null }]);
    expect(orderOf(await switches.takeSets(access))).toEqual([
      'egress 30, untagged 30',
      'pvid 7',
      'egress 1, untagged 1',
    ]);
    await switches.failWrites(cisco, { word: 'unanswered', times: 1 });
    const outcomes = await ios.writeVlan({ ...impatient, key: cisco, host: cisco }, portsToVlan(30, 7));
    expect(outcomes).toMatchObject([{ current: 30, error: null }]);
    await qbridge.writeVlan(accessTo(access), portsToVlan(1, 7));
    await ios.writeVlan(accessTo(cisco), portsToVlan(1, 7));
  });

  test('writes a value once, also over a line that loses packets', async () => {
    await switches.disturb(access, { loseEvery: 3 });
    const device = accessTo(access);
    const patient = { ...device, snmp: { ...device.snmp!, timeoutMs: 100, retries: 5 } };
    expect(await qbridge.writeVlan(patient, portsToVlan(30, 7))).toMatchObject([{ current: 30, error: null }]);
    await switches.disturb(access, {});
    expect(await switches.takeSets(access)).toHaveLength(3);
    await qbridge.writeVlan(accessTo(access), portsToVlan(1, 7));
  });

  test('lets writes to one device follow each other', async () => {
    await Promise.all([7, 8, 9, 10].map((number) => qbridge.writeVlan(accessTo(access), portsToVlan(40, number))));
    const moved = (await qbridge.readInterfaces(accessTo(access)))
      .filter(({ vlan }) => vlan === 40)
      .map(({ ifIndex }) => ifIndex);
    expect(moved).toEqual(ports(7, 8, 9, 10));
    expect((await switches.takeSets(access)).every(({ outcome }) => outcome === 'noError')).toBe(true);
    await qbridge.writeVlan(accessTo(access), portsToVlan(1, 7, 8, 9, 10));
  });

  test('fails as a whole when the device is silent', async () => {
    await switches.pause(access);
    const device = accessTo(access);
    await expect(
      qbridge.writeVlan({ ...device, snmp: { ...device.snmp!, timeoutMs: 50, retries: 0 } }, portsToVlan(30, 7)),
    ).rejects.toThrow('did not respond');
    await switches.resume(access);
  });
});

describe('writing VLANs to a Cisco', () => {
  test('sets vmVlan of all ports at once, of those alone that differ', async () => {
    expect(
      (await ios.writeVlan(accessTo(cisco), portsToVlan(30, 7, 8))).map(({ current, error }) => [current, error]),
    ).toEqual([
      [30, null],
      [30, null],
    ]);
    await ios.writeVlan(accessTo(cisco), portsToVlan(30, 7, 8, 9));
    expect(orderOf(await switches.takeSets(cisco))).toEqual(['vmVlan 10107, vmVlan 10108', 'vmVlan 10109']);
    await ios.writeVlan(accessTo(cisco), portsToVlan(1, 7, 8, 9));
  });

  test('creates no VLAN, and reports the failure of one port', async () => {
    const [unknown, trunk] = await ios.writeVlan(accessTo(cisco), [
      ...portsToVlan(77, 7),
      { ifIndex: 5_001, vlan: 30 },
    ]);
    expect([unknown!.error, trunk!.error]).toEqual([
      'The device has no VLAN 77.',
      'Interface 5001 is not an access port of the device.',
    ]);
    expect(await switches.takeSets(cisco)).toEqual([]);
    await switches.failWrites(cisco, { word: 'inconsistentValue', times: 2 });
    const outcomes = await ios.writeVlan(accessTo(cisco), portsToVlan(30, 7, 8));
    await switches.failWrites(cisco, null);
    expect(outcomes.map(({ current }) => current)).toEqual([1, 30]);
    expect(outcomes[0]!.error).toContain('answered inconsistentValue');
    await ios.writeVlan(accessTo(cisco), portsToVlan(1, 8));
  });
});

describe('ports and contact', () => {
  test('a bounce takes ports down and up again, in one SET each', async () => {
    await qbridge.bounce(accessTo(access), ports(7, 8), 50);
    expect(orderOf(await switches.takeSets(access))).toEqual(['admin 10107, admin 10108', 'admin 10107, admin 10108']);
    expect(await switches.portOf(access, 7)).toMatchObject({ adminUp: true });
  });

  test('a bounce that cannot take them down puts them up nevertheless', async () => {
    await switches.failWrites(access, { word: 'genErr', times: 2 });
    await expect(qbridge.bounce(accessTo(access), ports(7), 50)).rejects.toThrow('answered genErr');
    await switches.failWrites(access, null);
    expect(orderOf(await switches.takeSets(access))).toEqual([
      'admin 10107: genErr',
      'admin 10107: genErr',
      'admin 10107',
    ]);
  });

  test('a port is shut and opened', async () => {
    await qbridge.setAdminStatus(accessTo(access), ports(9), false);
    expect(await switches.portOf(access, 9)).toMatchObject({ adminUp: false, operUp: false });
    await qbridge.setAdminStatus(accessTo(access), ports(9), true);
    expect(await switches.portOf(access, 9)).toMatchObject({ adminUp: true, operUp: true });
  });

  test('time since the start goes back when a switch has started again', async () => {
    await switches.setUptime(access, 500_000);
    expect((await qbridge.alive(accessTo(access))).uptimeTicks).toBeGreaterThanOrEqual(500_000);
    await switches.reboot(access, false);
    expect((await qbridge.alive(accessTo(access))).uptimeTicks).toBeLessThan(500_000);
  });

  test('many are pinged at once, and one that the guard refuses counts as silent', async () => {
    const times = await drivers.pinger.ping([access, cisco, '169.254.1.1']);
    expect([...times.values()].map((ms) => ms !== null)).toEqual([true, true, false]);
    await expect(driver('ping').alive({ key: 'x', host: '169.254.1.1' })).rejects.toThrow('it is a link-local address');
    expect(await driver('radius-only').alive({ key: 'x', host: access })).toEqual({ uptimeTicks: null });
  });

  test('a driver that cannot do something does not pretend to', () => {
    expect(drivers.of('ping')).not.toHaveProperty('readMacTable');
    expect(drivers.of('radius-only')).not.toHaveProperty('writeVlan');
  });
});
