import { randomUUID } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, freeUdpPorts } from '@portreeve/testbed/free-ports.ts';
import { networkDevice } from '../../src/device/network-device/network-device.ts';
import { observePorts } from '../../src/device/port/port.service.ts';
import { observeSsids } from '../../src/device/ssid/ssid.service.ts';
import { elementCodes } from '../../src/kernel/declare/element-type.ts';
import type { WriteTx } from '../../src/kernel/write/runtime.ts';
import { logicalNetworkConfiguration } from '../../src/policy/logical-network-configuration/logical-network-configuration.ts';
import {
  accessRequest,
  authenticityOf,
  decode,
  type Packet,
  packetCode,
  type Request,
} from '../../src/protocols/radius/packet.ts';
import { EngineProcess } from '../../src/protocols/radius-engine/engine-process.ts';
import { openCell, type ServedCell } from '../world/cell.ts';

export const secret = 'secret-of-the-trial';
export const nas = '127.0.7.9';
export const hosts = ['127.0.7.1', '127.0.7.2'];
const ports = 20;
/** Hosts that log in. */
export const macs = 1_000;
const firstVlan = 100;
/** When a switch asks its other server, and when it gives up. */
const nextServerMs = 1_000;
const giveUpMs = 2_500;

export type Outcome = 'right' | 'second' | 'silent' | 'wrong' | 'rejected';

const macOf = (n: number): string => `001d0a${n.toString(16).padStart(6, '0')}`;
const portOf = (n: number): number => n % ports;
const tunnelPrivateGroupId = 81;
const attribute = { serviceType: 6, calledStationId: 30, callingStationId: 31 };
const callCheck = Buffer.from([0, 0, 0, 10]);

/** Everybody who asks is a rogue, and gets the VLAN of the wireless network. */
async function fill(tx: WriteTx): Promise<void> {
  const { client, records } = tx;
  const { id: deviceID } = await records.create(networkDevice, {
    name: 'trial',
    ipAddress: nas,
    containerID: 1,
    radiusEnabled: true,
    radiusSecret: secret,
  });
  // As POST /device/snmp makes it of what has no SNMP.
  await client.query(`update network_device set protocol = 'RADIUS', driver = 'radius-only' where id = $1`, [deviceID]);
  await observePorts(
    client,
    // Networks on the air: nobody polls this device, and it would lose its ports.
    Array.from({ length: ports }, (_, n) => ({ deviceID, name: `net${n}`, portType: 1, status: 1 })),
  );
  await observeSsids(
    tx,
    { id: deviceID, name: 'trial' },
    Array.from({ length: ports }, (_, n) => ({ name: `net${n}`, bssid: null, security: 'UNKNOWN' as const })),
  );
  const { rows } = await client.query<{ id: number; name: string }>('select id, name from port');
  await client.query(
    `insert into group_member (group_id, element_type, member_id)
     select g.id, ${elementCodes.PORT}, p.id from "group" g, port p where g.tag = 'enforce-registration'`,
  );
  const network = await client.query<{ id: number }>(
    `select id from logical_network where access_state = 'REGISTRATION'`,
  );
  for (const { id, name } of rows)
    await records.create(logicalNetworkConfiguration, {
      logicalNetworkID: network.rows[0]!.id,
      elementType: 'SSID',
      elementID: id,
      accessType: 'VLAN_ID',
      accessValue: String(firstVlan + Number(name.slice(3))),
    });
}

interface Waiting {
  request: Request;
  secret: string;
  expected: string;
  isSecond: boolean;
  done(outcome: Outcome): void;
}

/** A switch that asks two servers for many logins a second. */
export class Switch {
  /** That it signs with; may be changed. */
  secret = secret;
  readonly #sockets: { socket: Socket; waiting: Map<number, Waiting>; next: number }[] = [];
  readonly #authPort: number;
  #turn = 0;

  constructor(authPort: number) {
    this.#authPort = authPort;
  }

  async open(): Promise<void> {
    for (let n = 0; n < 32; n++) {
      const socket = createSocket('udp4').bind(0, nas);
      await once(socket, 'listening');
      const entry = { socket, waiting: new Map<number, Waiting>(), next: 0 };
      // An engine that is not there says so by ICMP.
      socket.on('error', () => undefined);
      socket.on('message', (bytes) => take(bytes, entry.waiting));
      this.#sockets.push(entry);
    }
  }

  close(): void {
    for (const { socket } of this.#sockets) socket.close();
  }

  /** Asks the first server, and the second one when that does not answer in time. */
  logIn(n: number): Promise<Outcome> {
    return this.#ask(n, giveUpMs, (send, waiting) => {
      send(hosts[0]!);
      return setTimeout(() => {
        waiting.isSecond = true;
        send(hosts[1]!);
      }, nextServerMs);
    });
  }

  /** Asks one server, once. */
  askOnce(host: string, n: number, waitMs: number): Promise<Outcome> {
    return this.#ask(n, waitMs, (send) => {
      send(host);
      return undefined;
    });
  }

  #ask(
    n: number,
    waitMs: number,
    begin: (send: (host: string) => void, waiting: Waiting) => NodeJS.Timeout | undefined,
  ): Promise<Outcome> {
    const entry = this.#sockets[this.#turn++ % this.#sockets.length]!;
    const identifier = entry.next++ % 256;
    const mac = macOf(n);
    const used = this.secret;
    const request = accessRequest({
      identifier,
      secret: used,
      userName: mac,
      password: mac,
      attributes: [
        [attribute.serviceType, callCheck],
        [attribute.callingStationId, Buffer.from(mac)],
        [attribute.calledStationId, Buffer.from(`00-11-22-33-44-55:net${portOf(n)}`)],
      ],
    });
    return new Promise((done) => {
      const send = (host: string) => entry.socket.send(request.bytes, this.#authPort, host, () => undefined);
      const expected = String(firstVlan + portOf(n));
      const waiting: Waiting = { request, secret: used, expected, isSecond: false, done };
      const timer = setTimeout(() => waiting.done('silent'), waitMs);
      entry.waiting.set(identifier, waiting);
      const other = begin(send, waiting);
      waiting.done = (outcome) => {
        clearTimeout(timer);
        clearTimeout(other);
        if (entry.waiting.get(identifier) === waiting) entry.waiting.delete(identifier);
        done(outcome);
      };
    });
  }
}

function take(bytes: Buffer, waiting: Map<number, Waiting>): void {
  const packet = decode(bytes);
  const asked = waiting.get(packet.identifier);
  if (asked && authenticityOf(packet, asked.request, asked.secret) === 'signed') asked.done(outcomeOf(packet, asked));
}

function outcomeOf({ code, attributes }: Packet, { expected, isSecond }: Waiting): Outcome {
  if (code !== packetCode.accessAccept) return 'rejected';
  const vlan = attributes.find(({ type }) => type === tunnelPrivateGroupId)?.value.toString('latin1');
  // A tag of 0 may stand first.
  if (vlan?.replace(/^\0/, '') !== expected) return 'wrong';
  return isSecond ? 'second' : 'right';
}

/** A cell whose nodes run RADIUS engines, each at an address of `hosts`. */
export interface RadiusCell {
  cell: ServedCell;
  engines: readonly EngineProcess[];
  /** Where each engine has its files. */
  folders: readonly string[];
  authPort: number;
  /** Where the engine of a node asks it. */
  decisionPorts: readonly number[];
  close(): Promise<void>;
}

export async function openRadiusCell(nodes: number): Promise<RadiusCell> {
  const [authPort] = (await freeUdpPorts('127.0.0.1', 1)) as [number];
  const used = hosts.slice(0, nodes);
  const folders = used.map(() => join(tmpdir(), `portreeve-radius-${randomUUID()}`));
  const engines = folders.map((folder) => new EngineProcess(folder));
  const decisionPorts = await Promise.all(used.map(() => freePort()));
  const places = await Promise.all(
    used.map(async (host, n) => ({
      PORTREEVE_NODE: `node-${n + 1}`,
      PORTREEVE_RADIUS_HOST: host,
      PORTREEVE_RADIUS_FOLDER: folders[n]!,
      PORTREEVE_RADIUS_STATUS_PORT: String((await freeUdpPorts('127.0.0.1', 1))[0]!),
      PORTREEVE_DECISION_PORT: String(decisionPorts[n]),
      PORTREEVE_CLUSTER_ADDRESS: `${host}:${await freePort()}`,
    })),
  );
  const placeOf = new Map<number, (typeof places)[number]>();
  const cell = await openCell({
    nodes,
    environmentOf(port) {
      const place = placeOf.get(port) ?? places[placeOf.size]!;
      placeOf.set(port, place);
      return place;
    },
    async fill(tx) {
      await fill(tx);
      await tx.client.query('update radius_global set auth_port = $1', [authPort]);
    },
  });
  const close = async () => {
    await cell.close();
    for (const engine of engines) await engine.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  };
  return { cell, engines, folders, authPort, decisionPorts, close };
}
