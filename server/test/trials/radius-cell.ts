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
/** When a switch sends to its second server, and when it gives up. */
const nextServerMs = 1_000;
const giveUpMs = 2_500;

export type Outcome = 'right' | 'second' | 'silent' | 'wrong' | 'rejected';

const macOf = (n: number): string => `001d0a${n.toString(16).padStart(6, '0')}`;
const portOf = (n: number): number => n % ports;
const tunnelPrivateGroupId = 81;
const attribute = { serviceType: 6, calledStationId: 30, callingStationId: 31 };
const callCheck = Buffer.from([0, 0, 0, 10]);

/** Fills the database: every host that logs in is a rogue, and gets the VLAN of the wireless network. */
async function fill(tx: WriteTx): Promise<void> {
  const { client, records } = tx;
  const { id: deviceID } = await records.create(networkDevice, {
    name: 'trial',
    ipAddress: nas,
    containerID: 1,
    radiusEnabled: true,
    radiusSecret: secret,
  });
  // As POST /device/snmp creates a device without SNMP.
  await client.query(`update network_device set protocol = 'RADIUS', driver = 'radius-only' where id = $1`, [deviceID]);
  await observePorts(
    client,
    // SSIDs: the device has no SNMP, and other ports would be removed.
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

/** A switch that sends many logins a second to two servers. */
export class Switch {
  /** The secret that signs its packets; may be changed. */
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
      // A missing engine causes an ICMP error.
      socket.on('error', () => undefined);
      socket.on('message', (bytes) => take(bytes, entry.waiting));
      this.#sockets.push(entry);
    }
  }

  close(): void {
    for (const { socket } of this.#sockets) socket.close();
  }

  /** Sends to the first server, and to the second one if there is no reply in time. */
  logIn(n: number): Promise<Outcome> {
    return this.#ask(n, giveUpMs, (send, waiting) => {
      send(hosts[0]!);
      return setTimeout(() => {
        waiting.isSecond = true;
        send(hosts[1]!);
      }, nextServerMs);
    });
  }

  /** Sends to one server, once. */
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
      const secondTimer = begin(send, waiting);
      waiting.done = (outcome) => {
        clearTimeout(timer);
        clearTimeout(secondTimer);
        if (entry.waiting.get(identifier) === waiting) entry.waiting.delete(identifier);
        done(outcome);
      };
    });
  }
}

function take(bytes: Buffer, waiting: Map<number, Waiting>): void {
  const packet = decode(bytes);
  const pending = waiting.get(packet.identifier);
  if (pending && authenticityOf(packet, pending.request, pending.secret) === 'signed')
    pending.done(outcomeOf(packet, pending));
}

function outcomeOf({ code, attributes }: Packet, { expected, isSecond }: Waiting): Outcome {
  if (code !== packetCode.accessAccept) return 'rejected';
  const vlan = attributes.find(({ type }) => type === tunnelPrivateGroupId)?.value.toString('latin1');
  // A tag of 0 may come first.
  if (vlan?.replace(/^\0/, '') !== expected) return 'wrong';
  return isSecond ? 'second' : 'right';
}

/** A cell whose nodes run RADIUS engines, each at an address of `hosts`. */
export interface RadiusCell {
  cell: ServedCell;
  engines: readonly EngineProcess[];
  /** The folder with the files of each engine. */
  folders: readonly string[];
  authPort: number;
  /** The ports at which the nodes receive the requests of their engines. */
  decisionPorts: readonly number[];
  close(): Promise<void>;
}

export async function openRadiusCell(nodes: number): Promise<RadiusCell> {
  const [authPort, acctPort] = (await freeUdpPorts('127.0.0.1', 2)) as [number, number];
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
      await tx.client.query('update radius_global set auth_port = $1, acct_port = $2', [authPort, acctPort]);
    },
  });
  const close = async () => {
    await cell.close();
    for (const engine of engines) await engine.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  };
  return { cell, engines, folders, authPort, decisionPorts, close };
}
