import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, freeUdpPorts } from '@portreeve/testbed/free-ports.ts';
import { checkMetrics } from '@portreeve/testbed/prometheus.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openNode, openWorld } from '../../../test/world/open-world.ts';
import { until } from '../../../test/world/patience.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import type { Service } from '../../node/start-service.ts';
import { EngineProcess } from '../../protocols/radius-engine/engine-process.ts';
import { sendAccessRequest } from '../../protocols/radius-engine/radclient.ts';
import { radiusGlobal } from '../radius-global/radius-global.ts';
import { serverConfiguration } from './server-configuration.ts';

const path = serverConfiguration.path!;
const globalPath = radiusGlobal.path!;

describe('engines', async () => {
  const world = await openWorld({ jobs: 'enqueue' });
  const { admin, database, service } = world;
  const folder = join(tmpdir(), `portreeve-radius-${randomUUID()}`);
  const engine = new EngineProcess(folder);
  const openedMs = Date.now();
  let node: Service;
  let place: { host: string; statusPort: number; decisionPort: number };

  const start = () => openNode({ database, jobs: 'work', node: 'node-1', radius: { folder, ...place } });

  interface Status {
    serviceStatus: string;
    processRunning: boolean;
    generationWanted: number;
    nodes: {
      pid: number;
      generation: number;
      lastError: string | null;
      version: string;
      upSince: string;
      nasCached: number;
    }[];
  }
  const status = async () => (await admin.get<Status>(`${path}/status`)).body.results![0]!;
  const runs = () => until('the engine', async () => (await status()).serviceStatus === 'RUNNING');
  const pid = async () => (await engine.running())?.pid;
  /** Returns the RADIUS check of `/readyz`, once the node is ready: a busy or new node may not be ready yet. */
  const readiness = async () => {
    let readyCheck: { name: string; ready: boolean; detail: string } | undefined;
    await until('a node that is ready', async () => {
      const reply = await node.app.inject('/readyz');
      if (reply.statusCode === 200) readyCheck = reply.json().results.at(-1);
      return readyCheck !== undefined;
    });
    return readyCheck!;
  };
  const set = async (values: object) => expect((await admin.post(globalPath, values)).code).toBe(200);

  beforeAll(async () => {
    const [authPort, statusPort] = await freeUdpPorts('127.0.0.1', 2);
    place = { host: '127.0.0.1', statusPort: statusPort!, decisionPort: await freePort() };
    await set({ authPort });
    node = await start();
  });
  afterAll(async () => {
    await node.close();
    await engine.stop();
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a node runs an engine with the stored configuration, and reports it', async () => {
    await runs();
    const { nodes, generationWanted } = await status();
    expect(nodes).toMatchObject([{ node: 'node-1', generation: generationWanted, lastError: null, nasCached: 0 }]);
    expect(nodes[0]!.version).toMatch(/^3\.2/);
    expect(nodes[0]!.upSince).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    // The engine reports whole seconds.
    const [fromSecond, toSecond] = [openedMs, Date.now()].map((ms) => Math.floor(ms / 1_000));
    const upSinceSecond = Date.parse(nodes[0]!.upSince) / 1_000;
    expect([fromSecond! <= upSinceSecond, upSinceSecond <= toSecond!]).toEqual([true, true]);
    await until(
      'the event',
      async () => (await admin.get('/logging/event?filter=name==RADIUS_CONFIG_APPLIED')).body.filtered! > 0,
    );
    expect((await admin.get<{ serviceRunning: boolean }>(globalPath)).body.results![0]!.serviceRunning).toBe(true);
    expect(await readiness()).toEqual({ name: 'radius', ready: true, detail: `generation ${generationWanted}` });
    const page = await node.metrics.page();
    expect(page).toContain(`portreeve_radius_generation{node="node-1"} ${generationWanted}`);
    expect(page).toContain('portreeve_radius_generation_behind_seconds{node="node-1"} 0');
    expect(page).toContain('portreeve_radius_ready{node="node-1"} 1');
    expect(await checkMetrics(page)).toBe('');
  });

  test('a node whose decision port is in use reports it, serves the API, and listens once the port is free', async () => {
    await node.close();
    const blocker = createServer().listen(place.decisionPort, '127.0.0.1');
    await once(blocker, 'listening');
    node = await start();
    const why = `another process listens at port ${place.decisionPort} of loopback`;
    try {
      await until('the word of it', async () => (await readiness()).detail === why);
      expect(await node.metrics.page()).toContain('portreeve_radius_ready{node="node-1"} 0');
    } finally {
      blocker.close();
    }
    await until('the listener', async () => (await readiness()).ready);
  });

  test('the engine reads secrets with any characters unchanged', async () => {
    for (const statusSecret of [`it's "a" $ { % # secret`, `a$${'{b}'}c%{User-Name}`, 'grün `x`; ß']) {
      await set({ statusSecret });
      await runs();
    }
    expect((await admin.post(globalPath, { statusSecret: 'with\\backslash' })).code).toBe(400);
  });

  test('an engine that was killed is started again', async () => {
    const before = await pid();
    process.kill(before!, 'SIGKILL');
    await until('another process', async () => ![before, undefined].includes(await pid()));
    await runs();
  });

  test('an engine continues while its node is stopped, and the next node uses it', async () => {
    const before = await pid();
    await node.close();
    expect(await pid()).toBe(before);
    expect((await status()).nodes).toEqual([]);
    node = await start();
    await runs();
    expect(await pid()).toBe(before);
  });

  test('an engine that has just been started is found and can be stopped', async () => {
    const { generation } = (await engine.running())!;
    await node.close();
    await engine.start(generation);
    const startedEngine = await engine.running();
    expect(startedEngine).toMatchObject({ generation });
    await engine.stop();
    // The number of a process that has ended stays in use until its parent, this process, has read its exit status.
    await vi.waitFor(() => expect(existsSync(`/proc/${startedEngine!.pid}`)).toBe(false), { timeout: 10_000 });
    node = await start();
    await runs();
  });

  test('a node restarts an engine that uses other ports', async () => {
    const before = await pid();
    await node.close();
    const [statusPort] = await freeUdpPorts('127.0.0.1', 1);
    place = { ...place, statusPort: statusPort! };
    node = await start();
    await runs();
    expect(await pid()).not.toBe(before);
  });

  test('a change starts a new process, and a configuration that the engine rejects does not', async () => {
    const before = (await status()).generationWanted;
    await set({ nasNetworks: ['127.0.0.0/8'] });
    await runs();
    expect((await status()).generationWanted).toBe(before + 1);
    const conf = await engine.read(before + 1, 'radiusd.conf');
    expect(conf!.match(/client nas-.*\n.*/g)).toEqual([expect.stringContaining('ipaddr = 127.0.0.0/8')]);

    const running = await engine.running();
    const plant = (sql: string) =>
      service.runtime
        .transact(systemOrigin('test'), ({ client }) => client.query(sql))
        .then(() => set({ nasCacheSeconds: 99, statusSecret: 'not of the old files' }));
    await plant(`insert into radius_dictionary_entry (attribute, value, type, has_tag, encrypt_method, defined_values, custom)
      values ('Portreeve-Verdict', '3100', 'integer', false, 0, '{}', true)`);
    await until('the refusal', async () => (await status()).nodes[0]?.lastError != null);
    const { nodes, serviceStatus } = await status();
    expect(serviceStatus).toBe('DEGRADED');
    expect(nodes[0]!.lastError).toContain('dictionary');
    expect(await node.metrics.page()).not.toContain('behind_seconds{node="node-1"} 0\n');
    expect(await engine.running()).toEqual(running);
    process.kill(running!.pid, 'SIGKILL');
    await until('the one before', async () => ![running!.pid, undefined].includes(await pid()));
    expect((await engine.running())!.generation).toBe(running!.generation);
    // Status-Server uses the secret of the running files.
    await until('its answer', async () => (await status()).processRunning);
    expect((await admin.get('/logging/event?filter=name==RADIUS_CONFIG_INVALID')).body.filtered).toBe(1);

    await service.runtime.transact(systemOrigin('test'), ({ client }) =>
      client.query(`delete from radius_dictionary_entry where attribute = 'Portreeve-Verdict'`),
    );
    await set({ nasCacheSeconds: 98, statusSecret: 'grün `x`; ß' });
    await runs();
  });

  test('a profile with EAP-TLS only and without trusted authorities does not affect other profiles', async () => {
    const id = await admin.create(serverConfiguration, {
      name: 'certificates only',
      enabledEapTypes: ['TLS'],
      defaultEapType: 'TLS',
      tlsConfigID: 3,
    });
    await runs();
    const conf = await engine.read((await status()).generationWanted, 'radiusd.conf');
    expect(conf).toContain(`server access-${id} {`);
    expect(conf).not.toContain(`eap-${id}`);
    expect(conf).toContain('&Portreeve-Reason := "noEapType"');
  });

  test('an engine that starts and does not respond is replaced by the previous configuration', async () => {
    const before = await engine.running();
    const occupiedSocket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(occupiedSocket, 'listening');
    const { authPort } = (await admin.get<{ authPort: number }>(globalPath)).body.results![0]!;
    await set({ authPort: occupiedSocket.address().port });
    await until('the refusal', async () => (await status()).nodes[0]?.lastError != null);
    expect((await status()).nodes[0]).toMatchObject({ generation: before!.generation });
    expect(await engine.answers(place.statusPort, 'grün `x`; ß')).toBeDefined();
    occupiedSocket.close();
    await set({ authPort });
    await runs();
  });

  test('shows logs without secrets', async () => {
    const { log, serverLog } = (await admin.get<{ log: string; serverLog: string }>(`${path}/log?lines=50`)).body
      .results![0]!;
    expect(log).toContain('Ready to process requests');
    expect(log).not.toContain('socket command file');
    expect(serverLog).toContain('runs generation');
    expect((await admin.get(`${path}/log?node=nobody`)).code).toBe(404);
  });

  test('reports how many access devices the engine caches, and removes one on request', async () => {
    const addDevice = async (name: string, ipAddress: string) => {
      const radius = { radiusEnabled: true, radiusSecret: 'secret-of-nas' };
      const device = await admin.post('/device/snmp', { name, ipAddress, containerID: 1, ...radius });
      return Number(String(device.headers.location).split('/').at(-1));
    };
    const id = await addDevice('nas', '127.0.0.9');
    await addDevice('nas-2', '127.0.0.10');
    await addDevice('nas-3', '127.0.0.11');
    const cachedIs = (count: number) =>
      until(`${count} devices`, async () => (await status()).nodes[0]?.nasCached === count);
    const { authPort: port } = (await admin.get<{ authPort: number }>(globalPath)).body.results![0]!;
    const fixStale = async () => (await admin.post(`${path}/nas/fixstale/${id}`)).body.results;
    expect(await fixStale()).toEqual([{ node: 'node-1', evicted: false }]);
    const attributes = { 'User-Name': 'x', 'User-Password': 'x', 'Calling-Station-Id': '00-1D-09-00-00-01' };
    const isAnswered = (source: string) =>
      until('an answer', async () => {
        const { code } = await sendAccessRequest({ source, port, secret: 'secret-of-nas', attributes });
        return code !== 'none';
      });
    for (const source of ['127.0.0.9', '127.0.0.10', '127.0.0.11', '127.0.0.9']) await isAnswered(source);
    await cachedIs(3);
    expect(await fixStale()).toEqual([{ node: 'node-1', evicted: true }]);
    await cachedIs(2);
    await isAnswered('127.0.0.9');
    await cachedIs(3);
    process.kill((await pid())!, 'SIGKILL');
    await cachedIs(0);
    await runs();
    await isAnswered('127.0.0.9');
    await cachedIs(1);
    expect((await admin.post(`${path}/nas/fixstale/999999`)).code).toBe(404);
  });

  test('deploying its TLS configuration restarts the engine with it', async () => {
    const before = (await status()).generationWanted;
    const { headers } = await admin.post('/settings/tls-service-configuration/deploy', { id: [3] });
    const task = String(headers.location).replace('/api/v2', '');
    const currentTask = async () => (await admin.get<{ state: string; report: object[] }>(task)).body.results![0]!;
    await until('the task', async () => ['COMPLETED', 'FAILED'].includes((await currentTask()).state));
    const desiredGeneration = (await status()).generationWanted;
    expect(desiredGeneration).toBeGreaterThan(before);
    expect(await currentTask()).toMatchObject({
      state: 'COMPLETED',
      report: [{ outcome: 'DONE', detail: `runs generation ${desiredGeneration}` }],
    });
  });

  test('keeps the files of at most five generations', async () => {
    await engine.tidy();
    const generations = (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number);
    const { generation } = (await engine.running())!;
    expect(generation).toBeGreaterThan(6);
    expect(generations).toContain(generation);
    expect(generations.length).toBeLessThanOrEqual(5);
    const texts = await Promise.all(
      generations.map((storedGeneration) => engine.read(storedGeneration, 'radiusd.conf')),
    );
    expect(texts.join()).not.toContain("it's");
  });

  test('no engine runs while the service is disabled', async () => {
    await set({ serviceEnabled: false });
    await until('the end', async () => (await pid()) === undefined);
    await until('the word of it', async () => (await status()).serviceStatus === 'STOPPED');
    expect(await readiness()).toEqual({ name: 'radius', ready: true, detail: 'disabled' });
    await set({ serviceEnabled: true });
    await runs();
  });
});
