import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logIn } from '@portreeve/testbed/eapol-test.ts';
import { freePort, freeUdpPorts } from '@portreeve/testbed/free-ports.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openNode } from '../../test/world/open-world.ts';
import { until } from '../../test/world/patience.ts';
import { nasAddress, nasSecret, type RadiusWorld, radiusWorld } from '../../test/world/radius-world.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import { EngineProcess } from '../protocols/radius-engine/engine-process.ts';
import { makeKey, selfSigned } from '../protocols/x509/make-certificate.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import type { ClusterPlace } from './cluster-listener.ts';
import type { Service } from './start-service.ts';

const details = '/radius/radius-health-details';
const password = 'password-of-zoe';

describe('two nodes whose engines can use both nodes', () => {
  let world: RadiusWorld;
  let otherService: Service | undefined;
  const folder = join(tmpdir(), `portreeve-radius-${randomUUID()}`);
  const otherEngine = new EngineProcess(folder);
  let place: ClusterPlace;
  let number = 0;

  const newMac = () => `00:1D:09:02:00:${(++number).toString(16).padStart(2, '0').toUpperCase()}`;
  const rowOf = async (mac: string) => {
    const rows = async () =>
      (await world.admin.get<Record<string, unknown>>(`${details}?filter=callingStationId==${mac}`)).body.results!;
    await until(`the row of ${mac}`, async () => (await rows()).length > 0);
    return (await rows())[0]!;
  };
  const tunnel = async (word: string) => {
    const mac = newMac();
    const network = {
      eap: 'TTLS',
      identity: '"zoe"',
      anonymous_identity: '"nobody"',
      password: `"${word}"`,
      phase2: '"auth=PAP"',
    };
    const login = await logIn({ source: nasAddress, port: world.authPort, secret: nasSecret, mac, network });
    return { mac, isAccepted: login.isAccepted };
  };
  const run = async () =>
    until('both engines with the newest files', async () => {
      const { rows } = await world.service.runtime.pool.query<{ isDone: boolean }>(
        `select count(*) = 2 and min(n.radius_generation) = (select g.wanted from config_generation g where g.topic = 'radius') as "isDone"
         from cluster_node n`,
      );
      return rows[0]!.isDone;
    });
  /** Sends a request to the listener of the other node; returns its status, or undefined if the connection fails. */
  const ask = (path: string, tls: { key?: string; cert?: string }, method = 'POST') =>
    new Promise<number | undefined>((done) => {
      const clientRequest = request(
        { host: place.address, port: place.port, path, method, agent: false, rejectUnauthorized: false, ...tls },
        (response) => done(response.resume().statusCode),
      );
      clientRequest.on('error', () => done(undefined)).end('{}');
    });
  const ownFile = (name: string) => readFile(join(world.radius.folder, 'cluster', name), 'utf8');

  beforeAll(async () => {
    place = { address: '127.0.0.22', port: await freePort() };
    world = await radiusWorld({ cluster: { address: '127.0.0.21', port: await freePort() } });
    const [statusPort] = (await freeUdpPorts('127.0.0.1', 1)) as [number];
    const radius = { folder, host: '127.0.0.2', statusPort, decisionPort: await freePort(), cluster: place };
    otherService = await openNode({ database: world.database, jobs: 'enqueue', node: 'node-2', radius }, world.logged);
    await world.service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.create(userAccount, { userID: 'zoe', networkPassword: password }),
    );
    await run();
  });
  afterAll(async () => {
    await otherService?.close();
    await otherEngine.stop();
    await rm(folder, { recursive: true, force: true });
    await world.close();
  });

  test('responds only to other nodes, and never returns the secret of an access device', async () => {
    const ownTls = { key: await ownFile('key.pem'), cert: await ownFile('certificate.pem') };
    const key = await makeKey('EC_P256');
    const usages = ['serverAuth', 'clientAuth'] as const;
    const cert = selfSigned(key, { CN: 'node-1' }, ['127.0.0.21'], { nowMs: Date.now(), days: 1, usages });
    expect(await ask('/radius/authorize', {})).toBeUndefined();
    expect(await ask('/radius/authorize', { key, cert })).toBeUndefined();
    // A packet without a time counts as too old.
    expect(await ask('/radius/authorize', ownTls)).toBe(503);
    expect(await ask(`/radius/nas/${nasAddress}`, ownTls, 'GET')).toBe(404);
    expect(await readFile(join(folder, 'cluster', 'others.pem'), 'utf8')).toContain(ownTls.cert);
  });

  test('each engine uses its own node first', async () => {
    const mac = newMac();
    expect((await world.mab(mac)).code).toBe('Access-Accept');
    expect(await rowOf(mac)).toMatchObject({ clusterNode: 'node-1' });
  });

  test('while a node is down, its engine accepts and rejects logins by decisions of the other node', async () => {
    await world.node().close();
    const mac = newMac();
    expect((await world.mab(mac)).code).toBe('Access-Accept');
    expect(await rowOf(mac)).toMatchObject({ reply: 'ACCEPT', nas: 'nas-1', clusterNode: 'node-2' });
    const right = await tunnel(password);
    expect(right.isAccepted).toBe(true);
    expect(await rowOf(right.mac)).toMatchObject({ reply: 'ACCEPT', username: 'zoe', clusterNode: 'node-2' });
    const wrong = await tunnel('another');
    expect(wrong.isAccepted).toBe(false);
    expect(await rowOf(wrong.mac)).toMatchObject({ reply: 'REJECT', cause: 'BAD_PASSWORD', clusterNode: 'node-2' });
  });

  test('while both nodes are down, access requests get no reply', async () => {
    await otherService!.close();
    otherService = undefined;
    expect(await world.mab(newMac(), { tries: 1, waitSeconds: 2 })).toEqual({ code: 'none', attributes: [] });
  });
});

test('a node that was stopped for a week is removed from the list', async () => {
  const world = await radiusWorld({ cluster: { address: '127.0.0.23', port: await freePort() } });
  try {
    const { pool } = world.service.runtime;
    const nodeRows = async () => (await pool.query<{ node: string }>('select node from cluster_address')).rows;
    await pool.query(
      `insert into cluster_address (node, address, port, certificate, renewed)
       values ('gone', '127.0.0.99', 1, $1, clock_timestamp() - interval '8 days')`,
      [await readFile(join(world.radius.folder, 'cluster', 'certificate.pem'), 'utf8')],
    );
    expect(await nodeRows()).toHaveLength(2);
    await world.node().close();
    await world.startNode();
    await until('it is forgotten', async () => (await nodeRows()).length === 1);
  } finally {
    await world.close();
  }
});
