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
  /** Where the engine has its files, and what of it the deployment decides. */
  radius: RadiusOptions;
  authPort: number;
  /** The node with the engine; it may be closed and started again. */
  node(): Service;
  startNode(): Promise<void>;
  /** Until the engine runs on what is stored. */
  runs(): Promise<void>;
  device(address: string, more?: object): Promise<number>;
  send(packet: Partial<SentPacket> & Pick<SentPacket, 'attributes'>): Promise<SeenReply>;
  /** MAC authentication, as a switch asks for it. */
  mab(mac: string, more?: Partial<SentPacket>): Promise<SeenReply>;
  close(): Promise<void>;
}

export const nasSecret = 'secret-of-nas';
export const nasAddress = '127.0.0.9';

/** A world with a node that runs a RADIUS engine, and an access device at `nasAddress`. */
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
  /** Those who run the service have 1 s; tests do not wait for it. */
  rejectDelaySeconds?: number;
  parts?: Partial<Protocols>;
} = {}): Promise<RadiusWorld> {
  const world = await openWorld({ jobs: 'enqueue', ...(parts && { parts }), ...(consoleFolder && { consoleFolder }) });
  const { admin, database } = world;
  const folder = join(tmpdir(), `portreeve-radius-${randomUUID()}`);
  const engine = new EngineProcess(folder);
  const [authPort, statusPort] = (await freeUdpPorts('127.0.0.1', 2)) as [number, number];
  const radius = { folder, host: '127.0.0.1', statusPort, decisionPort: await freePort(), cluster, rejectDelaySeconds };
  await admin.post(globalPath, { authPort });
  let node: Service | undefined;
  let devices = 0;
  const send: RadiusWorld['send'] = (packet) =>
    sendAccessRequest({ source: nasAddress, port: authPort, secret: nasSecret, ...packet });
  const made: RadiusWorld = {
    ...world,
    engine,
    radius,
    authPort,
    node: () => node!,
    async startNode() {
      node = await openNode({ database, jobs, node: 'node-1', radius, ...(parts && { parts }) }, world.logged);
    },
    runs: () =>
      until('the engine', async () => {
        const { body } = await admin.get<{ serviceStatus: string }>(statusPath);
        return body.results![0]!.serviceStatus === 'RUNNING';
      }),
    async device(address, more = {}) {
      return admin.create(
        { path: '/device/snmp' },
        {
          name: `nas-${++devices}`,
          ipAddress: address,
          containerID: 1,
          radiusEnabled: true,
          radiusSecret: nasSecret,
          ...more,
        },
      );
    },
    send,
    mab: (mac, { attributes, ...more } = {}) =>
      send({
        attributes: {
          'User-Name': mac.replaceAll(':', '').toLowerCase(),
          'User-Password': mac.replaceAll(':', '').toLowerCase(),
          'Service-Type': 'Call-Check',
          'Calling-Station-Id': mac.replaceAll(':', '-'),
          ...attributes,
        },
        ...more,
      }),
    async close() {
      await node?.close();
      await engine.stop();
      await world.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await made.startNode();
    await made.runs();
    await made.device(nasAddress);
    return made;
  } catch (error) {
    await made.close();
    throw error;
  }
}
