import { randomUUID } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@portreeve/testbed/postgres.ts';
import { signalAll } from '@portreeve/testbed/standby.ts';
import { freeUdpPorts } from '@portreeve/testbed/udp-ports.ts';
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
import { radiusGlobal } from '../../src/radius/radius-global/radius-global.ts';
import { openCell, type ServedCell } from '../world/cell.ts';
import { until } from '../world/patience.ts';
import { postmasterOf } from './fault-cells.ts';

const secret = 'secret-of-the-outage';
const nas = '127.0.7.9';
const hosts = ['127.0.7.1', '127.0.7.2'];
const ports = 20;
const macs = 1_000;
const firstVlan = 100;
/** When a switch asks its other server, and when it gives up. */
const nextServerMs = 1_000;
const giveUpMs = 2_500;
const recoverMsMax = 30_000;

/** What became of the logins around one fault. */
export interface OutageRow {
  fault: string;
  /** Answered by the server that was asked first. */
  right: number;
  /** Answered by the other one, a second later. */
  second: number;
  silent: number;
  wrong: number;
  rejected: number;
  /** From the end of the fault until logins were answered again for good. */
  recoverSeconds: number;
}

type Outcome = 'right' | 'second' | 'silent' | 'wrong' | 'rejected';

const macOf = (n: number): string => `001d0a${n.toString(16).padStart(6, '0')}`;
const portOf = (n: number): number => n % ports;
const tunnelPrivateGroupId = 81;
const attribute = { serviceType: 6, calledStationId: 30, callingStationId: 31 };
const callCheck = Buffer.from([0, 0, 0, 10]);

/** Everybody who asks is a rogue, and gets the VLAN of the wireless network. */
async function fill(tx: WriteTx): Promise<void> {
  const { client, records } = tx;
  const { id: deviceID } = await records.create(networkDevice, {
    name: 'outage',
    ipAddress: nas,
    containerID: 1,
    radiusEnabled: true,
    radiusSecret: secret,
  });
  await observePorts(
    client,
    // Networks on the air: nobody polls this device, and it would lose its ports.
    Array.from({ length: ports }, (_, n) => ({ deviceID, name: `net${n}`, portType: 1, status: 1 })),
  );
  await observeSsids(
    tx,
    { id: deviceID, name: 'outage' },
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
  expected: string;
  isSecond: boolean;
  done(outcome: Outcome): void;
}

/** A switch that asks two servers for many logins a second. */
class Switch {
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

  logIn(n: number): Promise<Outcome> {
    const entry = this.#sockets[this.#turn++ % this.#sockets.length]!;
    const identifier = entry.next++ % 256;
    const mac = macOf(n);
    const request = accessRequest({
      identifier,
      secret,
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
      const waiting: Waiting = { request, expected: String(firstVlan + portOf(n)), isSecond: false, done };
      const timers = [
        setTimeout(() => {
          waiting.isSecond = true;
          send(hosts[1]!);
        }, nextServerMs),
        setTimeout(() => waiting.done('silent'), giveUpMs),
      ];
      waiting.done = (outcome) => {
        for (const timer of timers) clearTimeout(timer);
        if (entry.waiting.get(identifier) === waiting) entry.waiting.delete(identifier);
        done(outcome);
      };
      entry.waiting.set(identifier, waiting);
      send(hosts[0]!);
    });
  }
}

function take(bytes: Buffer, waiting: Map<number, Waiting>): void {
  const packet = decode(bytes);
  const asked = waiting.get(packet.identifier);
  if (asked && authenticityOf(packet, asked.request, secret) === 'signed') asked.done(outcomeOf(packet, asked));
}

function outcomeOf({ code, attributes }: Packet, { expected, isSecond }: Waiting): Outcome {
  if (code !== packetCode.accessAccept) return 'rejected';
  const vlan = attributes.find(({ type }) => type === tunnelPrivateGroupId)?.value.toString('latin1');
  // A tag of 0 may stand first.
  if (vlan?.replace(/^\0/, '') !== expected) return 'wrong';
  return isSecond ? 'second' : 'right';
}

interface Fault {
  name: string;
  begin(cell: ServedCell, engines: readonly EngineProcess[]): Promise<void>;
  end(cell: ServedCell): Promise<void>;
}

const nothing = async () => undefined;

export const outages: readonly Fault[] = [
  { name: 'none', begin: nothing, end: nothing },
  {
    name: 'a node killed',
    begin: (cell) => cell.kill9(cell.nodes[0]!),
    end: (cell) => cell.startNode(cell.nodes[0]!),
  },
  {
    name: 'both nodes killed',
    begin: async (cell) => void (await Promise.all(cell.nodes.map((node) => cell.kill9(node)))),
    end: async (cell) => void (await Promise.all(cell.nodes.map((node) => cell.startNode(node)))),
  },
  { name: 'an engine killed', begin: (_, [engine]) => engine!.stop(), end: nothing },
  { name: 'PostgreSQL killed', begin: (cell) => cell.killPostgres(), end: (cell) => cell.restartPostgres() },
  {
    name: 'PostgreSQL frozen',
    begin: async (cell) => signalAll(await postmasterOf(cell), 'SIGSTOP'),
    end: async (cell) => signalAll(await postmasterOf(cell), 'SIGCONT'),
  },
  {
    name: 'a roll-out',
    async begin(cell) {
      const { code } = await cell
        .client(cell.nodes[1]!)
        .post(radiusGlobal.path!, { nasCacheSeconds: 600 + Math.floor(Math.random() * 1_000) });
      if (code !== 200) throw new Error(`the settings answered ${code}`);
    },
    end: nothing,
  },
];

/** Faults under logins: for each, what the access device saw. A reject or a wrong VLAN is a fault of ours. */
export async function causeOutages(options: {
  perSecond: number;
  seconds: number;
  /** One fault alone, by its name. */
  only?: string | undefined;
  report?(row: OutageRow): void;
}): Promise<{ rows: OutageRow[]; faults: string[] }> {
  const { only } = options;
  const [authPort] = await freeUdpPorts('127.0.0.1', 1);
  const folders = hosts.map(() => join(tmpdir(), `portreeve-radius-${randomUUID()}`));
  const engines = folders.map((folder) => new EngineProcess(folder));
  const places = await Promise.all(
    hosts.map(async (host, n) => ({
      PORTREEVE_NODE: `node-${n + 1}`,
      PORTREEVE_RADIUS_HOST: host,
      PORTREEVE_RADIUS_FOLDER: folders[n]!,
      PORTREEVE_RADIUS_STATUS_PORT: String((await freeUdpPorts('127.0.0.1', 1))[0]!),
      PORTREEVE_DECISION_PORT: String(await freePort()),
    })),
  );
  const placeOf = new Map<number, (typeof places)[number]>();
  const cell = await openCell({
    nodes: 2,
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
  const found: string[] = [];
  const rows: OutageRow[] = [];
  const asking = new Switch(authPort!);
  try {
    await asking.open();
    await until('the first answers', async () => (await asking.logIn(1)) === 'right');
    // So that every host is known before the first fault.
    await load(asking, options.perSecond / 5, 5 * (macs / options.perSecond) * 1_000, { stop: false });
    for (const fault of outages.filter(({ name }) => only === undefined || only === name)) {
      const row = await causeOne(cell, engines, asking, fault, options);
      rows.push(row);
      options.report?.(row);
      if (row.wrong + row.rejected > 0) found.push(`${fault.name}: ${row.wrong} wrong, ${row.rejected} rejected`);
      if (row.recoverSeconds * 1_000 > recoverMsMax) found.push(`${fault.name}: ${row.recoverSeconds} s to recover`);
    }
  } finally {
    asking.close();
    await cell.close();
    for (const engine of engines) await engine.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
  return { rows, faults: found };
}

interface Seen {
  atMs: number;
  outcome: Outcome;
}

/** Logins at a steady rate until the time is over, or somebody says stop. */
async function load(asking: Switch, perSecond: number, ms: number, until: { stop: boolean }): Promise<Seen[]> {
  const seen: Seen[] = [];
  const under = new Set<Promise<void>>();
  const begun = performance.now();
  for (let sent = 0; performance.now() - begun < ms && !until.stop; ) {
    const due = Math.floor(((performance.now() - begun) * perSecond) / 1_000);
    for (; sent < due; sent++) {
      const atMs = performance.now();
      const login = asking.logIn(sent % macs).then((outcome) => void seen.push({ atMs, outcome }));
      under.add(login);
      void login.finally(() => under.delete(login));
    }
    await sleep(2);
  }
  await Promise.all(under);
  return seen;
}

async function causeOne(
  cell: ServedCell,
  engines: readonly EngineProcess[],
  asking: Switch,
  fault: Fault,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<OutageRow> {
  const control = { stop: false };
  const loading = load(asking, perSecond, 600_000, control);
  let ended: number;
  try {
    await sleep(1_000);
    await fault.begin(cell, engines);
    await sleep(seconds * 1_000);
    await fault.end(cell);
    ended = performance.now();
    // Until the first server answers again, and a little longer.
    for (let rights = 0; rights < 20 && performance.now() - ended < recoverMsMax; )
      rights = (await asking.logIn(rights)) === 'right' ? rights + 1 : 0;
    await sleep(1_000);
  } finally {
    control.stop = true;
    await loading;
  }
  const seen = await loading;
  const count = (outcome: Outcome) => seen.filter((each) => each.outcome === outcome).length;
  const lastFailed = Math.max(ended, ...seen.filter(({ outcome }) => outcome !== 'right').map(({ atMs }) => atMs));
  return {
    fault: fault.name,
    right: count('right'),
    second: count('second'),
    silent: count('silent'),
    wrong: count('wrong'),
    rejected: count('rejected'),
    recoverSeconds: Math.round((lastFailed - ended) / 100) / 10,
  };
}
