import { setTimeout as sleep } from 'node:timers/promises';
import { type Switches, type SwitchSpec, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asOwner } from '../../../test/trials/slices.ts';
import { realProtocols } from '../../../test/world/open-world.ts';
import { promised } from '../../../test/world/patience.ts';
import { world } from '../../../test/world/world.ts';
import { backgroundTask } from '../../system/background-task/background-task.ts';
import { container } from '../container/container.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { DevicePoller } from '../polling/poller.ts';

const user = {
  userName: 'netops',
  auth: { protocol: 'SHA256', password: 'hush-authentication' },
  priv: { protocol: 'AES', password: 'hush-privacy' },
} as const;

const addressOf = (last: number) => `127.0.40.${last}`;
const specs: SwitchSpec[] = [
  { address: addressOf(1), sysName: 'sw-1.lab.example', serial: 'LAB-0001', readCommunity: 'hush-first', ports: 8 },
  { address: addressOf(2), sysName: 'sw-2', readCommunity: 'hush-second', kind: 'cisco', ports: 8 },
  { address: addressOf(3), sysName: 'sw-3', users: [user], communities: false, ports: 8 },
  // The first device again, at another of its addresses.
  { address: addressOf(4), sysName: 'sw-1.lab.example', serial: 'LAB-0001', readCommunity: 'hush-first', ports: 8 },
  // Another device with the same name.
  { address: addressOf(5), sysName: 'SW-1', serial: 'LAB-0005', readCommunity: 'hush-first', ports: 8 },
];

const line = (last: number) => `127.0.42.${last}`;
const outside = '127.0.43.1';
const neighbour = (port: number, address: string) => ({
  port,
  sysName: `chain-${address}`,
  chassis: `02:00:00:00:42:0${address.at(-1)}`,
  portId: 'Gi1/0/1',
  managementAddress: address,
});
const chain: SwitchSpec[] = [1, 2, 3, 4].map((n) => ({
  address: line(n),
  sysName: `chain-${n}`,
  ports: 8,
  neighbours: n === 4 ? [] : [neighbour(1, line(n + 1)), neighbour(2, outside)],
}));

describe('a discovery', async () => {
  const parts = realProtocols();
  const shared = await world({ parts, jobs: 'work' });
  const { admin, service, logged } = shared;
  let switches: Switches;
  let stranger: Switches;

  beforeAll(async () => {
    switches = await startSwitches([...specs, ...chain]);
    stranger = await startSwitches([{ address: outside, sysName: 'stranger', ports: 8 }]);
    await service.runtime.pool.query('update device_properties set snmp_timeout = 1');
  });
  afterAll(async () => {
    await switches.stop();
    await stranger.stop();
  });

  const sql = async <T extends object>(text: string, values: unknown[] = []) =>
    (await service.runtime.pool.query<T>(text, values)).rows;

  /** Starts a discovery and returns its id from the task's result. */
  const start = async (body: object): Promise<{ id: number; task: number }> => {
    const reply = await admin.post('/device/discovery/discover', body);
    expect(reply, reply.text).toMatchObject({ code: 202 });
    const task = Number(String(reply.headers.location).split('/').at(-1));
    const { resultLocation } = await admin.fetch(backgroundTask, task);
    return { task, id: Number(String(resultLocation).split('=').at(-1)) };
  };
  const status = async (id: number) =>
    (
      await admin.get<
        Record<string, unknown> & {
          items: { ipAddress: string; outcome: string; name: string | null; deviceID: number | null; detail: string }[];
        }
      >(`/device/discovery/discover/status?id=${id}`)
    ).body.results![0]!;
  const until = async (id: number, isReached: (run: Record<string, unknown>) => boolean) => {
    for (let tries = 0; tries < 1_200; tries++) {
      const run = await status(id);
      if (isReached(run)) return run;
      await sleep(100);
    }
    throw new Error(`discovery ${id} did not get there: ${JSON.stringify(await status(id))}\n${logged.slice(-5)}`);
  };
  const ended = (id: number) => until(id, ({ finishedAt }) => finishedAt !== null);

  /** Tables that contain a secret of a run in plain form, as text or bytes. */
  const placesInTheClear = () =>
    asOwner(shared.database, async (owner) => {
      const { rows } = await owner.query<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
      );
      expect(rows.length).toBeGreaterThan(50);
      const foundAddresses: string[] = [];
      for (const { name } of rows) {
        const { rowCount } = await owner.query(
          `select from ${name} t where t::text like '%hush-%' or t::text like '%' || encode('hush-', 'hex') || '%' limit 1`,
        );
        if (rowCount) foundAddresses.push(name);
      }
      return foundAddresses;
    });

  const credentials = () => [
    { snmpProtocol: 'V2C', snmpPort: switches.port, snmpSecurityStrings: ['hush-wrong', 'hush-first'] },
    { snmpProtocol: 'V2C', snmpPort: switches.port, snmpSecurityStrings: ['hush-second'] },
    {
      snmpProtocol: 'V3_AUTH_PRIV',
      snmpPort: switches.port,
      snmpUsername: user.userName,
      snmpAuthenticationProtocol: 'SHA256',
      snmpAuthenticationPassword: user.auth.password,
      snmpPrivacyProtocol: 'AES',
      snmpPrivacyPassword: user.priv.password,
    },
  ];

  test('stores every device of a range once, with the right credential, and reports the result of each address', async () => {
    const lab = await admin.create(container, { name: 'Lab', suffix: 'lab.example' });
    const { id, task } = await start({
      containerID: lab,
      ranges: [{ start: addressOf(1), end: addressOf(7) }],
      credentials: credentials(),
      // One at a time, so that the order is known.
      probesPerSecond: 1,
    });
    const run = await ended(id);
    expect(run).toMatchObject({
      state: 'DONE',
      containerID: lab,
      containerName: 'Lab',
      startedBy: 'system-administrator-1',
      addressesTotal: 7,
      addressesProbed: 7,
      responded: 7,
      devicesAdded: 4,
      devicesUpdated: 0,
      skipped: 3,
      hop: 0,
      errors: 0,
    });
    const came = Object.fromEntries(run.items.map(({ ipAddress, outcome, name }) => [ipAddress, [outcome, name]]));
    expect(came).toEqual({
      [addressOf(1)]: ['ADDED', 'sw-1'],
      [addressOf(2)]: ['ADDED', 'sw-2'],
      [addressOf(3)]: ['ADDED', 'sw-3'],
      [addressOf(4)]: ['DUPLICATE', 'sw-1'],
      [addressOf(5)]: ['ADDED', `SW-1[${addressOf(5)}]`],
      [addressOf(6)]: ['NO_SNMP', null],
      [addressOf(7)]: ['NO_SNMP', null],
    });
    const { results } = (await admin.get(`/device?filter=containerID==${lab}&sortKey=ipAddress`)).body;
    expect(results).toMatchObject([
      {
        name: 'sw-1',
        ipAddress: addressOf(1),
        protocol: 'SNMP_V2C',
        serialNumber: 'LAB-0001',
        creationEvent: { empty: false },
      },
      { name: 'sw-2', ipAddress: addressOf(2), protocol: 'SNMP_V2C', driver: 'cisco-ios' },
      {
        name: 'sw-3',
        ipAddress: addressOf(3),
        protocol: 'SNMP_V3',
        snmpUsername: 'netops',
        snmpPrivacyPasswordSet: true,
      },
      { name: `SW-1[${addressOf(5)}]`, ipAddress: addressOf(5), systemName: 'SW-1' },
    ]);
    const members = await sql<{ id: number }>(
      `select m.member_id as id from group_member m join "group" g on g.id = m.group_id where g.tag = 'l2-wired-devices' order by 1`,
    );
    expect(members.map((row) => row.id)).toEqual(results!.map((device) => device.id).sort());
    expect(await admin.fetch(backgroundTask, task)).toMatchObject({
      state: 'COMPLETED',
      progress: { done: 7, total: 7 },
    });
    const reported = await sql<{ name: string }>(
      `select e.name from event e where e.name like 'DISCOVERY_%' and e.element_type = 1 and e.element_id = $1 order by e.id`,
      [lab],
    );
    expect(reported.map(({ name }) => name)).toEqual(['DISCOVERY_STARTED', 'DISCOVERY_COMPLETED']);
  });

  test('what it stored in the devices is what polls speak to them with', async () => {
    const poller = new DevicePoller(
      { runtime: service.runtime, drivers: parts.drivers, clock: Date.now },
      { onError: (error) => logged.push(error.message) },
    );
    await poller.pollDue();
    const { results } = (await admin.get('/device?filter=container==Lab')).body;
    for (const device of results!) {
      for (let tries = 0; tries < 900 && (await admin.fetch(networkDevice, device.id as number)).status !== 1; tries++)
        await sleep(100);
      expect(await admin.fetch(networkDevice, device.id as number), String(device.name)).toMatchObject({ status: 1 });
    }
  });

  test('finds only known devices in a second run, and updates only credentials that fail', async () => {
    const [lab] = await sql<{ id: number }>(`select id from container where name = 'Lab'`);
    const [broken] = await sql<{ id: number }>(`select id from network_device where name = 'sw-2'`);
    await sql('update network_device set status = 3 where id = $1', [broken!.id]);
    const { id } = await start({
      containerID: lab!.id,
      ranges: [{ start: addressOf(1), end: addressOf(5) }],
      credentials: credentials(),
    });
    const run = await ended(id);
    expect(run).toMatchObject({ state: 'DONE', devicesAdded: 0, devicesUpdated: 1, skipped: 4 });
    const came = Object.fromEntries(run.items.map(({ ipAddress, outcome }) => [ipAddress, outcome]));
    expect(came).toEqual({
      [addressOf(1)]: 'KNOWN',
      [addressOf(2)]: 'UPDATED',
      [addressOf(3)]: 'KNOWN',
      [addressOf(4)]: 'DUPLICATE',
      [addressOf(5)]: 'KNOWN',
    });
  });

  test('from a seed walks its neighbours as far as it may, and sends nothing outside the fence', async () => {
    const place = await admin.create(container, { name: 'Chain' });
    const body = {
      containerID: place,
      ranges: [{ cidr: '127.0.42.0/24' }],
      seeds: [line(1)],
      maxHops: 2,
      credentials: [{ snmpProtocol: 'V2C', snmpPort: switches.port, snmpSecurityStrings: ['public'] }],
    };
    const run = await ended((await start(body)).id);
    expect(run).toMatchObject({ state: 'DONE', hop: 2, addressesTotal: 3, addressesProbed: 3, devicesAdded: 3 });
    expect(run.items.map(({ ipAddress }) => ipAddress).sort()).toEqual([line(1), line(2), line(3)]);
    expect((await stranger.stats()).requests).toBe(0);
  });

  test('stores devices that only answer ping, if requested', async () => {
    const place = await admin.create(container, { name: 'Cameras' });
    const { id } = await start({
      containerID: place,
      ranges: [{ start: '127.0.44.1', end: '127.0.44.3' }],
      credentials: [],
      addPingable: true,
    });
    const run = await ended(id);
    expect(run).toMatchObject({ state: 'DONE', devicesAdded: 3, skipped: 0 });
    expect(new Set(run.items.map(({ outcome }) => outcome))).toEqual(new Set(['PINGABLE_ADDED']));
    const { results } = (await admin.get(`/device?filter=containerID==${place}&sortKey=name`)).body;
    expect(results).toMatchObject(
      ['127.0.44.1', '127.0.44.2', '127.0.44.3'].map((name) => ({ name, protocol: 'PING' })),
    );
  });

  test('excludes other runs in its container, and stops within five seconds on request', async () => {
    const place = await admin.create(container, { name: 'Long' });
    const body = {
      containerID: place,
      ranges: [{ cidr: '127.0.47.0/24' }],
      credentials: credentials(),
      probesPerSecond: 2,
    };
    const { id, task } = await start(body);
    await until(id, ({ state }) => state === 'RUNNING');
    expect((await admin.post('/device/discovery/discover', body)).body).toMatchObject({ status: 'duplicate' });
    expect(await sql('select from discovery_run where credentials is not null')).toHaveLength(1);
    expect(await placesInTheClear()).toEqual([]);
    const reportedMs = Date.now();
    expect((await admin.post('/device/discovery/discover/stop', { containerID: place })).code).toBe(200);
    const run = await ended(id);
    expect(run.state).toBe('STOPPED');
    expect(Date.now() - reportedMs).toBeLessThan(promised(5_000));
    expect((await admin.post('/device/discovery/discover/stop', { id })).body).toMatchObject({ status: 'rejected' });
    for (let tries = 0; tries < 600 && (await admin.fetch(backgroundTask, task)).state !== 'COMPLETED'; tries++)
      await sleep(100);
    expect(await admin.fetch(backgroundTask, task)).toMatchObject({ state: 'COMPLETED' });
    expect(await sql('select from discovery_work')).toEqual([]);
  });

  test('ends when its task is deleted', async () => {
    const place = await admin.create(container, { name: 'Unwanted' });
    const { id, task } = await start({
      containerID: place,
      ranges: [{ cidr: '127.0.46.0/24' }],
      credentials: credentials(),
      probesPerSecond: 1,
    });
    await until(id, ({ state }) => state === 'RUNNING');
    expect((await admin.post('/system/background-task/delete', { id: [task] })).code).toBe(200);
    expect((await ended(id)).state).toBe('STOPPED');
  });

  test('leaves its credentials nowhere in the clear, and nothing of them once it has ended', async () => {
    expect(await sql('select from discovery_run where credentials is not null')).toEqual([]);
    expect(await placesInTheClear()).toEqual([]);
    expect(logged.join('')).not.toContain('hush-');
    const [audit, all] = [
      await admin.get('/logging/audit?count=1000'),
      await admin.get('/device/discovery/discover/status/all'),
    ];
    expect(audit.text + all.text).not.toContain('hush-');
  });
});
