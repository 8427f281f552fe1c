import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsOf } from '@portreeve/testbed/cpu.ts';
import { connect } from '../../../src/kernel/database/connect.ts';
import { openCell, type ServedCell } from '../../world/cell.ts';
import { trialOutbound } from '../network.ts';
import { generator } from '../storm.ts';
import { Administrators } from './administrators.ts';
import { Campus, fillCampus, type Happened } from './campus.ts';
import { type Follower, followByApi, followFeed } from './followers.ts';
import { type Counted, type Counts, countedNow, growthOf, hotShare, type Watched } from './growth.ts';
import { Informs } from './informs.ts';
import { PolledSwitches } from './polled.ts';

export interface ChurnReport {
  faults: string[];
  /** Reported or due changes per second of the configured time. */
  perSecond: number;
  /** How long after the configured time the last change was stored. */
  lateSeconds: number;
  /** Addresses that moved to another port: only these change an index of the connections. */
  moves: number;
  growth: Counted[];
}

export interface ChurnOptions {
  adapters: number;
  perSecond: number;
  seconds: number;
  seed: number;
  print(line: string): void;
}

/** The share of the changes that polls find, and how often the polls run. */
const byPolls = { l2: { share: 0.05, everySeconds: 2 }, l3: { share: 0.1, everySeconds: 1 } };
/** After this many changes an address is seen again at its port. */
const observeEvery = 4;
const tickMs = 20;
const inFlightMax = 3_000;
const settleMsMax = 120_000;
const faultsMax = 1_000;
const weighings = 8;

/** Opens a cell of two nodes that receive informs, on the database of a campus. */
export const openChurnCell = ({ adapters }: Pick<ChurnOptions, 'adapters'>): Promise<ServedCell> =>
  openCell({
    nodes: 2,
    hearsTraps: true,
    settings: { outbound: trialOutbound },
    lifeSeconds: 1_800,
    fill: (tx) => fillCampus(tx, adapters),
  });

/**
 * Connects, disconnects and moves hosts all over a campus while administrators edit them and clients follow the
 * changes; checks that everything is stored and reported exactly once.
 */
export async function churn(cell: ServedCell, options: ChurnOptions): Promise<ChurnReport> {
  // Runs what autovacuum would have done on a campus that was not created a moment ago.
  await cell.sql.query('vacuum analyze');
  await logConnections(cell);
  const random = generator(options.seed);
  const campus = await Campus.open(cell.sql, random);
  const polled = await PolledSwitches.open(cell, campus, random);
  const informs = new Informs(cell.nodes.map(({ port }) => port));
  try {
    return await new Churn(cell, options, campus, polled, informs).run();
  } finally {
    await informs.close();
    await polled.stop();
  }
}

/** Enables events of connections, which are off by default; each node applies the change within a second. */
async function logConnections(cell: ServedCell): Promise<void> {
  const client = cell.client(cell.nodes[0]!);
  const filter = encodeURIComponent('loggingStrategy==DISABLED');
  const { results } = (await client.get<{ id: number }>(`/logging/event-types?count=100&filter=${filter}`)).body;
  const id = results!.map((type) => type.id);
  await client.post('/logging/event-types/logging-strategy', { id, loggingStrategy: 'INTERNAL' });
  await sleep(5_000);
}

class Churn {
  readonly #cell: ServedCell;
  readonly #options: ChurnOptions;
  readonly #campus: Campus;
  readonly #polled: PolledSwitches;
  readonly #informs: Informs;
  readonly #administrators: Administrators;
  readonly #faults: string[] = [];
  readonly #inFlight = new Set<Promise<void>>();

  constructor(cell: ServedCell, options: ChurnOptions, campus: Campus, polled: PolledSwitches, informs: Informs) {
    this.#cell = cell;
    this.#options = options;
    this.#campus = campus;
    this.#polled = polled;
    this.#informs = informs;
    this.#administrators = new Administrators(cell, campus, generator(options.seed + 1), (adapter) =>
      this.#pass(campus.change(adapter)),
    );
  }

  async run(): Promise<ChurnReport> {
    const pool = connect({ url: this.#cell.serviceUrl, connectionsMax: 2 });
    try {
      return await this.#run([await followFeed(pool, 'host'), await followFeed(pool, 'adapter')]);
    } finally {
      await pool.end();
    }
  }

  async #run(feeds: readonly Follower[]): Promise<ChurnReport> {
    const followers = [
      ...feeds,
      await followByApi(this.#cell, 'port', '/device/port'),
      await followByApi(this.#cell, 'event', '/logging/event'),
    ];
    const before = await this.#settled();
    const generation = await this.#generation();
    const used = await this.#cpuSeconds();
    const began = performance.now();
    const isOver = new AbortController();
    const otherWork = [
      ...followers.map((follower) => follower.follow(isOver.signal)),
      this.#administrators.work(isOver.signal),
    ];
    await Promise.all([
      this.#report(began),
      this.#poll(began, byPolls.l2, (count) => this.#polled.moveHosts(count)),
      this.#poll(began, byPolls.l3, (count) => this.#polled.readdress(count)),
      this.#weigh(began),
    ]);
    await Promise.all(this.#inFlight);
    const pace = this.#reportChanges((performance.now() - began) / 1_000);
    await this.#sayCpu(used);
    isOver.abort();
    await Promise.all(otherWork);
    await this.#checkDeadlocks();
    const after = await this.#generation();
    this.#options.print(`policy generation ${generation} before, ${after} after`);
    if (after !== generation)
      this.#fault(`observed changes raised the policy generation from ${generation} to ${after}`);
    await this.#checkEverything(followers);
    const moves = this.#campus.counts.moved + this.#polled.counts.movedByPoll;
    return { ...pace, moves, growth: await this.#checkGrowth(before), faults: this.#faults };
  }

  /** Returns the policy generation, which only configuration may raise. */
  async #generation(): Promise<number> {
    const { rows } = await this.#cell.sql.query<{ generation: number }>(
      'select g.generation::integer as generation from policy_generation g',
    );
    return rows[0]!.generation;
  }

  /** Sends informs at their rate without waiting for earlier ones, up to a limit of those in flight. */
  async #report(began: number): Promise<void> {
    const { perSecond, seconds } = this.#options;
    const rate = perSecond * (1 - byPolls.l2.share - byPolls.l3.share);
    for (let reported = 0; performance.now() - began < seconds * 1_000; await sleep(tickMs)) {
      const due = Math.floor(((performance.now() - began) / 1_000) * rate);
      while (reported < due && this.#inFlight.size < inFlightMax) {
        const happened = this.#campus.change();
        // An adapter with a change in progress is left alone until the next turn.
        if (!happened) break;
        void this.#pass(happened);
        if (++reported % observeEvery === 0) void this.#pass(this.#campus.observe());
      }
    }
  }

  async #pass(happened: Happened | undefined): Promise<void> {
    if (!happened) return;
    const delivery = this.#informs.send(happened.change).then((isAcknowledged) => {
      happened.done();
      if (!isAcknowledged) this.#fault(`no node acknowledged that ${happened.change.mac} ${happened.change.kind}`);
    });
    this.#inFlight.add(delivery);
    await delivery.finally(() => this.#inFlight.delete(delivery));
  }

  /** Polls in rounds at their times; a slow round delays the next one, and no change is left out. */
  async #poll(
    began: number,
    { share, everySeconds }: { share: number; everySeconds: number },
    round: (count: number) => Promise<void>,
  ): Promise<void> {
    const { perSecond, seconds } = this.#options;
    for (let fromSecond = 0; fromSecond < seconds; fromSecond += everySeconds) {
      await sleep(Math.max(0, began + fromSecond * 1_000 - performance.now()));
      await round(Math.round(perSecond * share * Math.min(everySeconds, seconds - fromSecond)));
    }
  }

  /**
   * Prints how large the table of connections is over time: dead rows of moves must be removed and their space reused.
   */
  async #weigh(began: number): Promise<void> {
    const sizes: string[] = [];
    for (let part = 0; part <= weighings; part++) {
      await sleep(Math.max(0, began + (part / weighings) * this.#options.seconds * 1_000 - performance.now()));
      sizes.push(megabytes((await countedNow(this.#cell.sql)).connection_active.bytes));
    }
    this.#options.print(`connection_active, from start to end: ${sizes.join(', ')}`);
  }

  #fault(text: string): void {
    if (this.#faults.length < faultsMax) this.#faults.push(text);
  }

  #reportChanges(tookSeconds: number): Pick<ChurnReport, 'perSecond' | 'lateSeconds'> {
    const { print, seconds } = this.#options;
    const { moved, seen, left, came } = this.#campus.counts;
    const { movedByPoll, newAddresses, addressesSeen } = this.#polled.counts;
    const changes = moved + left + came + movedByPoll + newAddresses;
    const [perSecond, lateSeconds] = [changes / seconds, tookSeconds - seconds];
    print(
      `${changes} observed changes in ${seconds} s, ${perSecond.toFixed(0)} per second, of ${this.#campus.adapters} connected adapters; the last one was stored ${lateSeconds.toFixed(1)} s later`,
    );
    print(`  reported by informs: ${moved} moves, ${left} departures, ${came} arrivals`);
    print(`  found by polls: ${movedByPoll} moves (L2), ${newAddresses} new IP addresses (L3)`);
    print(`  also reported, without a change: ${seen} adapters, ${addressesSeen} IP addresses`);
    print(`  from told to acknowledged, which is after the commit: ${percentiles(this.#informs.tookMs)}`);
    print(`  from due to written down, for a round of polls: ${percentiles(this.#polled.tookMs)}`);
    if (this.#informs.repeated > 0) print(`  ${this.#informs.repeated} informs were sent again`);
    return { perSecond, lateSeconds };
  }

  async #cpuSeconds(): Promise<Record<string, number>> {
    const { user, system } = process.cpuUsage();
    const nodes = this.#cell.nodes.reduce((sum, node) => sum + cpuMsOf(node.pid()!), 0);
    return {
      nodes: nodes / 1_000,
      PostgreSQL: cpuMsOf(this.#cell.postgresPid()!) / 1_000,
      switches: (await this.#polled.cpuMs()) / 1_000,
      'this trial': (user + system) / 1_000_000,
    };
  }

  async #sayCpu(before: Record<string, number>): Promise<void> {
    const used = Object.entries(await this.#cpuSeconds()).map(
      ([who, s]) => `${who} ${(s - before[who]!).toFixed(1)} s`,
    );
    this.#options.print(`  CPU: ${used.join(', ')}; load average ${loadavg()[0]!.toFixed(1)}`);
  }

  /**
   * Prints the deadlocks. There should be none, because all writers lock rows in the same order; a deadlock delays a
   * write by a second.
   */
  async #checkDeadlocks(): Promise<void> {
    const { rows } = await this.#cell.sql.query<{ deadlocks: number }>(
      'select d.deadlocks::integer as deadlocks from pg_stat_database d where d.datname = current_database()',
    );
    this.#options.print(`  ${rows[0]!.deadlocks} deadlocks`);
    if (rows[0]!.deadlocks > 0) this.#fault(`${rows[0]!.deadlocks} deadlocks`);
  }

  async #checkEverything(followers: readonly Follower[]): Promise<void> {
    const { print } = this.#options;
    const { edits, overtaken, refusals, versions } = this.#administrators;
    print(
      `administrators: ${edits.host} edits of hosts, ${edits.adapter} of adapters; during ${overtaken} of them the same adapter changed; ${refusals.length} refused`,
    );
    for (const text of refusals) this.#fault(text);
    if (edits.host === 0 || edits.adapter === 0) this.#fault('no administrator edited anything');
    await this.#checkVersions(versions);
    for (const follower of followers) await this.#checkFollower(follower);
    await this.#checkConnections();
    await this.#checkAddresses();
    await this.#checkEvents();
    await this.#checkCounters();
  }

  /** Only the administrators may have changed the version of a host or an adapter. */
  async #checkVersions(versions: ReadonlyMap<string, number>): Promise<void> {
    for (const table of ['host', 'adapter']) {
      const { rows } = await this.#cell.sql.query<{ id: number; version: number }>(
        `select r.id::integer as id, r.version from ${table} r where r.version > 1`,
      );
      const editedCount = [...versions.keys()].filter((key) => key.startsWith(`${table} `)).length;
      if (rows.length !== editedCount)
        this.#fault(`${rows.length} of ${table} have a new version, ${editedCount} were edited`);
      for (const { id, version } of rows)
        if (versions.get(`${table} ${id}`) !== version)
          this.#fault(`${table} ${id} has version ${version}, the last write made ${versions.get(`${table} ${id}`)}`);
    }
  }

  /** Every change that was committed since the start must be reported once, with the versions of a record in order. */
  async #checkFollower(follower: Follower): Promise<void> {
    const { table, since, reported } = follower;
    const { rows } = await this.#cell.sql.query<{ place: number; id: number; version: number }>(
      table === 'event'
        ? `select e.id::float as place, e.id::float as id, 1 as version from event e where not pg_visible_in_snapshot(e.txid, $1::pg_snapshot)`
        : `select f.seq::float as place, f.record_id::float as id, f.version from change_feed f
           where f.table_name = '${table}' and not pg_visible_in_snapshot(f.txid, $1::pg_snapshot)`,
      [since],
    );
    await follower.catchUp(rows.length);
    const committed = new Map(rows.map((row) => [row.place, row]));
    const versions = new Map<number, number>();
    const seenPlaces = new Set<number>();
    for (const { place } of reported) {
      const row = committed.get(place);
      if (seenPlaces.has(place)) this.#fault(`${table}: ${place} was reported twice`);
      seenPlaces.add(place);
      // Committed after the query above: not an error.
      if (!row) continue;
      if (row.version < (versions.get(row.id) ?? 0)) this.#fault(`${table} ${row.id}: versions are not in order`);
      versions.set(row.id, row.version);
    }
    const missing = rows.filter(({ place }) => !seenPlaces.has(place));
    for (const { place } of missing) this.#fault(`${table}: ${place} was not reported`);
    this.#options.print(
      `feed of ${table}: ${rows.length} committed, ${reported.length} reported in ${follower.polls} polls, ${missing.length} missing`,
    );
  }

  /** Compares the stored connections row by row with the switches, and the connection states of ports with them. */
  async #checkConnections(): Promise<void> {
    const { sql } = this.#cell;
    const { rows } = await sql.query<{ mac: string; portId: number; name: string }>(
      `select a.mac, a.port_id::integer as "portId", d.name || ' ' || p.name as name
       from connection_active a join port p on p.id = a.port_id join network_device d on d.id = a.device_id and d.id = p.device_id`,
    );
    const stored = new Map(rows.map((row) => [row.mac, row]));
    for (const [mac, portId] of this.#campus.connections()) {
      if (stored.get(mac)?.portId !== portId)
        this.#fault(`${mac} is on port ${portId}, stored on ${stored.get(mac)?.name}`);
      stored.delete(mac);
    }
    for (const [mac, name] of await this.#polled.connections()) {
      if (stored.get(mac)?.name !== name) this.#fault(`${mac} is on ${name}, stored on ${stored.get(mac)?.name}`);
      stored.delete(mac);
    }
    for (const { mac, name } of stored.values()) this.#fault(`${mac} is stored on ${name}, and is not connected`);
    const { rows: wrong } = await sql.query<{ name: string; state: number; hosts: number }>(
      `select p.name, p.connection_state as state, count(a.mac)::integer as hosts
       from port p left join connection_active a on a.port_id = p.id group by p.id
       having p.connection_state <> 8 and case when count(a.mac) = 0 then p.connection_state <> 0
         when count(a.mac) = 1 then p.connection_state not in (1, 2) else p.connection_state <> 5 end`,
    );
    for (const { name, state, hosts } of wrong) this.#fault(`port ${name} has state ${state} with ${hosts} hosts`);
    this.#options.print(
      `connections: ${rows.length}, the same as on the switches; ${wrong.length} ports have a wrong state`,
    );
  }

  async #checkAddresses(): Promise<void> {
    const { rows } = await this.#cell.sql.query<{ ip: string; mac: string; routerId: number }>(
      `select host(m.ip) as ip, m.mac, m.device_id::integer as "routerId" from ip_mac m`,
    );
    const stored = new Map(rows.map((row) => [row.ip, row]));
    for (const [ip, { mac, routerId }] of this.#polled.addresses()) {
      const row = stored.get(ip);
      if (row?.mac !== mac || row.routerId !== routerId) this.#fault(`${ip} belongs to ${mac}, stored for ${row?.mac}`);
    }
  }

  /** Compares how often each event was stored with how often its cause happened, for each address. */
  async #checkEvents(): Promise<void> {
    const { expected } = this.#campus;
    const { rows } = await this.#cell.sql.query<{ key: string; count: number }>(
      `select e.name || ' ' || e.mac as key, count(*)::integer as count from event e
       where e.name in ('ADAPTER_MOVED', 'MAC_SPOOF_SUSPECTED', 'ADAPTER_IP_CHANGED', 'HOST_DISCONNECTED')
         or e.name in ('HOST_CONNECTED', 'ROGUE_CONNECTED') and e.mac like '02:50:00:%'
       group by 1`,
    );
    const reported = new Map(rows.map(({ key, count }) => [key, count]));
    for (const key of new Set([...expected.keys(), ...reported.keys()]))
      if (expected.get(key) !== reported.get(key))
        this.#fault(`${key} was stored ${reported.get(key) ?? 0} times instead of ${expected.get(key) ?? 0}`);
    const totals = new Map<string, number>();
    for (const [key, count] of reported) {
      const [name] = key.split(' ') as [string];
      totals.set(name, (totals.get(name) ?? 0) + count);
    }
    this.#options.print(`events: ${[...totals].map(([name, count]) => `${count} ${name}`).join(', ')}`);
  }

  async #checkCounters(): Promise<void> {
    for (const table of ['host', 'adapter', 'port', 'event', 'audit_record']) {
      const { rows } = await this.#cell.sql.query<{ total: string; counted: string }>(
        `select row_total('${table}') as total, (select count(*) from ${table}) as counted`,
      );
      const { total, counted } = rows[0]!;
      if (total !== counted) this.#fault(`${table}: total ${total}, counted ${counted}`);
    }
  }

  /** Returns PostgreSQL's counts, once the sessions have flushed them, which they do after being idle for a while. */
  async #settled(): Promise<Counts> {
    for (const end = Date.now() + settleMsMax; ; await sleep(500)) {
      const counts = await countedNow(this.#cell.sql);
      const { rows } = await this.#cell.sql.query<{ events: number; feed: number; connections: number }>(
        `select (select count(*) from event)::integer as events, (select count(*) from change_feed)::integer as feed,
           (select count(*) from connection_active)::integer as connections`,
      );
      const { events, feed, connections } = rows[0]!;
      const isReported =
        rowsOf(counts.event) === events &&
        rowsOf(counts.change_feed) === feed &&
        rowsOf(counts.connection_active) === connections;
      if (isReported || Date.now() > end) return counts;
    }
  }

  async #checkGrowth(before: Counts): Promise<Counted[]> {
    const { edits } = this.#administrators;
    const growth = growthOf(before, await this.#settled());
    for (const counted of growth) this.#options.print(`  ${lineOf(counted)}`);
    for (const table of ['host', 'adapter'] as const) {
      const { updated, inserted } = countedOf(growth, table);
      if (updated !== edits[table] || inserted > 0)
        this.#fault(`${table}: ${updated} rows updated and ${inserted} inserted by ${edits[table]} edits`);
    }
    return growth;
  }
}

const rowsOf = ({ inserted, deleted }: Counted): number => inserted - deleted;

const countedOf = (growth: readonly Counted[], table: Watched): Counted =>
  growth.find((counted) => counted.table === table)!;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;

const lineOf = (counted: Counted): string =>
  `${counted.table.padEnd(17)} ${counted.inserted} inserted, ${counted.updated} updated (HOT ${percent(hotShare(counted))}), ${counted.deleted} deleted, ${counted.dead} dead, ${counted.bytes < 0 ? '' : '+'}${megabytes(counted.bytes)}`;

function percentiles(tookMs: readonly number[]): string {
  const sorted = tookMs.toSorted((a, another) => a - another);
  const quantile = (part: number) =>
    `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0)} ms`;
  return `p50 ${quantile(0.5)}, p99 ${quantile(0.99)}, most ${quantile(1)}`;
}
