import { setTimeout as sleep } from 'node:timers/promises';
import { type Switches, type SwitchSpec, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { promised } from '../../../test/world/patience.ts';
import { world } from '../../../test/world/world.ts';
import { backgroundTask } from '../../system/background-task/background-task.ts';

const addressOf = (last: number) => `127.0.48.${last}`;
const networks = [10, 20, 30].map((vlan) => ({ vlan, address: `10.48.${vlan}.1`, prefix: 24 }));
const specs: SwitchSpec[] = [
  { address: addressOf(1), sysName: 'switch', ports: 8 },
  { address: addressOf(2), sysName: 'layer-3-switch', ports: 8, forwards: true, interfaces: networks.slice(0, 1) },
  {
    address: addressOf(3),
    sysName: 'router',
    kind: 'router',
    ports: 8,
    forwards: true,
    interfaces: networks,
    routes: 12,
  },
];

describe('an L3 scan', async () => {
  const { admin, service, logged } = await world({ jobs: 'work' });
  const ids = new Map<string, number>();
  let switches: Switches;

  const model = async (name: string, ipAddress: string) => {
    const reply = await admin.post('/device/snmp', {
      name,
      ipAddress,
      containerID: 1,
      snmpProtocol: 'V2C',
      snmpPort: switches.port,
      snmpSecurityStrings: ['public'],
    });
    expect(reply, reply.text).toMatchObject({ code: 201 });
    return Number(String(reply.headers.location).split('/').at(-1));
  };

  beforeAll(async () => {
    switches = await startSwitches(specs);
    for (let n = 1; n <= 6; n++) await switches.setArp(addressOf(3), `10.48.20.${n + 9}`, `02:48:00:00:00:0${n}`, 20);
    for (const { address, sysName } of specs) ids.set(sysName!, await model(sysName!, address));
  });
  afterAll(() => switches.stop());

  const status = async () =>
    (
      await admin.get<
        Record<string, unknown> & {
          devices: { deviceName: string; score: number; recommended: boolean; error: string | null }[];
        }
      >('/device/l3scan/status')
    ).body.results![0]!;
  const until = async (isReached: () => Promise<boolean>) => {
    for (let tries = 0; tries < 900; tries++) {
      if (await isReached()) return;
      await sleep(100);
    }
    throw new Error(`it did not come to that: ${JSON.stringify(await status())}\n${logged.slice(-5)}`);
  };
  const isDone = async () => (await status()).state === 'DONE';

  test('that was never made is idle, and there is nothing to stop', async () => {
    expect(await status()).toEqual({
      state: 'IDLE',
      startedBy: '',
      startedAt: null,
      finishedAt: null,
      total: 0,
      scanned: 0,
      devices: [],
    });
    expect((await admin.post('/device/l3scan/stop')).code).toBe(404);
    expect((await admin.post('/device/l3scan/start', { id: [999_999_999] })).code).toBe(404);
  });

  test('scores switch, layer-3 switch and router in ascending order, and polling the recommended ones stores IP addresses', async () => {
    // The scan uses the driver that the device's identity selects; the first poll stores it.
    await until(async () => (await admin.get('/device?filter=status==1')).body.filtered === specs.length);
    const reply = await admin.post('/device/l3scan/start');
    expect(reply, reply.text).toMatchObject({ code: 202 });
    expect((await admin.post('/device/l3scan/start')).body).toMatchObject({ status: 'duplicate' });
    await until(isDone);
    const scan = await status();
    expect(scan).toMatchObject({
      startedBy: 'system-administrator-1',
      total: 3,
      scanned: 3,
      finishedAt: expect.any(String),
    });
    expect(scan.devices).toMatchObject([
      // All its addresses are on the interface that it is managed by.
      { deviceName: 'router', score: 85, recommended: true, l3PollingEnabled: false, error: null },
      { deviceName: 'layer-3-switch', score: 75, recommended: true },
      { deviceName: 'switch', score: 0, recommended: false },
    ]);
    const { rows } = await service.runtime.pool.query(
      `select e.event_format_string as text from event e where e.name = 'L3_SCAN_COMPLETED'`,
    );
    expect(rows).toEqual([
      { text: 'L3 scan is complete: 3 of 3 devices; recommended and not polled yet: router, layer-3-switch.' },
    ]);
    const location = String(reply.headers.location).replace('/api/v2', '');
    await until(async () => (await admin.get(location)).body.results![0]!.state === 'COMPLETED');
    expect((await admin.get(location)).body.results![0]).toMatchObject({
      resultLocation: '/api/v2/device/l3scan/status',
    });

    const mac = '02:48:00:00:00:01';
    expect((await admin.post('/adapter', { physicalAddress: mac })).code).toBe(201);
    const address = async () =>
      (await admin.get(`/adapter?filter=physicalAddress==${mac}`)).body.results!.map(
        (adapterRow) => adapterRow.ipaddress,
      );
    expect(await address()).toEqual([null]);
    const enabled = await admin.post(`/device/snmp/${ids.get('router')}`, { l3PollingEnabled: true });
    expect(enabled.code, enabled.text).toBe(200);
    await until(async () => (await service.runtime.pool.query('select from ip_mac')).rowCount === 6);
    // Before, only its MAC address was known.
    expect(await address()).toEqual(['10.48.20.10']);
  });

  test('reports why a device that is only pinged has no results, as does its resync', async () => {
    const created = await admin.post('/device/pingable', {
      name: 'printer',
      ipAddress: '127.0.48.9',
      containerID: 1,
      deviceType: 'printer',
    });
    expect(created, created.text).toMatchObject({ code: 201 });
    const id = Number(String(created.headers.location).split('/').at(-1));
    expect((await admin.post('/device/l3scan/start', { id: [id] })).code).toBe(202);
    await until(isDone);
    expect((await status()).devices).toMatchObject([
      { score: 0, error: expect.stringContaining('not managed by SNMP') },
    ]);
    const reply = await admin.post('/device/resync-interfaces', { id: [id] });
    const task = String(reply.headers.location).replace('/api/v2', '');
    await until(async () => (await admin.get(task)).body.results![0]!.state === 'COMPLETED');
    expect((await admin.get(task)).text).toContain('SKIPPED');
  });

  test('reports a device that does not answer, and can be stopped early', async () => {
    for (let n = 1; n <= 20; n++) ids.set(`silent-${n}`, await model(`silent-${n}`, `127.0.49.${n}`));
    const silent = [...ids].filter(([name]) => name.startsWith('silent')).map(([, id]) => id);
    expect((await admin.post('/device/l3scan/start', { id: silent.slice(0, 1) })).code).toBe(202);
    await until(isDone);
    expect((await status()).devices).toMatchObject([
      { deviceName: 'silent-1', score: 0, recommended: false, error: expect.stringContaining('127.0.49.1') },
    ]);
    // Long enough for none of them to end before the stop, however late it is sent.
    expect((await admin.post('/device/properties', { snmpTimeout: 30 })).code).toBe(200);
    const reply = await admin.post('/device/l3scan/start', { id: silent });
    const task = Number(String(reply.headers.location).split('/').at(-1));
    await until(async () => (await admin.fetch(backgroundTask, task)).state === 'RUNNING');
    const reportedMs = Date.now();
    expect((await admin.post('/device/l3scan/stop')).code).toBe(200);
    await until(isDone);
    expect(Date.now() - reportedMs).toBeLessThan(promised(5_000));
    expect((await status()).scanned).toBeLessThan(20);
  });
});
