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

/** Everything that the nodes of a trial may ask. */
export const trialOutbound = { allow: ['127.0.0.0/8'], refuse: [] };

export interface NetworkTrialOptions {
  switches: number;
  ports: number;
  say(line: string): void;
}

/** A device that a node is at. */
interface Lease {
  id: number;
  node: string;
}

/** What one round of polls took: of the whole cell, whatever else it did meanwhile. */
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
/** How long a switch takes to answer while a node is killed, so that it dies in the middle of something. */
const slowMs = 30;

/** A network of simulated switches under a cell of real nodes: found, polled, changed, and polled on when a node dies. */
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
    options.say(
      `${plan.length} switches of ${options.ports} ports simulated in ${secondsSince(began)} s and ${Math.round(rssBytes / 2 ** 20)} MB: ` +
        `${hosts} hosts, ${learnedOnUplinks} addresses on uplinks, ${arpEntries} in ARP tables; every second one by SNMPv3`,
    );
    return trial;
  }

  async close(): Promise<void> {
    await this.#switches.stop();
  }

  /** All of it, in the order in which one thing needs the other. */
  async run(): Promise<void> {
    await this.model();
    this.compare('L2 poll', await this.round('l2'), await this.bare(forwardingTables));
    await this.check('after an L2 poll of all');
    this.#tell('contact poll', this.#plan.length, await this.round('contact'));
    const cores = this.#plan.filter(({ isCore }) => isCore);
    this.#tell('L3 poll', cores.length, await this.round('l3', cores));
    await this.checkArp();
    await this.resync();
    await this.moveHosts();
    await this.rebootRenumbered();
    await this.killNode();
  }

  /** Over the API, to both nodes in turn; then the nodes find out the rest by themselves. */
  async model(): Promise<void> {
    const clients = this.#cell.nodes.map((node) => this.#cell.client(node));
    const places = new Map<number, number>();
    for (const [at, { isCore }] of this.#plan.entries())
      if (isCore) places.set(at, idOf(await clients[0]!.post('/device/container', { name: `Building ${at}` })));
    const began = performance.now();
    const before = await this.#meter();
    let building = 0;
    const bodies = this.#plan.map((each, at) => {
      building = places.get(at) ?? building;
      return { each, at, body: this.#deviceBody(each, building) };
    });
    await inParallel(bodies, 8, async ({ each, at, body }) => {
      const reply = await clients[at % clients.length]!.post('/device/snmp', body);
      if (reply.code !== 201) throw new Error(`${each.name} was not modelled: ${JSON.stringify(reply.body)}`);
      this.#ids.set(each.name, idOf(reply));
    });
    this.#options.say(`modelled over the API in ${secondsSince(began)} s`);
    await this.#until('every device is identified, resynced and L2 polled', async () => {
      const { rows } = await this.#cell.sql.query<{ missing: number }>(
        `select count(*)::integer as missing from network_device d
         where d.status <> 1 or not exists (select from device_poll_result r where r.device_id = d.id and r.kind = 'l2' and r.succeeded_at is not null)`,
      );
      return rows[0]!.missing === 0;
    });
    this.#tell('identify, resync and first L2 poll', this.#plan.length, await this.#meter(before));
    const { rows } = await this.#cell.sql.query<{ ports: number }>('select count(*)::integer as ports from port');
    const planned = this.#plan.reduce((sum, { spec }) => sum + spec.ports!, 0);
    this.#options.say(`${rows[0]!.ports} ports known, ${planned} of them on the front of a switch`);
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

  /** Lets a kind of poll be due now, and waits until all are done. */
  async round(kind: PollKind, of: readonly PlannedSwitch[] = this.#plan): Promise<Cost> {
    const before = await this.#meter();
    const since = await this.#makeDue(kind, of);
    await this.#until(`${kind} polls are done`, async () => (await this.#notPolled(kind, of, since)) === 0);
    return this.#meter(before);
  }

  #idsOf(of: readonly PlannedSwitch[]): number[] {
    return of.map(({ name }) => this.#ids.get(name)!);
  }

  async #makeDue(kind: PollKind, of: readonly PlannedSwitch[]): Promise<string> {
    const { rows } = await this.#cell.sql.query<{ now: string }>('select clock_timestamp()::text as now');
    await this.#cell.sql.query(`update device_poll set ${kind}_due = now() where device_id = any($1::bigint[])`, [
      this.#idsOf(of),
    ]);
    return rows[0]!.now;
  }

  async #notPolled(kind: PollKind, of: readonly PlannedSwitch[], since: string): Promise<number> {
    const { rows } = await this.#cell.sql.query<{ missing: number }>(
      `select count(*)::integer as missing from unnest($1::bigint[]) d(id)
       where not exists (select from device_poll_result r where r.device_id = d.id and r.kind = $2 and r.succeeded_at > $3::timestamptz)`,
      [this.#idsOf(of), kind, since],
    );
    return rows[0]!.missing;
  }

  /** The same tables read by nothing but the client, and some by Net-SNMP. */
  async bare(tables: Tables): Promise<{ ours: number; netSnmpEach: number }> {
    const snmp = snmpClient({ outbound: outboundGuard(trialOutbound) });
    const target = ({ address, credential }: PlannedSwitch) => ({
      host: address,
      port: this.#switches.port,
      credential,
    });
    let began = performance.now();
    await inParallel(this.#plan, 32, async (each) => void (await walkTables(snmp, target(each), tables)));
    const ours = secondsSince(began);
    snmp.close();
    const some = this.#plan.slice(0, bulkWalked);
    began = performance.now();
    for (const each of some) await bulkWalk(target(each), tables);
    return { ours, netSnmpEach: secondsSince(began) / some.length };
  }

  compare(what: string, cost: Cost, bare: { ours: number; netSnmpEach: number }): void {
    const count = this.#plan.length;
    this.#tell(what, count, cost);
    this.#options.say(
      `  the same tables walked and not stored: ${bare.ours.toFixed(2)} s by our client, 32 at once (${(bare.ours / cost.seconds).toFixed(2)} of a poll); ` +
        `snmpbulkwalk takes ${(bare.netSnmpEach * 1_000).toFixed(0)} ms a switch, one after the other (${(bare.netSnmpEach * count).toFixed(1)} s for all)`,
    );
    const share = (100 * cost.seconds) / intervalSeconds;
    this.#options.say(
      `  of the interval of ${intervalSeconds} s a round takes ${share.toFixed(1)} %: ${share < 100 ? 'the network is polled in time' : 'TOO SLOW'}`,
    );
    if (share >= 100) this.#fault(`an L2 round took ${cost.seconds.toFixed(0)} s`);
  }

  #tell(what: string, polls: number, cost: Cost): void {
    const { seconds, nodesCpuSeconds, postgresCpuSeconds, switchesCpuSeconds, transactions } = cost;
    this.#options.say(
      `${what}: ${polls} devices in ${seconds.toFixed(2)} s, ${(polls / seconds).toFixed(1)} a second; CPU of nodes ${nodesCpuSeconds.toFixed(2)} s, ` +
        `of PostgreSQL ${postgresCpuSeconds.toFixed(2)} s, of the switches ${switchesCpuSeconds.toFixed(2)} s; ${(transactions / polls).toFixed(1)} writing transactions a poll`,
    );
  }

  /** Every host of the simulators has one connection, on its port, and none is on an uplink. */
  async check(when: string): Promise<void> {
    const { rows } = await this.#cell.sql.query<{ mac: string; device: string; port: string; isUplink: boolean }>(
      `select a.mac, d.name as device, p.name as port, exists (select from port_uplink u where u.port_id = p.id) as "isUplink"
       from connection_active a join port p on p.id = a.port_id join network_device d on d.id = p.device_id`,
    );
    const known = new Map(rows.map((row) => [row.mac, row]));
    const before = this.faults.length;
    for (const [mac, place] of this.#truth.places) {
      const found = known.get(mac);
      if (!found) this.#fault(`${when}: ${mac} is on ${place.device} ${place.port}, and nobody knows`);
      else if (found.device !== place.device || found.port !== place.port)
        this.#fault(`${when}: ${mac} is on ${place.device} ${place.port}, not on ${found.device} ${found.port}`);
    }
    for (const { mac, device, port, isUplink } of rows)
      if (isUplink || !this.#truth.places.has(mac)) this.#fault(`${when}: ${mac} is told to be on ${device} ${port}`);
    await this.#checkHosts(when);
    this.#options.say(
      `  ${when}: ${rows.length} connections for ${this.#truth.places.size} hosts, ${this.faults.length - before} wrong`,
    );
  }

  /** Every address is one rogue host, and the same one wherever it goes. */
  async #checkHosts(when: string): Promise<void> {
    const { rows } = await this.#cell.sql.query<{ mac: string; id: number; type: number }>(
      'select a.physical_address as mac, h.id, h.type from adapter a join host h on h.id = a.host_id',
    );
    if (rows.length !== this.#truth.places.size)
      this.#fault(`${when}: ${rows.length} hosts were made of ${this.#truth.places.size} addresses`);
    for (const { mac, id, type } of rows) {
      const before = this.#hosts.get(mac) ?? id;
      this.#hosts.set(mac, id);
      if (!this.#truth.places.has(mac) || type !== 1 || before !== id)
        this.#fault(`${when}: host ${id} of ${mac} has type ${type}, and was host ${before}`);
    }
  }

  async checkArp(): Promise<void> {
    const { rows } = await this.#cell.sql.query<{ mac: string }>('select distinct m.mac from ip_mac m');
    const known = new Set(rows.map(({ mac }) => mac));
    const missing = [...this.#truth.places.keys()].filter((mac) => !known.has(mac));
    this.#options.say(`  ${known.size} addresses have an IP address, ${missing.length} are missing`);
    for (const mac of missing) this.#fault(`${mac} has no IP address`);
  }

  /** By the operation, as an administrator does. */
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
    this.#tell('resync of all by one task', this.#plan.length, await this.#meter(before));
    const report = state.report as { outcome: string; detail: string }[];
    const failed = report.filter(({ outcome }) => outcome !== 'DONE');
    if (state.state !== 'COMPLETED' || report.length !== this.#plan.length || failed.length > 0)
      this.#fault(`the resync ended ${state.state}: ${JSON.stringify(failed.slice(0, 3))}`);
  }

  /** Hosts go to another floor, and the next poll finds them there. */
  async moveHosts(): Promise<void> {
    const { ports } = this.#options;
    const access = this.#plan.filter(({ isCore }) => !isCore);
    const moved = access.filter((_, at) => at % 5 === 0);
    for (const [at, from] of moved.entries()) {
      const to = moved[(at + 1) % moved.length]!;
      const mac = this.#truth.macOf(from, 1);
      await this.#switches.move(
        mac.toLowerCase(),
        { address: from.address, port: 1 },
        { address: to.address, port: freePort(ports) },
      );
      this.#truth.put(mac, to, freePort(ports));
    }
    const { seconds } = await this.round('l2');
    this.#options.say(`${moved.length} hosts moved to other switches, found by the next poll, ${seconds.toFixed(2)} s`);
    await this.check('after the moves');
  }

  /** Numbers of interfaces change with the restart; what is known of a port is not lost. */
  async rebootRenumbered(): Promise<void> {
    const restarted = this.#plan.filter((_, at) => at % 10 === 4);
    const portsSql = `select p.id, d.name || ' ' || p.name as name, p.ifindex from port p join network_device d on d.id = p.device_id where d.id = any($1::bigint[])`;
    const portsOf = async () =>
      (await this.#cell.sql.query<{ id: number; name: string; ifindex: string }>(portsSql, [this.#idsOf(restarted)]))
        .rows;
    const before = await portsOf();
    for (const { address } of restarted) await this.#switches.reboot(address, true);
    const { rows } = await this.#cell.sql.query<{ now: string }>('select clock_timestamp()::text as now');
    await this.round('contact', restarted);
    await this.#until(
      'restarted switches are read again',
      async () => (await this.#notPolled('l2', restarted, rows[0]!.now)) === 0,
    );
    const after = new Map((await portsOf()).map((port) => [port.name, port]));
    const lost = before.filter(({ name, id }) => after.get(name)?.id !== id);
    const renumbered = before.filter(({ name, ifindex }) => after.get(name)?.ifindex !== ifindex);
    for (const { name } of lost) this.#fault(`${name} is another port after the restart`);
    this.#options.say(
      `${restarted.length} switches restarted: ${renumbered.length} of ${before.length} interfaces have another number, ${lost.length} ports were lost`,
    );
    if (renumbered.length === 0 || after.size !== before.length) this.#fault('the restart changed the wrong things');
    await this.check('after the restarts');
  }

  /** One node dies in the middle of a round: the other goes on, and what the dead one held is done in time, once. */
  async killNode(): Promise<void> {
    for (const { address } of this.#plan) await this.#switches.disturb(address, { delayMs: slowMs });
    const since = await this.#makeDue('l2', this.#plan);
    await this.#until('a node works', async () => (await this.#leases()).length > 0, 5);
    await sleep(slowMs);
    const leases = await this.#leases();
    const victim = this.#cell.nodes.find((node) => isHeldBy(leases[0]!, node))!;
    const held = leases.filter((lease) => isHeldBy(lease, victim));
    await this.#cell.kill9(victim);
    const killedMs = Date.now();
    await this.#until(
      'the other node did the rest',
      async () => (await this.#notPolled('l2', this.#plan, since)) === 0,
    );
    const { rows } = await this.#cell.sql.query<{ id: string; at: string }>(
      `select r.device_id as id, r.at::text as at from device_poll_result r where r.kind = 'l2'`,
    );
    const polledAt = new Map(rows.map(({ id, at }) => [Number(id), Date.parse(at)]));
    const slowest = Math.max(...held.map(({ id }) => polledAt.get(id)! - killedMs)) / 1_000;
    await this.#until('the last poll has ended', async () => (await this.#leases()).length === 0);
    this.#options.say(
      `kill -9 of a node that was at ${held.length} devices, of ${this.#plan.length} that were due: the other had polled the last of them ${slowest.toFixed(1)} s later`,
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

  /** What was told of a device, or of a port, was told once. */
  async #checkTwice(): Promise<void> {
    const { rows } = await this.#cell.sql.query<{ name: string; element: string; count: number }>(
      `select e.name, e.element_name as element, count(*)::integer as count from event e
       where e.name in ('DEVICE_CREATED', 'CONTACT_ESTABLISHED', 'CONTACT_LOST') group by 1, 2
       having count(*) > 1 order by 3 desc limit ${faultsMax}`,
    );
    for (const { name, element, count } of rows) this.#fault(`${name} of ${element} was told ${count} times`);
    this.#options.say(`  ${rows.length} events were told twice`);
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

  /** What was used since `before`; without it, what was used at all. */
  async #meter(before?: Cost): Promise<Cost> {
    const { cpuMs } = await this.#switches.stats();
    const { rows } = await this.#cell.sql.query<{ count: number }>(
      // Those that write: what is only read has no number, and its statistics come late.
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

/** The name of a lease's holder has its process in it; that of a cell is the child of the one that watches it. */
function isHeldBy({ node }: Lease, of: CellNode): boolean {
  const watcher = of.pid();
  if (watcher === undefined) return false;
  return readFileSync(`/proc/${watcher}/task/${watcher}/children`, 'utf8').trim() === node.split(':')[1];
}

const secondsSince = (ms: number): number => Math.round((performance.now() - ms) / 10) / 100;
