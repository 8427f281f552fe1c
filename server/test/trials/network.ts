import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CellNode } from '@portreeve/testbed/cell.ts';
import { cpuMsOf } from '@portreeve/testbed/cpu.ts';
import { type Switches, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import type { PollKind } from '../../src/device/polling/leases.ts';
import { outboundGuard } from '../../src/protocols/outbound/outbound.ts';
import { snmpClient } from '../../src/protocols/snmp/client.ts';
import type { ServedCell } from '../world/cell.ts';
import { idOf } from '../world/node-client.ts';
import { promised } from '../world/patience.ts';
import { freePort, type PlannedSwitch, planNetwork, Truth } from './network-plan.ts';
import { bulkWalk, forwardingTables, inParallel, type Tables, walkTables } from './snmp-walk.ts';

/** Addresses that the nodes of a trial may connect to. */
export const trialOutbound = { allow: ['127.0.0.0/8'], refuse: [] };

export interface NetworkTrialOptions {
  switches: number;
  ports: number;
  print(line: string): void;
}

/** A lease of a node on a device. */
interface Lease {
  id: number;
  node: string;
}

/** The cost of one round of polls, including everything else that the cell did meanwhile. */
interface Cost {
  seconds: number;
  nodesCpuSeconds: number;
  postgresCpuSeconds: number;
  switchesCpuSeconds: number;
  transactions: number;
}

const roundMsMax = 900_000;
const takeoverSecondsMax = 30;
const intervalSeconds = 600;
const bulkWalked = 10;
const faultsMax = 20;
/** The response time of a switch while a node is killed, so that the node dies during polls. */
const slowMs = 30;

/**
 * A network of simulated switches and a cell of real nodes: found, polled, changed, and polled on when a node is
 * killed.
 */
export class NetworkTrial {
  readonly faults: string[] = [];
  readonly #hosts = new Map<string, number>();
  readonly #cell: ServedCell;
  readonly #switches: Switches;
  readonly #plan: readonly PlannedSwitch[];
  readonly #truth: Truth;
  readonly #options: NetworkTrialOptions;
  readonly #ids = new Map<string, number>();

  private constructor(
    cell: ServedCell,
    switches: Switches,
    plan: readonly PlannedSwitch[],
    options: NetworkTrialOptions,
  ) {
    this.#cell = cell;
    this.#switches = switches;
    this.#plan = plan;
    this.#options = options;
    this.#truth = new Truth(plan, options.ports);
  }

  static async open(cell: ServedCell, options: NetworkTrialOptions): Promise<NetworkTrial> {
    const plan = planNetwork(options.switches, options.ports);
    const began = performance.now();
    const switches = await startSwitches(plan.map(({ spec }) => spec));
    const trial = new NetworkTrial(cell, switches, plan, options);
    const { hosts, learnedOnUplinks, arpEntries } = await trial.#truth.furnish(switches);
    const { rssBytes } = await switches.stats();
    options.print(
      `${plan.length} switches of ${options.ports} ports simulated in ${secondsSince(began)} s and ${Math.round(rssBytes / 2 ** 20)} MB: ` +
        `${hosts} hosts, ${learnedOnUplinks} addresses on uplinks, ${arpEntries} in ARP tables; every second switch by SNMPv3`,
    );
    return trial;
  }

  async close(): Promise<void> {
    await this.#switches.stop();
  }

  /** Runs all parts, in an order in which later ones use the results of earlier ones. */
  async run(): Promise<void> {
    await this.model();
    this.compare('L2 poll', await this.round('l2'), await this.bare(forwardingTables));
    await this.check('after an L2 poll of all');
    this.#printCost('contact poll', this.#plan.length, await this.round('contact'));
    const cores = this.#plan.filter(({ isCore }) => isCore);
    this.#printCost('L3 poll', cores.length, await this.round('l3', cores));
    await this.checkArp();
    await this.resync();
    await this.moveHosts();
    await this.rebootRenumbered();
    await this.killNode();
  }

  /** Creates the devices through the API, on both nodes in turn, and waits for the first polls. */
  async model(): Promise<void> {
    const clients = this.#cell.nodes.map((node) => this.#cell.client(node));
    const places = new Map<number, number>();
    for (const [index, { isCore }] of this.#plan.entries())
      if (isCore) places.set(index, idOf(await clients[0]!.post('/device/container', { name: `Building ${index}` })));
    const began = performance.now();
    const before = await this.#meter();
    let building = 0;
    const bodies = this.#plan.map((planned, index) => {
      building = places.get(index) ?? building;
      return { each: planned, at: index, body: this.#deviceBody(planned, building) };
    });
    await inParallel(bodies, 8, async ({ each: planned, at: index, body }) => {
      const reply = await clients[index % clients.length]!.post('/device/snmp', body);
      if (reply.code !== 201) throw new Error(`${planned.name} was not created: ${JSON.stringify(reply.body)}`);
      this.#ids.set(planned.name, idOf(reply));
    });
    this.#options.print(`devices created over the API in ${secondsSince(began)} s`);
    await this.#until('every device is identified, resynced and L2 polled', async () => {
      const { rows } = await this.#cell.sql.query<{ missing: number }>(
        `select count(*)::integer as missing from network_device d
         where d.status <> 1 or not exists (select from device_poll_result r where r.device_id = d.id and r.kind = 'l2' and r.succeeded_at is not null)`,
      );
      return rows[0]!.missing === 0;
    });
    this.#printCost('identify, resync and first L2 poll', this.#plan.length, await this.#meter(before));
    const { rows } = await this.#cell.sql.query<{ ports: number }>('select count(*)::integer as ports from port');
    const planned = this.#plan.reduce((sum, { spec }) => sum + spec.ports!, 0);
    this.#options.print(`${rows[0]!.ports} ports stored, ${planned} of them front ports of a switch`);
    if (rows[0]!.ports < planned) this.#fault(`${rows[0]!.ports} ports instead of at least ${planned}`);
  }

  #deviceBody({ name, address, isCore, credential }: PlannedSwitch, containerID: number): object {
    const how =
      credential.version === 'v3'
        ? {
            snmpProtocol: 'V3_AUTH_PRIV',
            snmpUsername: credential.user.userName,
            snmpAuthenticationProtocol: credential.user.auth!.protocol,
            snmpAuthenticationPassword: credential.user.auth!.password,
            snmpPrivacyProtocol: credential.user.priv!.protocol,
            snmpPrivacyPassword: credential.user.priv!.password,
          }
        : { snmpProtocol: 'V2C', snmpSecurityStrings: [credential.community] };
    return { name, ipAddress: address, containerID, snmpPort: this.#switches.port, l3PollingEnabled: isCore, ...how };
  }

  /** Makes a kind of poll due, and waits until all are done. */
  async round(kind: PollKind, planned: readonly PlannedSwitch[] = this.#plan): Promise<Cost> {
    const before = await this.#meter();
    const since = await this.#makeDue(kind, planned);
    await this.#until(`${kind} polls are done`, async () => (await this.#notPolled(kind, planned, since)) === 0);
    return this.#meter(before);
  }

  #idsOf(planned: readonly PlannedSwitch[]): number[] {
    return planned.map(({ name }) => this.#ids.get(name)!);
  }

  async #makeDue(kind: PollKind, planned: readonly PlannedSwitch[]): Promise<string> {
    const { rows } = await this.#cell.sql.query<{ now: string }>('select clock_timestamp()::text as now');
    await this.#cell.sql.query(`update device_poll set ${kind}_due = now() where device_id = any($1::bigint[])`, [
      this.#idsOf(planned),
    ]);
    return rows[0]!.now;
  }

  async #notPolled(kind: PollKind, planned: readonly PlannedSwitch[], since: string): Promise<number> {
    const { rows } = await this.#cell.sql.query<{ missing: number }>(
      `select count(*)::integer as missing from unnest($1::bigint[]) d(id)
       where not exists (select from device_poll_result r where r.device_id = d.id and r.kind = $2 and r.succeeded_at > $3::timestamptz)`,
      [this.#idsOf(planned), kind, since],
    );
    return rows[0]!.missing;
  }

  /** Reads the same tables with the SNMP client alone, and some with Net-SNMP. */
  async bare(tables: Tables): Promise<{ ours: number; netSnmpEach: number }> {
    const snmp = snmpClient({ outbound: outboundGuard(trialOutbound) });
    const target = ({ address, credential }: PlannedSwitch) => ({
      host: address,
      port: this.#switches.port,
      credential,
    });
    let began = performance.now();
    await inParallel(this.#plan, 32, async (planned) => void (await walkTables(snmp, target(planned), tables)));
    const ours = secondsSince(began);
    snmp.close();
    const some = this.#plan.slice(0, bulkWalked);
    began = performance.now();
    for (const planned of some) await bulkWalk(target(planned), tables);
    return { ours, netSnmpEach: secondsSince(began) / some.length };
  }

  compare(what: string, cost: Cost, bare: { ours: number; netSnmpEach: number }): void {
    const count = this.#plan.length;
    this.#printCost(what, count, cost);
    this.#options.print(
      `  the same tables walked and not stored: ${bare.ours.toFixed(2)} s by our client, 32 at once (${(bare.ours / cost.seconds).toFixed(2)} of a poll); ` +
        `snmpbulkwalk takes ${(bare.netSnmpEach * 1_000).toFixed(0)} ms per switch, one after the other (${(bare.netSnmpEach * count).toFixed(1)} s for all)`,
    );
    const share = (100 * cost.seconds) / intervalSeconds;
    this.#options.print(
      `  a round takes ${share.toFixed(1)} % of the interval of ${intervalSeconds} s: ${share < 100 ? 'the network is polled in time' : 'TOO SLOW'}`,
    );
    if (share >= 100) this.#fault(`an L2 round took ${cost.seconds.toFixed(0)} s`);
  }

  #printCost(what: string, polls: number, cost: Cost): void {
    const { seconds, nodesCpuSeconds, postgresCpuSeconds, switchesCpuSeconds, transactions } = cost;
    this.#options.print(
      `${what}: ${polls} devices in ${seconds.toFixed(2)} s, ${(polls / seconds).toFixed(1)} a second; CPU of nodes ${nodesCpuSeconds.toFixed(2)} s, ` +
        `of PostgreSQL ${postgresCpuSeconds.toFixed(2)} s, of the switches ${switchesCpuSeconds.toFixed(2)} s; ${(transactions / polls).toFixed(1)} writing transactions a poll`,
    );
  }

  /** Every host of the simulators must have one connection, on its port, and none on an uplink. */
  async check(when: string): Promise<void> {
    const { rows } = await this.#cell.sql.query<{ mac: string; device: string; port: string; isUplink: boolean }>(
      `select a.mac, d.name as device, p.name as port, exists (select from port_uplink u where u.port_id = p.id) as "isUplink"
       from connection_active a join port p on p.id = a.port_id join network_device d on d.id = p.device_id`,
    );
    const connections = new Map(rows.map((row) => [row.mac, row]));
    const before = this.faults.length;
    for (const [mac, place] of this.#truth.places) {
      const connection = connections.get(mac);
      if (!connection) this.#fault(`${when}: ${mac} is on ${place.device} ${place.port}, and not stored`);
      else if (connection.device !== place.device || connection.port !== place.port)
        this.#fault(
          `${when}: ${mac} is on ${place.device} ${place.port}, not on ${connection.device} ${connection.port}`,
        );
    }
    for (const { mac, device, port, isUplink } of rows)
      if (isUplink || !this.#truth.places.has(mac)) this.#fault(`${when}: ${mac} is stored on ${device} ${port}`);
    await this.#checkHosts(when);
    this.#options.print(
      `  ${when}: ${rows.length} connections for ${this.#truth.places.size} hosts, ${this.faults.length - before} wrong`,
    );
  }

  /** Every address must be one rogue host, and stay the same host when it moves. */
  async #checkHosts(when: string): Promise<void> {
    const { rows } = await this.#cell.sql.query<{ mac: string; id: number; type: number }>(
      'select a.physical_address as mac, h.id, h.type from adapter a join host h on h.id = a.host_id',
    );
    if (rows.length !== this.#truth.places.size)
      this.#fault(`${when}: ${rows.length} hosts were created from ${this.#truth.places.size} addresses`);
    for (const { mac, id, type } of rows) {
      const before = this.#hosts.get(mac) ?? id;
      this.#hosts.set(mac, id);
      if (!this.#truth.places.has(mac) || type !== 1 || before !== id)
        this.#fault(`${when}: host ${id} of ${mac} has type ${type}, and was host ${before}`);
    }
  }

  async checkArp(): Promise<void> {
    const { rows } = await this.#cell.sql.query<{ mac: string }>('select distinct m.mac from ip_mac m');
    const macsWithAddress = new Set(rows.map(({ mac }) => mac));
    const missing = [...this.#truth.places.keys()].filter((mac) => !macsWithAddress.has(mac));
    this.#options.print(`  ${macsWithAddress.size} addresses have an IP address, ${missing.length} are missing`);
    for (const mac of missing) this.#fault(`${mac} has no IP address`);
  }

  /** Runs the resync operation, as an administrator does. */
  async resync(): Promise<void> {
    const client = this.#cell.client(this.#cell.nodes[1]!);
    const before = await this.#meter();
    const reply = await client.post('/device/resync-interfaces', { id: this.#idsOf(this.#plan) });
    const task = String(reply.headers.location).replace('/api/v2', '');
    let state: Record<string, unknown> = {};
    await this.#until('the task is done', async () => {
      state = (await client.get(task)).body.results![0] as Record<string, unknown>;
      return state.state !== 'QUEUED' && state.state !== 'RUNNING';
    });
    this.#printCost('resync of all by one task', this.#plan.length, await this.#meter(before));
    const report = state.report as { outcome: string; detail: string }[];
    const failed = report.filter(({ outcome }) => outcome !== 'DONE');
    if (state.state !== 'COMPLETED' || report.length !== this.#plan.length || failed.length > 0)
      this.#fault(`the resync ended ${state.state}: ${JSON.stringify(failed.slice(0, 3))}`);
  }

  /** Moves hosts to another floor; the next poll must find them there. */
  async moveHosts(): Promise<void> {
    const { ports } = this.#options;
    const access = this.#plan.filter(({ isCore }) => !isCore);
    const moved = access.filter((_, index) => index % 5 === 0);
    for (const [index, source] of moved.entries()) {
      const target = moved[(index + 1) % moved.length]!;
      const mac = this.#truth.macOf(source, 1);
      await this.#switches.move(
        mac.toLowerCase(),
        { address: source.address, port: 1 },
        { address: target.address, port: freePort(ports) },
      );
      this.#truth.put(mac, target, freePort(ports));
    }
    const { seconds } = await this.round('l2');
    this.#options.print(
      `${moved.length} hosts moved to other switches, found by the next poll, ${seconds.toFixed(2)} s`,
    );
    await this.check('after the moves');
  }

  /** Restarts switches with other interface numbers; the stored ports must stay. */
  async rebootRenumbered(): Promise<void> {
    const restarted = this.#plan.filter((_, index) => index % 10 === 4);
    const portsSql = `select p.id, d.name || ' ' || p.name as name, p.ifindex from port p join network_device d on d.id = p.device_id where d.id = any($1::bigint[])`;
    const portsOf = async () =>
      (await this.#cell.sql.query<{ id: number; name: string; ifindex: string }>(portsSql, [this.#idsOf(restarted)]))
        .rows;
    const before = await portsOf();
    for (const { address } of restarted) await this.#switches.reboot(address, true);
    const { rows } = await this.#cell.sql.query<{ now: string }>('select clock_timestamp()::text as now');
    await this.round('contact', restarted);
    await this.#until(
      'restarted switches are polled again',
      async () => (await this.#notPolled('l2', restarted, rows[0]!.now)) === 0,
    );
    const after = new Map((await portsOf()).map((port) => [port.name, port]));
    const lost = before.filter(({ name, id }) => after.get(name)?.id !== id);
    const renumbered = before.filter(({ name, ifindex }) => after.get(name)?.ifindex !== ifindex);
    for (const { name } of lost) this.#fault(`${name} is another port after the restart`);
    this.#options.print(
      `${restarted.length} switches restarted: ${renumbered.length} of ${before.length} interfaces have another number, ${lost.length} ports were lost`,
    );
    if (renumbered.length === 0 || after.size !== before.length)
      this.#fault('the restart did not only change interface numbers');
    await this.check('after the restarts');
  }

  /** Kills one node in the middle of a round; the other must poll the remaining devices in time, each once. */
  async killNode(): Promise<void> {
    for (const { address } of this.#plan) await this.#switches.disturb(address, { delayMs: slowMs });
    const since = await this.#makeDue('l2', this.#plan);
    await this.#until('a node works', async () => (await this.#leases()).length > 0, 5);
    await sleep(slowMs);
    const leases = await this.#leases();
    const victim = this.#cell.nodes.find((node) => isHeldBy(leases[0]!, node))!;
    const victimLeases = leases.filter((lease) => isHeldBy(lease, victim));
    await this.#cell.kill9(victim);
    const killedMs = Date.now();
    await this.#until(
      'the other node polled the rest',
      async () => (await this.#notPolled('l2', this.#plan, since)) === 0,
    );
    const { rows } = await this.#cell.sql.query<{ id: string; at: string }>(
      `select r.device_id as id, r.at::text as at from device_poll_result r where r.kind = 'l2'`,
    );
    const polledAt = new Map(rows.map(({ id, at }) => [Number(id), Date.parse(at)]));
    const slowest = Math.max(...victimLeases.map(({ id }) => polledAt.get(id)! - killedMs)) / 1_000;
    await this.#until('the last poll has ended', async () => (await this.#leases()).length === 0);
    this.#options.print(
      `kill -9 of a node that was polling ${victimLeases.length} of ${this.#plan.length} due devices: the other node had polled the last of them ${slowest.toFixed(1)} s later`,
    );
    if (slowest > promised(takeoverSecondsMax)) this.#fault(`the other node took ${slowest.toFixed(1)} s`);
    await this.check('after the death of a node');
    await this.#checkTwice();
    for (const { address } of this.#plan) await this.#switches.disturb(address, {});
    await this.#cell.startNode(victim);
  }

  async #leases(): Promise<Lease[]> {
    const { rows } = await this.#cell.sql.query<{ id: string; node: string }>(
      'select p.device_id as id, p.node from device_poll p where p.lease_until > now()',
    );
    return rows.map(({ id, node }) => ({ id: Number(id), node }));
  }

  /** Every event about a device or a port must be stored once. */
  async #checkTwice(): Promise<void> {
    const { rows } = await this.#cell.sql.query<{ name: string; element: string; count: number }>(
      `select e.name, e.element_name as element, count(*)::integer as count from event e
       where e.name in ('DEVICE_CREATED', 'CONTACT_ESTABLISHED', 'CONTACT_LOST') group by 1, 2
       having count(*) > 1 order by 3 desc limit ${faultsMax}`,
    );
    for (const { name, element, count } of rows) this.#fault(`${name} of ${element} was reported ${count} times`);
    this.#options.print(`  ${rows.length} events were reported twice`);
  }

  #fault(text: string): void {
    this.faults.push(text);
  }

  async #until(what: string, isDone: () => Promise<boolean>, everyMs = 100): Promise<void> {
    const end = performance.now() + roundMsMax;
    while (!(await isDone())) {
      if (performance.now() > end) throw new Error(`not within ${roundMsMax / 1_000} s: ${what}`);
      await sleep(everyMs);
    }
  }

  /** Returns the cost since `before`, or in total. */
  async #meter(before?: Cost): Promise<Cost> {
    const { cpuMs } = await this.#switches.stats();
    const { rows } = await this.#cell.sql.query<{ count: number }>(
      // Counts writing transactions: reading ones have no number, and their statistics are delayed.
      'select pg_current_xact_id()::text::bigint::integer as count',
    );
    const pids = this.#cell.nodes.flatMap((node) => node.pid() ?? []);
    const cost: Cost = {
      seconds: performance.now() / 1_000,
      nodesCpuSeconds: pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0) / 1_000,
      postgresCpuSeconds: cpuMsOf(this.#cell.postgresPid()!) / 1_000,
      switchesCpuSeconds: cpuMs / 1_000,
      transactions: rows[0]!.count,
    };
    if (!before) return cost;
    const names = Object.keys(cost) as (keyof Cost)[];
    return Object.fromEntries(names.map((name) => [name, cost[name] - before[name]])) as unknown as Cost;
  }
}

/**
 * The name of a lease holder contains its process id. The cell starts each node through a watcher, so the process is
 * the watcher's child.
 */
function isHeldBy({ node: holder }: Lease, node: CellNode): boolean {
  const watcher = node.pid();
  if (watcher === undefined) return false;
  return readFileSync(`/proc/${watcher}/task/${watcher}/children`, 'utf8').trim() === holder.split(':')[1];
}

const secondsSince = (ms: number): number => Math.round((performance.now() - ms) / 10) / 100;
