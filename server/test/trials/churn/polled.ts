import { setTimeout as sleep } from 'node:timers/promises';
import { type Switches, type SwitchSpec, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import type { PollKind } from '../../../src/device/polling/leases.ts';
import type { ServedCell } from '../../world/cell.ts';
import { idOf } from '../../world/node-client.ts';
import { inParallel } from '../snmp-walk.ts';
import { type Campus, firstAddress, macOf } from './campus.ts';

const routers = 4;
const floors = 6;
const portsEach = 24;
/** The simulator connects a host to each of this many ports. */
const hostsEach = 20;
const roundMsMax = 180_000;
const newNetwork = 128;
const callsAtOnce = 8;

interface Polled extends SwitchSpec {
  id: number;
}

/** Simulated switches that the nodes poll: floors whose hosts move, and routers with ARP tables. */
export class PolledSwitches {
  readonly counts = { movedByPoll: 0, newAddresses: 0, addressesSeen: 0 };
  /** From due to stored. */
  readonly tookMs: number[] = [];
  readonly #cell: ServedCell;
  readonly #switches: Switches;
  readonly #devices: readonly Polled[];
  readonly #campus: Campus;
  readonly #random: () => number;
  /** By MAC address of a host: the floor and the number of its port. */
  readonly #places = new Map<string, { floor: Polled; number: number }>();
  readonly #addresses = new Map<string, { mac: string; routerId: number }>();
  #turn = 0;

  private constructor(
    cell: ServedCell,
    switches: Switches,
    devices: readonly Polled[],
    campus: Campus,
    random: () => number,
  ) {
    this.#cell = cell;
    this.#switches = switches;
    this.#devices = devices;
    this.#campus = campus;
    this.#random = random;
  }

  /** Creates the devices through the API, and waits until the nodes have found their hosts. */
  static async open(cell: ServedCell, campus: Campus, random: () => number): Promise<PolledSwitches> {
    const specs = Array.from({ length: routers + floors }, (_, index): SwitchSpec => {
      const isRouter = index < routers;
      const sysName = isRouter ? `router-${index + 1}` : `floor-${index + 1 - routers}`;
      return {
        address: `127.49.1.${index + 1}`,
        sysName,
        ports: portsEach,
        forwards: isRouter,
        hostOnEachPort: !isRouter,
      };
    });
    const switches = await startSwitches(specs);
    try {
      const devices: Polled[] = [];
      for (const spec of specs) devices.push({ ...spec, id: await model(cell, switches.port, spec) });
      const polled = new PolledSwitches(cell, switches, devices, campus, random);
      await polled.#settle();
      return polled;
    } catch (error) {
      await switches.stop();
      throw error;
    }
  }

  get #floors(): readonly Polled[] {
    return this.#devices.slice(routers);
  }

  async #settle(): Promise<void> {
    for (const floor of this.#floors)
      for (let number = 1; number <= hostsEach; number++)
        this.#places.set(await this.#switches.hostMac(floor.address, number), { floor, number });
    await this.#until('the hosts of the floors are found', async () => {
      const { rows } = await this.#cell.sql.query<{ found: number }>(
        'select count(*)::integer as found from connection_active a where a.device_id = any($1::bigint[])',
        [this.#floors.map(({ id }) => id)],
      );
      return rows[0]!.found === this.#places.size;
    });
    await this.#poll('l3', this.#devices.slice(0, routers));
  }

  /** Moves this many hosts to other floors, and polls the floors. */
  async moveHosts(count: number): Promise<void> {
    const macs = [...this.#places.keys()].toSorted(() => this.#random() - 0.5).slice(0, count);
    for (const mac of macs) {
      const source = this.#places.get(mac)!;
      const otherFloors = this.#floors.filter((floor) => floor !== source.floor);
      const floor = otherFloors[Math.floor(this.#random() * otherFloors.length)]!;
      const target = { floor, number: 1 + Math.floor(this.#random() * hostsEach) };
      await this.#switches.move(
        mac,
        { address: source.floor.address, port: source.number },
        { address: target.floor.address, port: target.number },
      );
      this.#places.set(mac, target);
      this.#campus.expect('ADAPTER_MOVED', mac.toUpperCase());
      this.#campus.expect('MAC_SPOOF_SUSPECTED', mac.toUpperCase());
      this.counts.movedByPoll++;
    }
    await this.#poll('l2', this.#floors);
  }

  /** Adds this many new addresses to the ARP table of a router, and half as many known ones, and polls it. */
  async readdress(count: number): Promise<void> {
    const router = this.#devices[this.#turn++ % routers]!;
    const some = () => Math.floor(this.#random() * this.#campus.adapters);
    const fresh = Array.from({ length: count }, () => this.#newAddress(some(), router));
    const knownAddresses = Array.from({ length: Math.ceil(count / 2) }, some).map((adapter) => ({
      adapter,
      ip: firstAddress(adapter),
    }));
    await inParallel([...fresh, ...knownAddresses], callsAtOnce, ({ adapter, ip }) =>
      this.#switches.setArp(router.address, ip, macOf(adapter).toLowerCase(), 1),
    );
    this.counts.newAddresses += fresh.length;
    this.counts.addressesSeen += knownAddresses.length;
    await this.#poll('l3', [router]);
    // ARP entries age out.
    await inParallel([...fresh, ...knownAddresses], callsAtOnce, ({ ip }) =>
      this.#switches.setArp(router.address, ip, null, 1),
    );
  }

  #newAddress(adapter: number, router: Polled): { adapter: number; ip: string } {
    const ip = firstAddress((newNetwork << 16) + this.#addresses.size);
    this.#addresses.set(ip, { mac: macOf(adapter), routerId: router.id });
    this.#campus.expect('ADAPTER_IP_CHANGED', macOf(adapter));
    return { adapter, ip };
  }

  async #poll(kind: PollKind, devices: readonly Polled[]): Promise<void> {
    const ids = devices.map(({ id }) => id);
    const { rows } = await this.#cell.sql.query<{ now: string }>('select clock_timestamp()::text as now');
    const sinceMs = performance.now();
    await this.#cell.sql.query(`update device_poll set ${kind}_due = now() where device_id = any($1::bigint[])`, [ids]);
    await this.#until(`a ${kind} poll is done`, async () => {
      const { rowCount } = await this.#cell.sql.query(
        `select from device_poll_result r where r.device_id = any($1::bigint[]) and r.kind = $2 and r.succeeded_at > $3::timestamptz`,
        [ids, kind, rows[0]!.now],
      );
      return rowCount === ids.length;
    });
    this.tookMs.push(performance.now() - sinceMs);
  }

  async #until(what: string, isDone: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + roundMsMax;
    for (; !(await isDone()); await sleep(50))
      if (performance.now() > end) throw new Error(`not within ${roundMsMax / 1_000} s: ${what}`);
  }

  /** Returns the name of the port of every host in the simulator. */
  async connections(): Promise<Map<string, string>> {
    const portNames = new Map<string, string>();
    for (const [mac, { floor, number }] of this.#places)
      portNames.set(mac.toUpperCase(), `${floor.sysName} ${(await this.#switches.portOf(floor.address, number)).name}`);
    return portNames;
  }

  addresses(): ReadonlyMap<string, { mac: string; routerId: number }> {
    return this.#addresses;
  }

  async cpuMs(): Promise<number> {
    return (await this.#switches.stats()).cpuMs;
  }

  stop(): Promise<void> {
    return this.#switches.stop();
  }
}

async function model(cell: ServedCell, snmpPort: number, { address, sysName, forwards }: SwitchSpec): Promise<number> {
  const reply = await cell.client(cell.nodes[0]!).post('/device/snmp', {
    name: sysName,
    ipAddress: address,
    containerID: 1,
    snmpPort,
    l3PollingEnabled: forwards,
    snmpProtocol: 'V2C',
    snmpSecurityStrings: ['public'],
  });
  if (reply.code !== 201) throw new Error(`${sysName} was not created: ${JSON.stringify(reply.body)}`);
  return idOf(reply);
}
