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
  /** As many as were told or due in the time that was given. */
  perSecond: number;
  /** How long after that time the last of them was written down. */
  lateSeconds: number;
  /** Addresses that went to another port: only these touch an index of the connections. */
  moves: number;
  growth: Counted[];
}

export interface ChurnOptions {
  adapters: number;
  perSecond: number;
  seconds: number;
  seed: number;
  say(line: string): void;
}

/** How much of what happens is found by polls, and how often those are. */
const byPolls = { l2: { share: 0.05, everySeconds: 2 }, l3: { share: 0.1, everySeconds: 1 } };
/** Beside so many changes an address is seen again where it was. */
const observeEvery = 4;
const tickMs = 20;
const inFlightMax = 3_000;
const settleMsMax = 120_000;
const faultsMax = 1_000;
const weighings = 8;

/** A cell of two nodes that hear informs, on the database of a campus. */
export const openChurnCell = ({ adapters }: Pick<ChurnOptions, 'adapters'>): Promise<ServedCell> =>
  openCell({
    nodes: 2,
    hearsTraps: true,
    settings: { outbound: trialOutbound },
    lifeSeconds: 1_800,
    fill: (tx) => fillCampus(tx, adapters),
  });

/** Hosts come, go and move all over a campus while administrators edit them and others follow: is all of it there in the end, once? */
export async function churn(cell: ServedCell, options: ChurnOptions): Promise<ChurnReport> {
  // What autovacuum would have done long ago on a campus that did not come into being a moment ago.
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

/** Events of connections are off by default; each node knows of a change within a second. */
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
    const others = [...followers.map((each) => each.follow(isOver.signal)), this.#administrators.work(isOver.signal)];
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
    await Promise.all(others);
    await this.#checkDeadlocks();
    const after = await this.#generation();
    this.#options.say(`policy generation ${generation} before, ${after} after`);
    if (after !== generation)
      this.#fault(`what is observed raised the policy generation from ${generation} to ${after}`);
    await this.#checkEverything(followers);
    const moves = this.#campus.counts.moved + this.#polled.counts.movedByPoll;
    return { ...pace, moves, growth: await this.#checkGrowth(before), faults: this.#faults };
  }

  /** Raised by what is configured alone. */
  async #generation(): Promise<number> {
    const { rows } = await this.#cell.sql.query<{ generation: number }>(
      'select g.generation::integer as generation from policy_generation g',
    );
    return rows[0]!.generation;
  }

  /** Informs at their rate, whatever becomes of those before, as long as they are not too many. */
  async #report(began: number): Promise<void> {
    const { perSecond, seconds } = this.#options;
    const rate = perSecond * (1 - byPolls.l2.share - byPolls.l3.share);
    for (let reported = 0; performance.now() - began < seconds * 1_000; await sleep(tickMs)) {
      const due = Math.floor(((performance.now() - began) / 1_000) * rate);
      while (reported < due && this.#inFlight.size < inFlightMax) {
        const happened = this.#campus.change();
        // Whom something happens to already is left alone until the next turn.
        if (!happened) break;
        void this.#pass(happened);
        if (++reported % observeEvery === 0) void this.#pass(this.#campus.observe());
      }
    }
  }

  async #pass(happened: Happened | undefined): Promise<void> {
    if (!happened) return;
    const one = this.#informs.tell(happened.change).then((isAcknowledged) => {
      happened.done();
      if (!isAcknowledged) this.#fault(`nobody acknowledged that ${happened.change.mac} ${happened.change.kind}`);
    });
    this.#inFlight.add(one);
    await one.finally(() => this.#inFlight.delete(one));
  }

  /** Rounds at their times; one that is slow makes the next late, and no change is left out. */
  async #poll(
    began: number,
    { share, everySeconds }: { share: number; everySeconds: number },
    round: (count: number) => Promise<void>,
  ): Promise<void> {
    const { perSecond, seconds } = this.#options;
    for (let from = 0; from < seconds; from += everySeconds) {
      await sleep(Math.max(0, began + from * 1_000 - performance.now()));
      await round(Math.round(perSecond * share * Math.min(everySeconds, seconds - from)));
    }
  }

  /** How large the connections are as time goes on: what moves leave behind is taken away again, and its room used. */
  async #weigh(began: number): Promise<void> {
    const sizes: string[] = [];
    for (let part = 0; part <= weighings; part++) {
      await sleep(Math.max(0, began + (part / weighings) * this.#options.seconds * 1_000 - performance.now()));
      sizes.push(megabytes((await countedNow(this.#cell.sql)).connection_active.bytes));
    }
    this.#options.say(`connection_active, from the beginning to the end: ${sizes.join(', ')}`);
  }

  #fault(text: string): void {
    if (this.#faults.length < faultsMax) this.#faults.push(text);
  }

  #reportChanges(tookSeconds: number): Pick<ChurnReport, 'perSecond' | 'lateSeconds'> {
    const { say, seconds } = this.#options;
    const { moved, seen, left, came } = this.#campus.counts;
    const { movedByPoll, newAddresses, addressesSeen } = this.#polled.counts;
    const changes = moved + left + came + movedByPoll + newAddresses;
    const [perSecond, lateSeconds] = [changes / seconds, tookSeconds - seconds];
    say(
      `${changes} observed changes in ${seconds} s, ${perSecond.toFixed(0)} a second, of ${this.#campus.adapters} adapters that were online; the last was written down ${lateSeconds.toFixed(1)} s later`,
    );
    say(`  told by informs: ${moved} moves, ${left} departures, ${came} arrivals`);
    say(`  found by polls: ${movedByPoll} moves (L2), ${newAddresses} new IP addresses (L3)`);
    say(`  told besides, of what is as it was: ${seen} adapters, ${addressesSeen} IP addresses`);
    say(`  from told to acknowledged, which is after the commit: ${percentiles(this.#informs.tookMs)}`);
    say(`  from due to written down, for a round of polls: ${percentiles(this.#polled.tookMs)}`);
    if (this.#informs.repeated > 0) say(`  ${this.#informs.repeated} informs were sent again`);
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
    this.#options.say(`  CPU: ${used.join(', ')}; load average ${loadavg()[0]!.toFixed(1)}`);
  }

  /** Whoever meets one is repeated, but a second later: all take what they change in the same order. */
  async #checkDeadlocks(): Promise<void> {
    const { rows } = await this.#cell.sql.query<{ deadlocks: number }>(
      'select d.deadlocks::integer as deadlocks from pg_stat_database d where d.datname = current_database()',
    );
    this.#options.say(`  ${rows[0]!.deadlocks} deadlocks`);
    if (rows[0]!.deadlocks > 0) this.#fault(`${rows[0]!.deadlocks} deadlocks`);
  }

  async #checkEverything(followers: readonly Follower[]): Promise<void> {
    const { say } = this.#options;
    const { edits, overtaken, refusals, versions } = this.#administrators;
    say(
      `administrators: ${edits.host} edits of hosts, ${edits.adapter} of adapters, ${overtaken} of them overtaken by a change of the same adapter; ${refusals.length} refused`,
    );
    for (const text of refusals) this.#fault(text);
    if (edits.host === 0 || edits.adapter === 0) this.#fault('nobody edited anything');
    await this.#checkVersions(versions);
    for (const follower of followers) await this.#checkFollower(follower);
    await this.#checkConnections();
    await this.#checkAddresses();
    await this.#checkEvents();
    await this.#checkCounters();
  }

  /** Nobody but the administrators gave a host or an adapter another version. */
  async #checkVersions(versions: ReadonlyMap<string, number>): Promise<void> {
    for (const table of ['host', 'adapter']) {
      const { rows } = await this.#cell.sql.query<{ id: number; version: number }>(
        `select r.id::integer as id, r.version from ${table} r where r.version > 1`,
      );
      const written = [...versions.keys()].filter((key) => key.startsWith(`${table} `)).length;
      if (rows.length !== written) this.#fault(`${rows.length} of ${table} have a new version, ${written} were edited`);
      for (const { id, version } of rows)
        if (versions.get(`${table} ${id}`) !== version)
          this.#fault(`${table} ${id} has version ${version}, written was ${versions.get(`${table} ${id}`)}`);
    }
  }

  /** Everything that was committed since it began was told, once, versions of a record in their order. */
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
    const seen = new Set<number>();
    for (const { place } of reported) {
      const row = committed.get(place);
      if (seen.has(place)) this.#fault(`${table}: ${place} was told twice`);
      seen.add(place);
      // One that was committed after the question is no fault.
      if (!row) continue;
      if (row.version < (versions.get(row.id) ?? 0)) this.#fault(`${table} ${row.id}: versions run backwards`);
      versions.set(row.id, row.version);
    }
    const missing = rows.filter(({ place }) => !seen.has(place));
    for (const { place } of missing) this.#fault(`${table}: ${place} was not told`);
    this.#options.say(
      `feed of ${table}: ${rows.length} committed, ${reported.length} told in ${follower.polls} polls, ${missing.length} missing`,
    );
  }

  /** Where the nodes believe everybody to be, row by row; and what ports tell of it. */
  async #checkConnections(): Promise<void> {
    const { sql } = this.#cell;
    const { rows } = await sql.query<{ mac: string; portId: number; name: string }>(
      `select a.mac, a.port_id::integer as "portId", d.name || ' ' || p.name as name
       from connection_active a join port p on p.id = a.port_id join network_device d on d.id = a.device_id and d.id = p.device_id`,
    );
    const stored = new Map(rows.map((row) => [row.mac, row]));
    for (const [mac, portId] of this.#campus.connections()) {
      if (stored.get(mac)?.portId !== portId)
        this.#fault(`${mac} is on port ${portId}, stored is ${stored.get(mac)?.name}`);
      stored.delete(mac);
    }
    for (const [mac, name] of await this.#polled.connections()) {
      if (stored.get(mac)?.name !== name) this.#fault(`${mac} is on ${name}, stored is ${stored.get(mac)?.name}`);
      stored.delete(mac);
    }
    for (const { mac, name } of stored.values()) this.#fault(`${mac} is stored on ${name}, and is nowhere`);
    const { rows: wrong } = await sql.query<{ name: string; state: number; hosts: number }>(
      `select p.name, p.connection_state as state, count(a.mac)::integer as hosts
       from port p left join connection_active a on a.port_id = p.id group by p.id
       having p.connection_state <> 8 and case when count(a.mac) = 0 then p.connection_state <> 0
         when count(a.mac) = 1 then p.connection_state not in (1, 2) else p.connection_state <> 5 end`,
    );
    for (const { name, state, hosts } of wrong) this.#fault(`port ${name} tells ${state} of ${hosts} hosts`);
    this.#options.say(
      `connections: ${rows.length}, as the switches have them; ${wrong.length} ports tell another state`,
    );
  }

  async #checkAddresses(): Promise<void> {
    const { rows } = await this.#cell.sql.query<{ ip: string; mac: string; routerId: number }>(
      `select host(m.ip) as ip, m.mac, m.device_id::integer as "routerId" from ip_mac m`,
    );
    const stored = new Map(rows.map((row) => [row.ip, row]));
    for (const [ip, { mac, routerId }] of this.#polled.addresses()) {
      const row = stored.get(ip);
      if (row?.mac !== mac || row.routerId !== routerId) this.#fault(`${ip} is of ${mac}, stored is ${row?.mac}`);
    }
  }

  /** Each event as often as what it tells of happened, address by address. */
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
        this.#fault(`${key} was told ${reported.get(key) ?? 0} times instead of ${expected.get(key) ?? 0}`);
    const totals = new Map<string, number>();
    for (const [key, count] of reported) {
      const [name] = key.split(' ') as [string];
      totals.set(name, (totals.get(name) ?? 0) + count);
    }
    this.#options.say(`events: ${[...totals].map(([name, count]) => `${count} ${name}`).join(', ')}`);
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

  /** What PostgreSQL counts, once sessions have told it: they do so when they have been idle for a while. */
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
    for (const each of growth) this.#options.say(`  ${lineOf(each)}`);
    for (const table of ['host', 'adapter'] as const) {
      const { updated, inserted } = of(growth, table);
      if (updated !== edits[table] || inserted > 0)
        this.#fault(`${table}: ${updated} rows updated and ${inserted} inserted by ${edits[table]} edits`);
    }
    return growth;
  }
}

const rowsOf = ({ inserted, deleted }: Counted): number => inserted - deleted;

const of = (growth: readonly Counted[], table: Watched): Counted => growth.find((each) => each.table === table)!;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;

const lineOf = (each: Counted): string =>
  `${each.table.padEnd(17)} ${each.inserted} inserted, ${each.updated} updated (HOT ${percent(hotShare(each))}), ${each.deleted} deleted, ${each.dead} dead, ${each.bytes < 0 ? '' : '+'}${megabytes(each.bytes)}`;

function percentiles(tookMs: readonly number[]): string {
  const sorted = tookMs.toSorted((one, another) => one - another);
  const at = (part: number) =>
    `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0)} ms`;
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`;
}
