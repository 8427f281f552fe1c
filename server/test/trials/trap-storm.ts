import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SwitchSpec, TrapTarget } from '@portreeve/testbed/snmp-switches.ts';
import type { Service } from '../../src/node/start-service.ts';
import type { World } from '../world/open-world.ts';
import { type ModelledSwitches, modelSwitches } from './modelled-switches.ts';

export interface TrapStormReport {
  switches: number;
  sent: number;
  seconds: number;
  /** By both nodes. */
  acknowledged: number;
  unacknowledged: number;
  /** Traps, which are not acknowledged, without an event. */
  lostTraps: number;
  events: number;
  acknowledgedMs: { median: number; p99: number };
  /** Counts of the datagrams by outcome, for each node. */
  outcomes: Record<string, number>[];
  /**
   * Only datagrams that were replayed on purpose; on a busy machine switches also repeat informs, which are not counted
   * here.
   */
  replaysRefused: number;
  faults: string[];
}

type Way = 'informs' | 'traps' | 'signed informs';

/**
 * The share of the storm for each kind of message, and how much of it one switch sends: a signed inform takes two
 * datagrams of its hundred a second.
 */
const ways: Readonly<Record<Way, { share: number; each: number }>> = {
  informs: { share: 0.5, each: 50 },
  traps: { share: 0.35, each: 50 },
  'signed informs': { share: 0.15, each: 25 },
};
const user = {
  userName: 'storm',
  auth: { protocol: 'SHA256', password: 'auth-pass-123' },
  priv: { protocol: 'AES', password: 'priv-pass-456' },
} as const;
const portsUsed = 20;
const acknowledgedMin = 50;
const drainMsMax = 120_000;
/** Every so many packets of a switch with informs, one is lost: acknowledgements among them. */
const loseEvery = 40;

/** The messages that were sent about one port. */
interface Port {
  way: Way;
  address: string;
  number: number;
  isUp: boolean;
  isBusy: boolean;
  sent: number;
  acknowledged: number;
  id: number;
}

/**
 * Sends link changes of switches to two nodes at once, as traps, informs and signed informs, and loses some of the
 * acknowledgements; checks that every acknowledged change is stored once, and that a replayed signed trap is refused.
 */
export async function trapStorm(
  world: World,
  otherNode: Service,
  options: { perSecond: number; seconds: number },
): Promise<TrapStormReport> {
  const specs: SwitchSpec[] = [];
  const wayOf = new Map<string, Way>();
  for (const [way, { share, each: perSwitchRate }] of Object.entries(ways) as [Way, (typeof ways)[Way]][]) {
    for (let n = Math.ceil((options.perSecond * share) / perSwitchRate); n > 0; n--) {
      const address = `127.0.37.${specs.length + 1}`;
      wayOf.set(address, way);
      const signed = way === 'signed informs' && { users: [user], communities: false };
      specs.push({ address, sysName: `storm-${specs.length + 1}`, hostOnEachPort: true, ...signed });
    }
  }
  const switches = await modelSwitches(world, specs);
  try {
    return await new Storm(world.service, otherNode, switches, wayOf).run(options);
  } finally {
    await switches.stop();
  }
}

class Storm {
  readonly #nodes: readonly Service[];
  readonly #switches: ModelledSwitches;
  readonly #wayOf: ReadonlyMap<string, Way>;
  readonly #ports = new Map<string, Port[]>();
  readonly #tookMs: number[] = [];
  readonly #faults: string[] = [];

  constructor(node: Service, otherNode: Service, switches: ModelledSwitches, wayOf: ReadonlyMap<string, Way>) {
    this.#nodes = [node, otherNode];
    this.#switches = switches;
    this.#wayOf = wayOf;
  }

  async run({ perSecond, seconds }: { perSecond: number; seconds: number }): Promise<TrapStormReport> {
    await this.#prepare();
    const began = performance.now();
    const until = began + seconds * 1_000;
    const sending = new Set<Promise<void>>();
    await Promise.all(
      [...this.#wayOf].map(([address, way]) =>
        this.#blow(address, perSwitch(this.#wayOf, way, perSecond), until, sending),
      ),
    );
    await Promise.all(sending);
    const tookSeconds = (performance.now() - began) / 1_000;
    await this.#drained();
    const report = await this.#judge();
    const replaysRefused = await this.#replay();
    return {
      ...report,
      replaysRefused,
      seconds: tookSeconds,
      outcomes: await Promise.all(this.#nodes.map(outcomesOf)),
      faults: this.#faults,
    };
  }

  async #prepare(): Promise<void> {
    for (const [address, way] of this.#wayOf) {
      const ports: Port[] = [];
      for (let number = 1; number <= portsUsed; number++) {
        const id = Number((await this.#switches.portAt(address, number)).dbid);
        ports.push({ way, address, number, isUp: true, isBusy: false, sent: 0, acknowledged: 0, id });
      }
      this.#ports.set(address, ports);
      const targets = this.#nodes.map(
        ({ trapPort }): TrapTarget => ({
          host: '127.0.0.1',
          port: trapPort!,
          version: way === 'signed informs' ? 'v3' : 'v2c',
          isInform: way !== 'traps',
          ...(way === 'signed informs' && { user }),
        }),
      );
      await this.#switches.sendTrapsTo(address, ...targets);
      if (way !== 'traps') await this.#switches.disturb(address, { loseEvery });
    }
  }

  /**
   * Sends for one switch: for its ports in turn, at its rate, for each port only after its previous message is
   * finished.
   */
  async #blow(address: string, perSecond: number, until: number, sending: Set<Promise<void>>): Promise<void> {
    const ports = this.#ports.get(address)!;
    const began = performance.now();
    // A busy machine acknowledges few of them in time, and sends for longer.
    const isOver = () => performance.now() > until + (this.#tookMs.length > acknowledgedMin ? 0 : drainMsMax);
    for (let n = 0; !isOver(); n++) {
      await sleep(Math.max(0, began + (n * 1_000) / perSecond - performance.now()));
      const port = [...ports.slice(n % portsUsed), ...ports].find(({ isBusy }) => !isBusy);
      if (!port) continue;
      const message = this.#turn(port).finally(() => sending.delete(message));
      sending.add(message);
    }
  }

  async #turn(port: Port): Promise<void> {
    port.isBusy = true;
    port.isUp = !port.isUp;
    port.sent += 1;
    const began = performance.now();
    if (await this.#switches.setLink(port.address, port.number, port.isUp)) {
      port.acknowledged += 1;
      this.#tookMs.push(performance.now() - began);
    }
    port.isBusy = false;
  }

  /** Waits until no message is pending, and no new event is written. */
  async #drained(): Promise<void> {
    const { pool } = this.#nodes[0]!.runtime;
    const count = async () => (await pool.query('select count(*)::integer as n from event')).rows[0].n as number;
    for (
      let before = -1, now = await count(), began = Date.now();
      before !== now && Date.now() - began < drainMsMax;
    ) {
      await sleep(1_000);
      [before, now] = [now, await count()];
    }
  }

  async #judge() {
    const { pool } = this.#nodes[0]!.runtime;
    const { rows } = await pool.query<{ id: number; events: number; isUp: boolean }>(
      `select p.id, p.ifoper_status = 1 as "isUp",
         (select count(*)::integer from event e where e.element_type = 3 and e.element_id = p.id and e.name in ('PORT_LINK_UP', 'PORT_LINK_DOWN')) as events
       from port p where p.id = any($1::bigint[])`,
      [[...this.#ports.values()].flat().map(({ id }) => id)],
    );
    const stored = new Map(rows.map((row) => [row.id, row]));
    const totals = { sent: 0, acknowledged: 0, unacknowledged: 0, lostTraps: 0, events: 0 };
    for (const port of [...this.#ports.values()].flat()) {
      const { events, isUp } = stored.get(port.id)!;
      totals.sent += port.sent;
      totals.events += events;
      totals.acknowledged += port.acknowledged;
      if (port.way === 'traps') totals.lostTraps += Math.max(0, port.sent - events);
      else totals.unacknowledged += port.sent - port.acknowledged;
      if (events > port.sent) this.#faults.push(`${nameOf(port)}: ${events} events of ${port.sent} changes`);
      if (events < port.acknowledged)
        this.#faults.push(`${nameOf(port)}: ${events} events of ${port.acknowledged} acknowledged changes`);
      const isCertain = port.way === 'traps' ? events === port.sent : port.acknowledged === port.sent;
      if (isCertain && isUp !== port.isUp) this.#faults.push(`${nameOf(port)}: has not the state of its last message`);
    }
    const sorted = this.#tookMs.toSorted((a, another) => a - another);
    const quantile = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0);
    return { ...totals, switches: this.#wayOf.size, acknowledgedMs: { median: quantile(0.5), p99: quantile(0.99) } };
  }

  /** Records a signed trap and sends it again, to both nodes. */
  async #replay(): Promise<number> {
    const [address] = [...this.#wayOf].find(([, way]) => way === 'signed informs')!;
    const port = this.#ports.get(address)![0]!;
    const recorder = createSocket('udp4').bind(0, '127.0.0.1');
    await once(recorder, 'listening');
    await this.#switches.disturb(address, {});
    await this.#switches.sendTrapsTo(address, {
      host: '127.0.0.1',
      port: recorder.address().port,
      version: 'v3',
      user,
    });
    const recorded = once(recorder, 'message');
    await this.#switches.setLink(port.address, port.number, !port.isUp);
    const [datagram] = (await recorded) as [Buffer];
    const { pool } = this.#nodes[0]!.runtime;
    const newest = async () =>
      (
        await pool.query('select count(*)::integer as n from event e where e.element_type = 3 and e.element_id = $1', [
          port.id,
        ])
      ).rows[0].n as number;
    const [before, refusedBefore] = [await newest(), (await outcomesOf(this.#nodes[0]!)).replayed!];
    const times = 5;
    for (let n = 0; n <= times; n++)
      for (const { trapPort } of this.#nodes)
        await new Promise((done) => recorder.send(datagram, trapPort!, '127.0.0.1', done));
    const isRefused = async () => (await outcomesOf(this.#nodes[0]!)).replayed === refusedBefore + times;
    // Refused datagrams are counted at once, accepted ones are stored a while later.
    const isOver = async () => (await isRefused()) && (await newest()) > before;
    for (const began = performance.now(); !(await isOver()) && performance.now() - began < drainMsMax; )
      await sleep(50);
    recorder.close();
    if (!(await isRefused())) this.#faults.push('a replayed trap was not refused');
    if ((await newest()) !== before + 1)
      this.#faults.push(`a trap and its copies gave ${(await newest()) - before} events`);
    return (await outcomesOf(this.#nodes[0]!)).replayed! - refusedBefore;
  }
}

const perSwitch = (wayOf: ReadonlyMap<string, Way>, way: Way, perSecond: number): number =>
  (perSecond * ways[way].share) / [...wayOf.values()].filter((otherWay) => otherWay === way).length;

const nameOf = ({ address, number, way }: Port): string => `${way} of ${address} port ${number}`;

async function outcomesOf({ metrics }: Service): Promise<Record<string, number>> {
  const counters = (await metrics.page()).matchAll(/^portreeve_traps_total\{outcome="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...counters].map(([, outcome, count]) => [outcome!, Number(count)]));
}
