import { beforeAll, describe, expect, test } from 'vitest';
import { everyVerb, Limiter, macOf } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { writePortChanges } from '../../device/port-change/port-change.service.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import type { RecordOf } from '../../kernel/declare/declaration.ts';
import { connectionLog } from './connection-log.ts';

type Connection = RecordOf<typeof connectionLog>;

const { path } = connectionLog as { path: string };
const hourMs = 3_600_000;

describe('the operations of the connection log', async () => {
  const world = await startWorld();
  const { admin } = world;
  const limiter = new Limiter(world);
  const sql = <R extends object>(text: string, values: unknown[] = []) => limiter.sql<R>(text, values);
  // Whole hours before this one, so that durations are whole hours.
  const thisHourMs = Math.floor(Date.now() / hourMs) * hourMs;
  const hoursAgo = (hours: number) => new Date(thisHourMs - hours * hourMs).toISOString();
  let macCount = 0;
  let deviceID: number;
  let ports: number[];

  const open = async (mac: string, portID: number, startHours: number, session: string | null = null) => {
    const [row] = await sql<{ id: number }>(
      `insert into connection_active (mac, device_id, port_id, vlan, since, last_seen)
       select $1, p.device_id, p.id, '10', $3, $3 from port p where p.id = $2 returning id`,
      [mac, portID, hoursAgo(startHours)],
    );
    await sql(`update connection_active set session_id = $2, input_octets = 70, output_octets = 80 where mac = $1`, [
      mac,
      session,
    ]);
    return row!.id;
  };
  const close = async (mac: string, endHours: number, reason = 'USER') => {
    await sql(`update connection_active set ended = $2, disconnect_reason = $3 where mac = $1`, [
      mac,
      hoursAgo(endHours),
      reason,
    ]);
    await sql('delete from connection_active where mac = $1', [mac]);
  };
  /** A connection from some hours ago to some hours ago. */
  const stay = async (
    mac: string,
    portID: number,
    [startHours, endHours]: readonly [number, number],
    session: string | null = null,
  ) => {
    const id = await open(mac, portID, startHours, session);
    await close(mac, endHours);
    return id;
  };
  const nextMac = () => macOf(0x730000 + ++macCount);
  const hostOf = async (mac: string, user = '') => {
    const hostID = await admin.create(host, { hostName: `host ${mac}` });
    await admin.create(adapter, { physicalAddress: mac, hostID });
    if (user) await sql('update host set logged_on_user_id = $2 where id = $1', [hostID, user]);
    return hostID;
  };
  const list = async (filter: string, caller = admin) => {
    const reply = await caller.get<Connection>(`${path}?filter=${encodeURIComponent(filter)}`);
    expect(reply.code, reply.text).toBe(200);
    return reply.body;
  };

  beforeAll(async () => {
    deviceID = await limiter.device('Network');
    ports = await Promise.all([1, 2, 3].map(() => limiter.port(deviceID)));
  });

  test('show an open connection as the log stores it when it ends', async () => {
    const mac = nextMac();
    const hostID = await hostOf(mac, 'alice');
    await sql(`insert into ip_mac (ip, mac, device_id) values ('10.1.2.3', $1, $2)`, [mac, deviceID]);
    const id = await open(mac, ports[0]!, 2, 'session-1');
    await sql(`update connection_active set source = 'BOTH', vlan = '20' where mac = $1`, [mac]);
    await sql(`update adapter set auth_type = 'DOT1X', outer_eap_type = 'PEAP' where physical_address = $1`, [mac]);
    await sql(
      `insert into adapter_access (adapter_id, desired, status, generation)
       select a.id, '{"accessState": "PRODUCTION", "policyID": 7, "policyName": "Staff", "message": "By policy Staff.", "logicalNetwork": {"name": "Office"}}',
         'APPLIED', 12 from adapter a where a.physical_address = $1`,
      [mac],
    );
    const whileOpen = (await admin.fetch(connectionLog, id)) as unknown as Connection;
    expect(whileOpen).toMatchObject({
      active: true,
      endTime: null,
      disconnectReason: null,
      startTime: hoursAgo(2),
      hostID,
      hostName: `host ${mac}`,
      userName: 'alice',
      ip: '10.1.2.3',
      deviceID,
      portID: ports[0],
      connectionType: 'WIRED_8021X',
      eapType: 'PEAP',
      sessionID: 'session-1',
      accessState: 'PRODUCTION',
      logicalNetwork: 'Office',
      policyID: 7,
      policyName: 'Staff',
      decisionReason: 'By policy Staff.',
      generation: 12,
      vlanAtStart: '10',
      vlan: '20',
      vlanChanges: 1,
      inputOctets: 70,
      source: 'BOTH',
    });
    expect(whileOpen.durationSeconds).toBeGreaterThanOrEqual(7_200);
    await close(mac, 1);
    const closed = (await admin.fetch(connectionLog, id)) as unknown as Connection;
    const end = { active: false, endTime: hoursAgo(1), disconnectReason: 'USER', durationSeconds: 3_600 };
    expect(closed).toEqual({ ...whileOpen, ...end });
  });

  test('answer who was at a port at a time', async () => {
    const [before, during, still] = [nextMac(), nextMac(), nextMac()];
    const portID = await limiter.port(deviceID);
    await stay(before, portID, [9, 7]);
    await stay(during, portID, [7, 4]);
    await open(still, portID, 5);
    const macsAt = async (hours: number) => {
      const time = hoursAgo(hours);
      const { results } = await list(`portID==${portID};startTime=le=${time};(endTime=gt=${time},active==true)`);
      return results!.map(({ mac }) => mac).sort();
    };
    expect(await macsAt(10)).toEqual([]);
    expect(await macsAt(8)).toEqual([before]);
    expect(await macsAt(7)).toEqual([during]);
    expect(await macsAt(5)).toEqual([during, still].sort());
    expect(await macsAt(1)).toEqual([still]);
    expect((await list(`mac==${during}`)).results).toMatchObject([{ portID, endTime: hoursAgo(4) }]);
  });

  test('count open and closed connections exactly', async () => {
    const { total } = (await admin.get(`${path}/count/all`)).body;
    const [rows] = await sql<{ all: number }>(
      'select (select count(*) from connection_log) + (select count(*) from connection_active) as all',
    );
    expect(total).toBe(rows!.all);
    const filtered = (await admin.get(`${path}/count?filter=active==true`)).body.filtered!;
    expect((await sql('select from connection_active')).length).toBe(filtered);
  });

  test('return the connections of a session, oldest first, with the VLAN changes of their ports', async () => {
    const mac = nextMac();
    const [first, second] = [await limiter.port(deviceID), await limiter.port(deviceID)];
    const early = await stay(mac, first, [6, 5], 'roaming');
    const late = await open(mac, second, 1, 'other');
    await sql(`update connection_active set multi_session_id = 'roaming' where mac = $1`, [mac]);
    const change = { reason: 'MANUAL', method: 'SNMP', trigger: 'ADMIN', triggeredBy: 'alice', durationMs: 5 } as const;
    await limiter.transact(({ client }) =>
      writePortChanges(client, [
        { ...change, portID: second, vlan: { from: '10', to: '20' }, errorMessage: null },
        { ...change, portID: second, isUp: true, errorMessage: null },
        { ...change, portID: first, vlan: { from: '10', to: '30' }, errorMessage: null },
      ]),
    );
    const { body } = await admin.get(`${path}/by-session?sessionID=roaming`);
    expect(body).toMatchObject({
      filtered: 2,
      results: [
        { id: early, changes: [] },
        { id: late, active: true, changes: [{ fromVlan: '10', toVlan: '20', connectionID: late, success: true }] },
      ],
    });
    expect((await admin.get(`${path}/by-session?sessionID=Roaming`)).body).toMatchObject({ filtered: 0, results: [] });
    expect((await admin.get(`${path}/by-session`)).code).toBe(400);
  });

  test('sum up connections, as far as they lie in the time range', async () => {
    const [bobsMac, guestMac] = [nextMac(), nextMac()];
    const device = await limiter.device('Network');
    const portID = await limiter.port(device);
    await hostOf(bobsMac, 'bob');
    await stay(bobsMac, portID, [30, 26]);
    await stay(bobsMac, portID, [24, 20]);
    await stay(guestMac, portID, [28, 27]);
    await open(bobsMac, portID, 1);
    const totals = async (query = '') => {
      const { body } = await admin.get(`${path}/tabledatatotals?filter=deviceID==${device}${query}`);
      expect(body.results, JSON.stringify(body)).toHaveLength(1);
      return body.results![0]!;
    };
    const all = await totals();
    expect(all).toMatchObject({ connections: 4, active: 1, hosts: 1, users: 1, devices: 1, inputOctets: 280 });
    expect(all).toMatchObject({ outputOctets: 320, firstStart: hoursAgo(30), lastEnd: hoursAgo(20) });
    expect(all.connectedSeconds).toBeGreaterThanOrEqual(10 * 3_600);
    expect(await totals(`&from=${hoursAgo(27)}&to=${hoursAgo(22)}`)).toMatchObject({
      connections: 2,
      active: 0,
      connectedSeconds: 3 * 3_600,
      lastEnd: hoursAgo(20),
    });
    expect(await totals(';mac==00:00:00:00:00:00')).toEqual({
      connections: 0,
      active: 0,
      hosts: 0,
      users: 0,
      devices: 0,
      connectedSeconds: 0,
      inputOctets: 0,
      outputOctets: 0,
      firstStart: null,
      lastEnd: null,
    });
    const refused = await admin.get(`${path}/tabledatatotals?from=${hoursAgo(1)}&to=${hoursAgo(1)}`);
    expect([refused.code, refused.body.errorMessage]).toEqual([400, expect.stringContaining('to: must be after from')]);
  });

  test('rank hosts by their connections', async () => {
    const [busy, calm, unknown] = [nextMac(), nextMac(), nextMac()];
    const device = await limiter.device('Network');
    const [portID, lastPort] = [await limiter.port(device), await limiter.port(device)];
    const hostID = await hostOf(busy);
    await hostOf(calm);
    await stay(busy, portID, [50, 48]);
    await open(busy, portID, 47);
    await close(busy, 46, 'MOVED');
    await open(busy, lastPort, 1);
    await stay(calm, portID, [45, 40]);
    await stay(unknown, portID, [44, 43]);
    await stay(unknown, portID, [42, 41]);
    const top = async (query = '') =>
      (await admin.get(`${path}/top/hosts/activity?filter=deviceID==${device}${query}`)).body.results!;
    const [first, ...followers] = await top();
    expect(first).toMatchObject({ hostID, mac: busy, connections: 3, moves: 1, inputOctets: 210 });
    const [port] = await sql<{ name: string }>('select name from port where id = $1', [lastPort]);
    expect(first!.lastLocation).toContain(` / ${port!.name}`);
    expect(followers).toMatchObject([
      { hostID: null, hostName: null, mac: unknown, connections: 2, connectedSeconds: 2 * 3_600 },
      { mac: calm, connections: 1, connectedSeconds: 5 * 3_600 },
    ]);
    expect(await top('&count=1')).toHaveLength(1);
    expect(await top(`&from=${hoursAgo(49)}&to=${hoursAgo(44)}`)).toMatchObject([
      { mac: busy, connections: 2, connectedSeconds: 2 * 3_600 },
      { mac: calm, connections: 1, connectedSeconds: 3_600 },
    ]);
  });

  test('rank users by the time with at least one connection', async () => {
    const [laptop, phone, desktop] = [nextMac(), nextMac(), nextMac()];
    const device = await limiter.device('Network');
    const portID = await limiter.port(device);
    await hostOf(laptop, 'carol');
    await hostOf(phone, 'Carol');
    await hostOf(desktop, 'dave');
    // Overlapping for an hour, and a gap of an hour.
    await stay(laptop, portID, [20, 17]);
    await stay(phone, portID, [18, 15]);
    await stay(laptop, portID, [14, 13]);
    await stay(desktop, portID, [20, 14]);
    const top = async (query = '') =>
      (await admin.get(`${path}/top/users/connected-time?filter=deviceID==${device}${query}`)).body.results!;
    const carol = { connections: 3, hosts: 2, connectedSeconds: 7 * 3_600, distinctSeconds: 6 * 3_600 };
    const dave = {
      userName: 'dave',
      connections: 1,
      hosts: 1,
      connectedSeconds: 6 * 3_600,
      distinctSeconds: 6 * 3_600,
    };
    expect(await top()).toMatchObject([carol, dave]);
    expect(await top(`&from=${hoursAgo(18)}&to=${hoursAgo(14)}&count=1`)).toMatchObject([
      { userName: 'dave', connectedSeconds: 4 * 3_600 },
    ]);
    expect(await top(`&from=${hoursAgo(18)}&to=${hoursAgo(16)}`)).toMatchObject([
      { connectedSeconds: 3 * 3_600, distinctSeconds: 2 * 3_600 },
      { userName: 'dave', distinctSeconds: 2 * 3_600 },
    ]);
  });

  test('list the changes to another VLAN, newest first, with their connection', async () => {
    const mac = nextMac();
    const portID = await limiter.port(deviceID);
    const connectionID = await open(mac, portID, 1);
    const change = {
      portID,
      reason: 'MANUAL',
      method: 'SNMP',
      trigger: 'ADMIN',
      triggeredBy: 'alice',
      durationMs: 5,
    } as const;
    await limiter.transact(({ client }) =>
      writePortChanges(client, [
        { ...change, vlan: { from: '10', to: '20' }, errorMessage: null },
        { ...change, vlan: { from: '20', to: '20' }, errorMessage: null },
        { ...change, isUp: false, errorMessage: null },
        { ...change, vlan: { from: null, to: '30' }, errorMessage: 'The device answered noAccess.' },
      ]),
    );
    // As the enforcement of a decision will write it.
    await sql(
      `insert into port_change (port_id, port_name, device_id, device_name, container_id, mac, reason, from_vlan, to_vlan, method, trigger,
         triggered_by, success, duration_ms, generation)
       select p.id, p.name, p.device_id, 'sw', 1, $2, 'ROLE', '30', '40', 'SNMP', 'RADIUS', 'system', true, 1, 1 from port p where p.id = $1`,
      [portID, mac],
    );
    const changes = async (query = '', caller = admin) =>
      (await caller.get(`${path}/vlan/changes?filter=portID==${portID}${query}`)).body;
    const { results, filtered } = await changes();
    expect(filtered).toBe(3);
    expect(results).toMatchObject([
      { mac, fromVlan: '30', toVlan: '40', reason: 'ROLE', connectionID },
      { mac: null, fromVlan: null, toVlan: '30', success: false, connectionID: null },
      { mac: null, fromVlan: '10', toVlan: '20', success: true, errorMessage: null, connectionID: null },
    ]);
    expect(await changes(`&to=${hoursAgo(1)}`)).toMatchObject({ filtered: 0 });
    const page = await admin.get(`${path}/vlan/changes?filter=portID==${portID}&from=${hoursAgo(1)}&count=2`);
    const nextPath = /<([^>]+)>/.exec(String(page.headers.link))![1]!;
    expect(nextPath).toContain('from=');
    expect((await admin.get(nextPath)).body.results).toEqual(results!.slice(2));
  });

  test('show a connection to a caller limited to groups by its host, otherwise by its port', async () => {
    const [shownMac, hiddenMac, rogueMac] = [nextMac(), nextMac(), nextMac()];
    const device = await limiter.device('Network');
    const [managedPort, otherPort] = [await limiter.port(device), await limiter.port(device)];
    const seenHost = await hostOf(shownMac, 'erin');
    await hostOf(hiddenMac, 'frank');
    const caller = await limiter.caller({
      manageByGroups: true,
      permissions: { 'connection-log': everyVerb, hosts: everyVerb, devices: everyVerb },
    });
    const managed = { PORT: await limiter.group('PORT'), HOST: await limiter.group('HOST') };
    await limiter.join(managed.PORT, 3, managedPort);
    await limiter.join(managed.HOST, 4, seenHost);
    await limiter.manage(caller.accountId, managed.PORT, managed.HOST);
    await stay(shownMac, managedPort, [9, 8], 's');
    const closedHidden = await stay(hiddenMac, managedPort, [9, 8], 's');
    await stay(rogueMac, managedPort, [7, 6], 's');
    await open(shownMac, managedPort, 5, 's');
    const openHidden = await open(hiddenMac, managedPort, 5, 's');
    const openElsewhere = await open(rogueMac, otherPort, 5, 's');
    const visible = [shownMac, rogueMac, shownMac];
    const { results, filtered, total } = (await caller.get<Connection>(`${path}?sortKey=id`)).body;
    expect(results!.map(({ mac }) => mac)).toEqual(visible);
    expect([filtered, total]).toEqual([3, 3]);
    expect((await caller.get(`${path}/count/all`)).body).toMatchObject({ total: 3 });
    for (const id of [closedHidden, openHidden, openElsewhere])
      expect((await caller.get(`${path}/${id}`)).code).toBe(404);
    const session = await caller.get<Connection>(`${path}/by-session?sessionID=s`);
    expect(session.body.results!.map(({ mac }) => mac)).toEqual(visible);
    expect((await caller.get(`${path}/tabledatatotals`)).body.results).toMatchObject([
      { connections: 3, active: 1, hosts: 1, users: 1 },
    ]);
    const hosts = await caller.get(`${path}/top/hosts/activity`);
    expect(hosts.body.results!.map(({ mac }) => mac)).toEqual([shownMac, rogueMac]);
    const users = await caller.get(`${path}/top/users/connected-time`);
    expect(users.body.results!.map(({ userName }) => userName)).toEqual(['erin']);
    // After the deletion of the host, only callers without limits see its connections.
    expect((await admin.delete(`${host.path}/${seenHost}`)).code).toBe(200);
    expect((await caller.get<Connection>(`${path}?filter=active==false`)).body).toMatchObject({ filtered: 1 });
  });
});
