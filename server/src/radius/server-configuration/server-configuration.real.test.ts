import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeUdpPorts } from '@portreeve/testbed/udp-ports.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectionLaws } from '../../../test/conformance/laws.ts';
import { settingsLaws } from '../../../test/conformance/settings-laws.ts';
import { openNode, openWorld } from '../../../test/world/open-world.ts';
import { until } from '../../../test/world/patience.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import type { Service } from '../../node/start-service.ts';
import { EngineProcess } from '../../protocols/radius-engine/engine-process.ts';
import { radiusGlobal } from '../radius-global/radius-global.ts';
import { maskSecrets } from './mask-secrets.ts';
import { serverConfiguration } from './server-configuration.ts';

const path = serverConfiguration.path!;
const globalPath = radiusGlobal.path!;

describe('profiles', async () => {
  const world = await openWorld();
  const { admin } = world;
  afterAll(() => world.close());

  collectionLaws(serverConfiguration, {
    world,
    sample: (n) => ({ name: `profile ${n}`, tlsConfigID: 3 }),
    change: (n) => ({ tlsCommonFragmentSize: 1_000 + n }),
  });

  const save = async (values: object) => {
    const { code, body } = await admin.post(path, { name: 'own', tlsConfigID: 3, ...values });
    return [code, body.errorMessage];
  };

  test.each<[object, number, string]>([
    [{ enabledEapTypes: ['TLS', 'TLS'], defaultEapType: 'TLS' }, 400, 'enabledEapTypes: names TLS twice.'],
    [{ enabledEapTypes: ['TLS'] }, 400, 'defaultEapType: is PEAP, which is not among enabledEapTypes.'],
    [{ enabledEapTypes: ['PEAP'] }, 400, 'enabledEapTypes: PEAP needs MSCHAPV2, GTC or MD5 inside.'],
    [{ ocspUrl: 'https://ocsp.example.org/' }, 400, 'ocspUrl'],
    [{ crlEnabled: true }, 422, 'crlEnabled: the TLS configuration has no authority in trustAliases.'],
    [{ winbindConfigurations: [{}] }, 400, 'winbindConfigurations'],
    [{ isDefault: true, enabled: false }, 409, 'own is the default and cannot be disabled.'],
  ])('%j is refused', async (values, code, message) => {
    expect(await save(values)).toEqual([code, expect.stringContaining(message)]);
  });

  test('one is the default: it is neither disabled nor deleted, and another one takes its place', async () => {
    const defaults = async () =>
      (await admin.get<{ dbid: number; name: string }>(`${path}?filter=isDefault==true`)).body.results!;
    const [shipped] = await defaults();
    const { dbid } = shipped!;
    expect((await admin.post(`${path}/disable`, { id: [dbid] })).code).toBe(409);
    expect((await admin.delete(`${path}/${dbid}`)).code).toBe(409);
    expect((await admin.post(`${path}/${dbid}`, { isDefault: false })).code).toBe(409);
    const other = await admin.create(serverConfiguration, { name: 'other', tlsConfigID: 3, isDefault: true });
    expect((await defaults()).map(({ name }) => name)).toEqual(['other']);
    expect((await admin.post(`${path}/${dbid}`, { isDefault: true })).code).toBe(200);
    expect((await admin.delete(`${path}/${other}`)).code).toBe(200);
  });

  test('its TLS configuration says who uses it, and stays', async () => {
    const { usedBy } = (await admin.get<{ usedBy: string[] }>('/settings/tls-service-configuration/3')).body
      .results![0]!;
    expect(usedBy).toContain('RADIUS: Default');
    expect((await admin.delete('/settings/tls-service-configuration/3')).body.status).toBe('in-use');
  });

  test('the types that the engine has are listed', async () => {
    const { results } = (await admin.get(`${path}/eap-types`)).body;
    expect(results).toEqual(expect.arrayContaining(['TLS', 'TTLS', 'PEAP', 'MSCHAPV2', 'MD5', 'GTC']));
  });
});

describe('settings', () => {
  settingsLaws(radiusGlobal, { change: (n) => ({ nasCacheSeconds: 100 + n }) });
});

describe('engines', async () => {
  const world = await openWorld({ jobs: 'enqueue' });
  const { admin, database, service } = world;
  const folder = join(tmpdir(), `portreeve-radius-${randomUUID()}`);
  const engine = new EngineProcess(folder);
  let node: Service;
  let place: { host: string; statusPort: number; decisionPort: number };

  const start = () => openNode({ database, jobs: 'work', node: 'node-1', radius: { folder, ...place } });

  interface Status {
    serviceStatus: string;
    processRunning: boolean;
    generationWanted: number;
    nodes: { pid: number; generation: number; lastError: string | null; version: string; nasCached: number }[];
  }
  const status = async () => (await admin.get<Status>(`${path}/status`)).body.results![0]!;
  const runs = () => until('the engine', async () => (await status()).serviceStatus === 'RUNNING');
  const pid = async () => (await engine.running())?.pid;
  const set = async (values: object) => expect((await admin.post(globalPath, values)).code).toBe(200);

  beforeAll(async () => {
    const [authPort, statusPort] = await freeUdpPorts('127.0.0.1', 2);
    place = { host: '127.0.0.1', statusPort: statusPort!, decisionPort: 1 };
    await set({ authPort });
    node = await start();
  });
  afterAll(async () => {
    await node.close();
    await engine.stop();
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a node runs one on what is stored, and says so', async () => {
    await runs();
    const { nodes, generationWanted } = await status();
    expect(nodes).toMatchObject([{ node: 'node-1', generation: generationWanted, lastError: null, nasCached: 6 }]);
    expect(nodes[0]!.version).toMatch(/^3\.2/);
    await until(
      'the event',
      async () => (await admin.get('/logging/event?filter=name==RADIUS_CONFIG_APPLIED')).body.filtered! > 0,
    );
    expect((await admin.get<{ serviceRunning: boolean }>(globalPath)).body.results![0]!.serviceRunning).toBe(true);
  });

  test('secrets of any characters are read back by the engine as they were sent', async () => {
    for (const statusSecret of [`it's "a" $ { % # secret`, `a$${'{b}'}c%{User-Name}`, 'grün `x`; ß']) {
      await set({ statusSecret });
      await runs();
    }
    expect((await admin.post(globalPath, { statusSecret: 'with\\backslash' })).code).toBe(400);
  });

  test('one that was killed comes back by itself', async () => {
    const before = await pid();
    process.kill(before!, 'SIGKILL');
    await until('another process', async () => ![before, undefined].includes(await pid()));
    await runs();
  });

  test('it goes on while the node is away, and the next node finds it', async () => {
    const before = await pid();
    await node.close();
    expect(await pid()).toBe(before);
    expect((await status()).nodes).toEqual([]);
    node = await start();
    await runs();
    expect(await pid()).toBe(before);
  });

  test('a change is taken by a new process; what the engine refuses is not', async () => {
    const before = (await status()).generationWanted;
    await set({ nasNetworks: ['127.0.0.0/8'] });
    await runs();
    expect((await status()).generationWanted).toBe(before + 1);
    expect((await status()).nodes[0]!.nasCached).toBe(2);

    const running = await engine.running();
    const plant = (sql: string) =>
      service.runtime
        .transact(systemOrigin('test'), ({ client }) => client.query(sql))
        .then(() => set({ nasCacheSeconds: 99 }));
    await plant(`insert into radius_dictionary_entry (attribute, value, type, has_tag, encrypt_method, defined_values, custom)
      values ('Portreeve-Verdict', '3100', 'integer', false, 0, '{}', true)`);
    await until('the refusal', async () => (await status()).nodes[0]?.lastError != null);
    const { nodes, serviceStatus } = await status();
    expect(serviceStatus).toBe('DEGRADED');
    expect(nodes[0]!.lastError).toContain('dictionary');
    expect(await engine.running()).toEqual(running);
    expect((await admin.get('/logging/event?filter=name==RADIUS_CONFIG_INVALID')).body.filtered).toBe(1);

    await service.runtime.transact(systemOrigin('test'), ({ client }) =>
      client.query(`delete from radius_dictionary_entry where attribute = 'Portreeve-Verdict'`),
    );
    await set({ nasCacheSeconds: 98 });
    await runs();
  });

  test('one that starts and stays silent is put back', async () => {
    const before = await engine.running();
    const other = createSocket('udp4').bind(0, '127.0.0.1');
    await once(other, 'listening');
    const { authPort } = (await admin.get<{ authPort: number }>(globalPath)).body.results![0]!;
    await set({ authPort: other.address().port });
    await until('the refusal', async () => (await status()).nodes[0]?.lastError != null);
    expect((await status()).nodes[0]).toMatchObject({ generation: before!.generation });
    expect(await engine.answers(place.statusPort, 'grün `x`; ß')).toBeDefined();
    other.close();
    await set({ authPort });
    await runs();
  });

  test('logs are shown without secrets, and a device is forgotten on request', async () => {
    const { log, serverLog } = (await admin.get<{ log: string; serverLog: string }>(`${path}/log?lines=50`)).body
      .results![0]!;
    expect(log).toContain('Ready to process requests');
    expect(serverLog).toContain('runs generation');
    expect((await admin.get(`${path}/log?node=nobody`)).code).toBe(404);
    expect(maskSecrets('  User-Password = "a \\"b" secret = x')).toBe('  User-Password = ••• secret = •••');

    const device = await admin.post('/device/snmp', {
      name: 'nas',
      ipAddress: '127.0.0.9',
      containerID: 1,
      radiusEnabled: true,
      radiusSecret: 'secret-of-nas',
    });
    const id = Number(String(device.headers.location).split('/').at(-1));
    expect((await admin.post(`${path}/nas/fixstale/${id}`)).body.results).toEqual([{ node: 'node-1', evicted: false }]);
    expect((await admin.post(`${path}/nas/fixstale/999999`)).code).toBe(404);
  });

  test('a deploy of its TLS configuration reaches the engine', async () => {
    const before = (await status()).generationWanted;
    const { headers } = await admin.post('/settings/tls-service-configuration/deploy', { id: [3] });
    const task = String(headers.location).replace('/api/v2', '');
    const seen = async () => (await admin.get<{ state: string; report: object[] }>(task)).body.results![0]!;
    await until('the task', async () => ['COMPLETED', 'FAILED'].includes((await seen()).state));
    expect(await seen()).toMatchObject({ state: 'COMPLETED', report: [{ outcome: 'DONE' }] });
    expect((await status()).generationWanted).toBeGreaterThan(before);
  });

  test('disabled, no engine runs', async () => {
    await set({ serviceEnabled: false });
    await until('the end', async () => (await pid()) === undefined);
    await until('the word of it', async () => (await status()).serviceStatus === 'STOPPED');
    await set({ serviceEnabled: true });
    await runs();
  });
});
