import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, freeUdpPorts } from '@portreeve/testbed/free-ports.ts';
import type { Protocols } from '../../src/context.ts';
import type { ClusterPlace } from '../../src/node/cluster-listener.ts';
import type { RadiusOptions } from '../../src/node/radius-node.ts';
import type { Service } from '../../src/node/start-service.ts';
import { EngineProcess } from '../../src/protocols/radius-engine/engine-process.ts';
import { type SeenReply, type SentPacket, sendAccessRequest } from '../../src/protocols/radius-engine/radclient.ts';
import { openNode, openWorld, type World } from './open-world.ts';
import { until } from './patience.ts';

const globalPath = '/radius/radius-server-config/global';
const statusPath = '/radius/radius-server-config/status';

export interface RadiusWorld extends World {
  engine: EngineProcess;
  /** The folder of the engine's files, and the engine settings of the deployment. */
  radius: RadiusOptions;
  authPort: number;
  acctPort: number;
  /** Returns the node with the engine; it may be closed and started again. */
  node(): Service;
  startNode(): Promise<void>;
  /** Waits until the engine runs with the stored settings. */
  runs(): Promise<void>;
  /** Deploys the RADIUS TLS configuration with this authority, in PEM, as the only trusted one. */
  trustAuthority(alias: string, certificate: string): Promise<void>;
  device(address: string, more?: object): Promise<number>;
  send(packet: Partial<SentPacket> & Pick<SentPacket, 'attributes'>): Promise<SeenReply>;
  /** Sends MAC authentication like a switch. */
  mab(mac: string, more?: Partial<SentPacket>): Promise<SeenReply>;
  close(): Promise<void>;
}

export const nasSecret = 'secret-of-nas';
export const nasAddress = '127.0.0.9';

/** Opens a test world with a node that runs a RADIUS engine, and an access device at `nasAddress`. */
export async function radiusWorld({
  jobs = 'enqueue',
  consoleFolder,
  cluster,
  rejectDelaySeconds = 0,
  parts,
}: {
  jobs?: 'enqueue' | 'work';
  consoleFolder?: string;
  cluster?: ClusterPlace;
  /** The default of a deployment is 1 s; tests do not wait for it. */
  rejectDelaySeconds?: number;
  parts?: Partial<Protocols>;
} = {}): Promise<RadiusWorld> {
  const world = await openWorld({ jobs: 'enqueue', ...(parts && { parts }), ...(consoleFolder && { consoleFolder }) });
  const { admin, database } = world;
  const folder = join(tmpdir(), `portreeve-radius-${randomUUID()}`);
  const engine = new EngineProcess(folder);
  const [authPort, acctPort, statusPort] = (await freeUdpPorts('127.0.0.1', 3)) as [number, number, number];
  const radius = { folder, host: '127.0.0.1', statusPort, decisionPort: await freePort(), cluster, rejectDelaySeconds };
  await admin.post(globalPath, { authPort, acctPort });
  let node: Service | undefined;
  let devices = 0;
  const send: RadiusWorld['send'] = (packet) =>
    sendAccessRequest({ source: nasAddress, port: authPort, secret: nasSecret, ...packet });
  const radiusWorldOfTest: RadiusWorld = {
    ...world,
    engine,
    radius,
    authPort,
    acctPort,
    node: () => node!,
    async startNode() {
      node = await openNode({ database, jobs, node: 'node-1', radius, ...(parts && { parts }) }, world.logged);
    },
    runs: () =>
      until('the engine', async () => {
        const { body } = await admin.get<{ serviceStatus: string }>(statusPath);
        return body.results![0]!.serviceStatus === 'RUNNING';
      }),
    async trustAuthority(alias, certificate) {
      const tls = '/settings/tls-service-configuration';
      for (const { code, text } of [
        await admin.post(`/settings/security/certificate-server/${alias}`, { certificate }),
        await admin.post(`${tls}/3`, { trustAliases: [alias] }),
      ])
        if (code !== 200) throw new Error(text);
      const { headers } = await admin.post(`${tls}/deploy`, { id: [3] });
      const task = String(headers.location).replace('/api/v2', '');
      await until('the deployment', async () => {
        const { state } = (await admin.get<{ state: string }>(task)).body.results![0]!;
        return state === 'COMPLETED';
      });
      await radiusWorldOfTest.runs();
    },
    async device(address, extraFields = {}) {
      return admin.create(
        { path: '/device/snmp' },
        {
          name: `nas-${++devices}`,
          ipAddress: address,
          containerID: 1,
          radiusEnabled: true,
          radiusSecret: nasSecret,
          ...extraFields,
        },
      );
    },
    send,
    mab: (mac, { attributes, ...packet } = {}) =>
      send({
        attributes: {
          'User-Name': mac.replaceAll(':', '').toLowerCase(),
          'User-Password': mac.replaceAll(':', '').toLowerCase(),
          'Service-Type': 'Call-Check',
          'Calling-Station-Id': mac.replaceAll(':', '-'),
          ...attributes,
        },
        ...packet,
      }),
    async close() {
      await node?.close();
      await engine.stop();
      await world.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await radiusWorldOfTest.startNode();
    await radiusWorldOfTest.runs();
    await radiusWorldOfTest.device(nasAddress);
    return radiusWorldOfTest;
  } catch (error) {
    await radiusWorldOfTest.close();
    throw error;
  }
}
