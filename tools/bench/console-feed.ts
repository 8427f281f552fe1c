import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsOf } from '@portreeve/testbed/cpu.ts';
import type pg from 'pg';
import { type Figure, share } from '../../console/e2e/figures/figure.ts';
import { busyOf, type Watched } from '../../console/e2e/figures/page-figures.ts';
import type { BenchNode } from './node.ts';

/** Hosts that are on screen in a list without a filter, and those that changes are spread over. */
const shownHosts = 30;

/** Changes hosts, so many a second, until it is stopped. */
class Changer {
  readonly #client: pg.Client;
  readonly #ids: readonly number[];
  readonly #perSecond: number;
  #isOver = false;
  #done = Promise.resolve();
  changed = 0;

  constructor(client: pg.Client, ids: readonly number[], perSecond: number) {
    this.#client = client;
    this.#ids = ids;
    this.#perSecond = perSecond;
    this.#done = this.#run();
  }

  async #run(): Promise<void> {
    const begun = performance.now();
    for (let n = 0; !this.#isOver; n++) {
      // Ten statements a second, as many rows each as make up the rate.
      const ids = Array.from({ length: this.#perSecond / 10 }, (_, at) => this.#ids[(n * 7 + at) % this.#ids.length]);
      await this.#client.query(`update host set notes = $2 where id = any($1::bigint[])`, [ids, `change ${n}`]);
      this.changed += ids.length;
      await sleep(Math.max(0, begun + (n + 1) * 100 - performance.now()));
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }
}

/** A list without a filter, while its rows change: how busy the page is, and whether it grows. */
export async function watchedRows(watched: Watched, client: pg.Client, minutes: number): Promise<Figure[]> {
  const { page, cdp, url } = watched;
  await page.goto(`${url}/console/hosts`);
  await page.getByRole('button', { name: 'Live' }).waitFor();
  const ids = Array.from({ length: shownHosts }, (_, at) => at + 1);
  const changer = new Changer(client, ids, 100);
  await sleep(5_000);
  const settle = async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    return (await busyOf(cdp)).heapBytes;
  };
  const before = await busyOf(cdp);
  const begun = performance.now();
  await sleep(15_000);
  const busy = (((await busyOf(cdp)).busyMs - before.busyMs) / (performance.now() - begun)) * 100;
  const heapBefore = await settle();
  const until = performance.now() + minutes * 60_000;
  while (performance.now() < until) {
    // Somebody is there: a page that is only watched is signed out.
    await page.getByRole('grid').press('j');
    await sleep(Math.min(30_000, Math.max(0, until - performance.now())));
  }
  const heapAfter = await settle();
  await changer.stop();
  const megabytes = (bytes: number) => (bytes / 1_048_576).toFixed(1);
  return [
    { name: 'feed of 100 changes a second on visible rows, main thread', value: busy, goal: 25, unit: '%' },
    {
      name: `growth of the heap in ${minutes} minutes of it`,
      value: (heapAfter / heapBefore - 1) * 100,
      goal: 10,
      unit: '%',
      note: `${megabytes(heapBefore)} MB, then ${megabytes(heapAfter)} MB`,
    },
  ];
}

/** A stream of changes, as a console opens one. */
class Stream {
  readonly #closing = new AbortController();
  readonly ended: Promise<void>;

  constructor(node: BenchNode) {
    this.ended = this.#read(node).catch(() => undefined);
  }

  async #read({ port, token }: BenchNode): Promise<void> {
    const reply = await fetch(`http://127.0.0.1:${port}/console/api/feed?topic=host&topic=event`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      signal: this.#closing.signal,
    });
    if (!reply.ok) throw new Error(`A stream was answered ${reply.status}.`);
    for await (const _ of reply.body!);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.ended;
  }
}

const streamCount = 49;
const cpuSeconds = 15;

/** What fifty consoles that are open cost a node, and how late a change is on screen. */
export async function manyStreams(watched: Watched, node: BenchNode, client: pg.Client): Promise<Figure[]> {
  const { page, url, hosts } = watched;
  await page.goto('about:blank');
  const everywhere = Array.from({ length: 5_000 }, (_, at) => 1 + ((at * 193) % hosts));
  const changer = new Changer(client, everywhere, 500);
  const cpuShare = async (): Promise<number> => {
    await sleep(3_000);
    const [cpu, begun] = [cpuMsOf(node.pid), performance.now()];
    await sleep(cpuSeconds * 1_000);
    return ((cpuMsOf(node.pid) - cpu) / (performance.now() - begun)) * 100;
  };
  const alone = await cpuShare();
  await page.goto(`${url}/console/hosts`);
  await page.getByRole('button', { name: 'Live' }).waitFor();
  const streams = Array.from({ length: streamCount }, () => new Stream(node));
  const withStreams = await cpuShare();
  const times: number[] = [];
  for (let n = 0; n < 15; n++) {
    const name = `seen-${Date.now()}`;
    await client.query('update host set host_name = $1 where id = 1', [name]);
    const begun = performance.now();
    await page.locator('.grid-rows').getByText(name, { exact: true }).first().waitFor();
    times.push(performance.now() - begun);
    await sleep(137 * (n % 7));
  }
  await changer.stop();
  await Promise.all(streams.map((stream) => stream.close()));
  return [
    {
      name: '50 streams at 500 changes a second, more of one core than none',
      value: withStreams - alone,
      goal: 10,
      unit: '%',
      note: `${alone.toFixed(1)} % without, ${withStreams.toFixed(1)} % with them`,
    },
    {
      name: 'change to screen p95',
      value: share(times, 0.95),
      goal: 2_000,
      unit: 'ms',
      note: `median ${share(times, 0.5).toFixed(0)} ms`,
    },
  ];
}
