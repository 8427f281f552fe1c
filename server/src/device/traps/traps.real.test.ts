import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { promisify } from 'node:util';
import type { SwitchSpec } from '@portreeve/testbed/snmp-switches.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ModelledSwitches, modelSwitches } from '../../../test/trials/modelled-switches.ts';
import { openNode } from '../../../test/world/open-world.ts';
import { promised } from '../../../test/world/patience.ts';
import { realProtocols, world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { deviceProperties } from '../device-properties/device-properties.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { port } from '../port/port.ts';

const run = promisify(execFile);
const bridge = '127.0.33.1';
const cisco = '127.0.33.2';
const signed = '127.0.33.3';
const user = {
  userName: 'trapper',
  auth: { protocol: 'SHA256', password: 'auth-pass-123' },
  priv: { protocol: 'AES', password: 'priv-pass-456' },
} as const;
const specs: SwitchSpec[] = [
  { address: bridge, sysName: 'sw-bridge', hostOnEachPort: true },
  { address: cisco, sysName: 'sw-cisco', kind: 'cisco', hostOnEachPort: true },
  { address: signed, sysName: 'sw-signed', hostOnEachPort: true, users: [user], communities: false },
];
const patient = { timeout: 60_000, interval: 10 };

describe('traps', async () => {
  const shared = await world({ parts: realProtocols(), jobs: 'work', traps: { host: '127.0.0.1', port: 0 } });
  const { admin, service, database } = shared;
  const otherNode = await openNode({
    database,
    parts: realProtocols(),
    jobs: 'work',
    traps: { host: '127.0.0.1', port: 0 },
  });
  const trapPort = service.trapPort!;
  let switches: ModelledSwitches;

  beforeAll(async () => {
    switches = await modelSwitches(shared, specs);
    expect(await sql('select from connection_active')).toHaveLength(3 * 20);
    for (const address of [bridge, cisco])
      await switches.sendTrapsTo(address, { host: '127.0.0.1', port: trapPort, version: 'v2c' });
  });
  afterAll(async () => {
    await otherNode.close();
    await switches.stop();
  });

  const sql = async <T extends object>(text: string, values: unknown[] = []) =>
    (await service.runtime.pool.query<T>(text, values)).rows;
  const portAt = (address: string, number: number) => switches.portAt(address, number);
  const events = async (name: string, filter = '') =>
    (await admin.get(`/logging/event?filter=${encodeURIComponent(`name==${name}${filter}`)}`)).body.results!;
  const linkEvents = async (id: unknown) =>
    (await admin.get(`/logging/event?filter=${encodeURIComponent(`elementType==3;elementID==${id}`)}`)).body
      .results!.map(({ name }) => name)
      .reverse();
  const connected = (id: unknown) => sql('select a.mac from connection_active a where a.port_id = $1', [id]);
  const pollOf = async (address: string) =>
    (
      await sql<{ inSeconds: number; pushes: number; resync: number | null }>(
        `select extract(epoch from l2_due - now())::float as "inSeconds", l2_pushes as pushes,
           case when resync_due = 'infinity' then null else extract(epoch from resync_due - now())::float end as resync
         from device_poll where device_id = $1`,
        [switches.deviceID(address)],
      )
    )[0]!;

  const community = (name: string) => ['-v', '2c', '-c', name];
  const [linkDown, linkUp] = ['1.3.6.1.6.3.1.1.5.3', '1.3.6.1.6.3.1.1.5.4'];

  /**
   * Sends a trap with Debian's snmptrap from the address of a switch; an inform without acknowledgement is an error.
   */
  const snmptrap = (
    address: string,
    name: string,
    ifIndex: number,
    { as = community('public'), to: targetPort = trapPort, uptime = '', isInform = false } = {},
  ) =>
    run('snmptrap', [
      ...[...as, ...(isInform ? ['-Ci'] : []), `--clientaddr=${address}`, `127.0.0.1:${targetPort}`, uptime, name],
      ...[`1.3.6.1.2.1.2.2.1.1.${ifIndex}`, 'i', String(ifIndex)],
    ]);

  test("of Debian's snmptrap are processed within a second, and a link is reported only when it changes", async () => {
    const { ifIndex } = await switches.portOf(bridge, 3);
    const { dbid } = await portAt(bridge, 3);
    expect(await connected(dbid)).toHaveLength(1);
    for (const [name, status] of [
      [linkDown, 2],
      [linkUp, 1],
      [linkUp, 1],
      [linkDown, 2],
    ] as const) {
      await snmptrap(bridge, name, ifIndex);
      const began = performance.now();
      await vi.waitFor(
        async () => expect(await portAt(bridge, 3)).toMatchObject({ ifoperStatus: status, status }),
        patient,
      );
      expect(performance.now() - began).toBeLessThan(promised(1_000));
    }
    expect(await linkEvents(dbid)).toEqual(['PORT_LINK_DOWN', 'PORT_LINK_UP', 'PORT_LINK_DOWN']);
    expect(await connected(dbid)).toHaveLength(0);
    expect(await admin.fetch(networkDevice, switches.deviceID(bridge))).toMatchObject({
      lastTrap: expect.stringMatching(/Z$/),
    });
  });

  test('find a moved host within 2 s by MAC notifications of a Cisco, otherwise by its link within minTrapPeriod and 2 s', async () => {
    const minTrapPeriod = 3;
    await service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.update(deviceProperties, 1, { minTrapPeriod, maxTrapPeriods: 4 }),
    );
    await sql(`update device_poll set l2_pushes = 0, l2_due = 'infinity'`);
    const foundAfterMs = async (address: string, number: number, mac: string, sinceMs: number) => {
      const { dbid } = await portAt(address, number);
      await vi.waitFor(async () => expect(await connected(dbid)).toEqual([{ mac }]), { timeout: 60_000, interval: 20 });
      return performance.now() - sinceMs;
    };
    const reported = (await switches.hostMac(cisco, 4)).toUpperCase();
    const reportedMs = performance.now();
    await switches.move(reported, { address: cisco, port: 4 }, { address: cisco, port: 21 });
    expect(await foundAfterMs(cisco, 21, reported, reportedMs)).toBeLessThan(promised(2_000));
    await switches.unplug(cisco, 21, reported);

    const quiet = (await switches.hostMac(bridge, 8)).toUpperCase();
    await switches.setLink(bridge, 8, false);
    await switches.setLink(bridge, 21, false);
    await switches.setLink(bridge, 21, true);
    await switches.plug(bridge, 21, quiet.toLowerCase());
    expect(await foundAfterMs(bridge, 21, quiet, performance.now())).toBeLessThan(
      promised((minTrapPeriod + 2) * 1_000),
    );
  });

  test('a link that comes up has the forwarding table read after a while, put off a few times only', async () => {
    await service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.update(deviceProperties, 1, { minTrapPeriod: 60, maxTrapPeriods: 2 }),
    );
    await sql(`update device_poll set l2_pushes = 0, l2_due = 'infinity'`);
    for (const number of [21, 22, 21]) {
      await switches.setLink(bridge, number, false);
      await switches.setLink(bridge, number, true);
      await vi.waitFor(async () => expect(await portAt(bridge, number)).toMatchObject({ ifoperStatus: 1 }), patient);
    }
    await vi.waitFor(async () => expect(await pollOf(bridge)).toMatchObject({ pushes: 2 }), patient);
    const { inSeconds } = await pollOf(bridge);
    expect(inSeconds).toBeGreaterThan(0);
    expect(inSeconds).toBeLessThanOrEqual(60);
  });

  test('a link that goes down takes its connections and what made it an uplink, but for one set by hand', async () => {
    const [learnedPort, manualPort] = [await portAt(bridge, 5), await portAt(bridge, 6)];
    await sql('insert into port_uplink (port_id, kind) values ($1, 8)', [learnedPort.dbid]);
    await admin.post(`${port.path}/properties`, { id: [manualPort.dbid], newUplink: 1 });
    for (const number of [5, 6]) await switches.setLink(bridge, number, false);
    await vi.waitFor(async () => expect(await portAt(bridge, 6)).toMatchObject({ ifoperStatus: 2 }), patient);
    await vi.waitFor(async () => expect(await portAt(bridge, 5)).toMatchObject({ connectionState: 0 }), patient);
    expect(await portAt(bridge, 6)).toMatchObject({ connectionState: 10 });
    expect(await linkEvents(learnedPort.dbid)).toEqual(['PORT_LINK_DOWN', 'PORT_UPLINK_CHANGED']);
  });

  test('cause the interfaces of a restarted device to be read after a delay, and report it once', async () => {
    await switches.reboot(bridge, false);
    await vi.waitFor(async () => expect(await events('DEVICE_COLD_START')).toHaveLength(1), patient);
    const { resync } = await pollOf(bridge);
    expect(resync).toBeGreaterThan(0);
    expect(resync).toBeLessThanOrEqual(60);
  });

  test('of addresses move a host at once on a Cisco, and are not believed of others', async () => {
    const mac = (await switches.hostMac(cisco, 2)).toUpperCase();
    await switches.move(mac, { address: cisco, port: 2 }, { address: cisco, port: 21 });
    const { dbid } = await portAt(cisco, 21);
    await vi.waitFor(async () => expect(await connected(dbid)).toEqual([{ mac }]), patient);
    expect(await portAt(cisco, 21)).toMatchObject({ connectionState: 2 });
    expect(await portAt(cisco, 2)).toMatchObject({ connectionState: 0 });
    await switches.unplug(cisco, 21, mac);
    await vi.waitFor(async () => expect(await connected(dbid)).toEqual([]), patient);
  });

  test('the same informs at two nodes, signed or not, change nothing twice', async () => {
    const { auth, priv } = user;
    const asUser = ['-v', '3', '-l', 'authPriv', '-u', user.userName, '-a', 'SHA-256', '-A', auth.password];
    for (const [address, as] of [
      [bridge, community('public')],
      [signed, [...asUser, '-x', 'AES', '-X', priv.password]],
    ] as const) {
      const { dbid } = await portAt(address, 9);
      const { ifIndex } = await switches.portOf(address, 9);
      for (const node of [service, otherNode, service]) {
        const trapOptions = { as: [...as], to: node.trapPort!, isInform: true };
        await snmptrap(address, linkDown, ifIndex, { ...trapOptions, uptime: '1000000' });
        await snmptrap(address, linkUp, ifIndex, { ...trapOptions, uptime: '1000500' });
      }
      expect(await linkEvents(dbid)).toEqual(['PORT_LINK_DOWN', 'PORT_LINK_UP']);
      expect(await portAt(address, 9)).toMatchObject({ ifoperStatus: 1 });
    }
  });

  test('by a signed user are taken from the device that has the engine, and are not believed unsigned', async () => {
    await switches.sendTrapsTo(signed, { host: '127.0.0.1', port: trapPort, version: 'v3', user });
    await switches.setLink(signed, 10, false);
    await vi.waitFor(async () => expect(await portAt(signed, 10)).toMatchObject({ ifoperStatus: 2 }), patient);
    const refused = () => service.metrics.page().then((page) => /outcome="unknownCommunity"\} (\d+)/.exec(page)![1]);
    const before = Number(await refused());
    await snmptrap(signed, linkUp, (await switches.portOf(signed, 10)).ifIndex);
    await vi.waitFor(async () => expect(Number(await refused())).toBe(before + 1), patient);
    expect(await portAt(signed, 10)).toMatchObject({ ifoperStatus: 2 });
  });

  test('of unknown senders are reported once an hour, whichever node receives them', async () => {
    const stranger = '127.0.33.99';
    const tell = () => events('TRAP_FROM_UNKNOWN_DEVICE', `;elementName==${stranger}`);
    for (const node of [service, otherNode, service, otherNode])
      await snmptrap(stranger, linkUp, 1, { to: node.trapPort! });
    await vi.waitFor(async () => expect(await tell()).toHaveLength(1), patient);
    await snmptrap(bridge, linkUp, 10_101, { as: community('wrong') });
    await vi.waitFor(
      async () => expect(await events('TRAP_FROM_UNKNOWN_DEVICE', `;elementName==${bridge}`)).toHaveLength(1),
      patient,
    );
    expect(await tell()).toMatchObject([{ ip: stranger, eventFormatString: expect.stringContaining('are rejected') }]);
  });

  test('that are malformed are ignored', async () => {
    const socket = createSocket('udp4');
    for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), Buffer.alloc(9_000, 0x30)])
      await new Promise((resolveSent) => socket.send(bytes, trapPort, '127.0.0.1', resolveSent));
    socket.close();
    await snmptrap(cisco, linkDown, (await switches.portOf(cisco, 8)).ifIndex);
    await vi.waitFor(async () => expect(await portAt(cisco, 8)).toMatchObject({ ifoperStatus: 2 }), patient);
  });
});
