import { setTimeout as sleep } from 'node:timers/promises';
import { radiusGlobal } from '../../src/radius/radius-global/radius-global.ts';
import { until } from '../world/patience.ts';
import { hosts, openRadiusCell, type RadiusCell, Switch, secret } from './radius-cell.ts';

/** How long a change took to reach the logins. */
export interface ChangeRow {
  change: string;
  /**
   * From the response of the API until the replies of every node use the change, or the longest time without a reply.
   */
  ms: number;
  /** The durations of several changes, in order. */
  allMs: number[];
  goalMs: number;
}

const everyMs = 5;
const secretMsMax = 1_000;
const gapMsMax = 300;
const settleMs = 2_000;

/** Makes changes during logins: another secret of an access device, and a roll-out with one server. */
export async function timeChanges(options: {
  perSecond: number;
  times: number;
  report?(row: ChangeRow): void;
}): Promise<{ rows: ChangeRow[]; faults: string[] }> {
  const radius = await openRadiusCell(2);
  const faults: string[] = [];
  const rows: ChangeRow[] = [];
  const add = (change: string, allMs: number[], goalMs: number) => {
    const row = { change, ms: Math.max(...allMs), allMs, goalMs };
    rows.push(row);
    options.report?.(row);
    if (row.ms > goalMs) faults.push(`${change}: ${row.ms} ms`);
  };
  try {
    const load = new Load(radius, options.perSecond);
    await load.open();
    const pids = await pidsOf(radius);
    const secretsMs: number[] = [];
    for (let n = 1; n <= options.times; n++) {
      // An engine caches a client that it looked up for a second.
      await sleep(settleMs);
      secretsMs.push(await changeSecret(radius, load, `${secret}-${n}`));
    }
    add('another secret, on both nodes', secretsMs, secretMsMax);
    if (JSON.stringify(await pidsOf(radius)) !== JSON.stringify(pids)) faults.push('an engine is another process');
    const gapsMs: number[] = [];
    for (let n = 1; n <= options.times; n++) gapsMs.push(await rollOut(radius, load, n));
    add('a roll-out, with one server', gapsMs, gapMsMax);
    faults.push(...(await load.close()));
    return { rows, faults };
  } finally {
    await radius.close();
  }
}

const pidsOf = ({ engines }: RadiusCell) => Promise.all(engines.map(async (engine) => (await engine.running())!.pid));

/** Returns the milliseconds until both nodes accept packets with the new secret. */
async function changeSecret({ cell }: RadiusCell, load: Load, nextSecret: string): Promise<number> {
  const client = cell.client(cell.nodes[0]!);
  const { rows } = await cell.sql.query<{ id: number }>('select id from network_device');
  const reply = await client.post(`/device/snmp/${rows[0]!.id}`, { radiusSecret: nextSecret });
  if (reply.code !== 200) throw new Error(`the device returned ${reply.code}`);
  const startMs = performance.now();
  load.use(nextSecret);
  await Promise.all(hosts.map((host) => until(`a reply of ${host}`, () => load.isAnswered(host))));
  return Math.round(performance.now() - startMs);
}

/**
 * Returns the longest time in milliseconds without a reply of the first server, from a change of the settings until it
 * runs.
 */
async function rollOut({ cell }: RadiusCell, load: Load, n: number): Promise<number> {
  const client = cell.client(cell.nodes[0]!);
  load.watch();
  const before = await generation(cell);
  const { code } = await client.post(radiusGlobal.path!, { nasCacheSeconds: 600 + n });
  if (code !== 200) throw new Error(`the settings returned ${code}`);
  await until('the roll-out', async () => {
    const { rows } = await cell.sql.query<{ lowest: number }>(
      'select min(radius_generation) as lowest from cluster_node',
    );
    return Number(rows[0]!.lowest) > before;
  });
  await sleep(1_000);
  return load.longestMs();
}

async function generation(cell: RadiusCell['cell']): Promise<number> {
  const { rows } = await cell.sql.query<{ applied: number }>(
    `select max(radius_generation) as applied from cluster_node`,
  );
  return Number(rows[0]!.applied);
}

/** Sends logins to the first server, each once, and measures the longest time without a reply. */
class Load {
  readonly #perSecond: number;
  readonly #asking: Switch;
  #isOver = false;
  #running: Promise<void> = Promise.resolve();
  #answeredMs = 0;
  #longestMs = 0;
  #wrong = 0;
  #sent = 0;

  constructor({ authPort }: RadiusCell, perSecond: number) {
    this.#perSecond = perSecond;
    this.#asking = new Switch(authPort);
  }

  async open(): Promise<void> {
    await this.#asking.open();
    for (const host of hosts) await until(`a reply of ${host}`, () => this.isAnswered(host));
    this.#running = this.#run();
  }

  use(nextSecret: string): void {
    this.#asking.secret = nextSecret;
  }

  async isAnswered(host: string): Promise<boolean> {
    return (await this.#asking.askOnce(host, this.#sent++ % 100, everyMs * 10)) === 'right';
  }

  watch(): void {
    this.#answeredMs = performance.now();
    this.#longestMs = 0;
  }

  longestMs(): number {
    return Math.round(Math.max(this.#longestMs, performance.now() - this.#answeredMs));
  }

  async close(): Promise<string[]> {
    this.#isOver = true;
    await this.#running;
    this.#asking.close();
    return this.#wrong > 0 ? [`${this.#wrong} were rejected or got a wrong VLAN`] : [];
  }

  async #run(): Promise<void> {
    const startMs = performance.now();
    for (let sentLogins = 0; !this.#isOver; await sleep(everyMs))
      for (; sentLogins < ((performance.now() - startMs) * this.#perSecond) / 1_000; sentLogins++) void this.#one();
  }

  async #one(): Promise<void> {
    const outcome = await this.#asking.askOnce(hosts[0]!, this.#sent++ % 100, 1_000);
    const now = performance.now();
    if (outcome === 'wrong' || outcome === 'rejected') this.#wrong += 1;
    if (outcome !== 'right') return;
    this.#longestMs = Math.max(this.#longestMs, now - this.#answeredMs);
    this.#answeredMs = now;
  }
}
