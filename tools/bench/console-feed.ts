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
  readonly #done: Promise<void>;
  #isOver = false;

  constructor(client: pg.Client, ids: readonly number[], perSecond: number) {
    this.#client = client;
    this.#ids = ids;
    this.#perSecond = perSecond;
    this.#done = this.#run();
    // Who stops it hears of a failure; when another ends the work before, the connection ends under it.
    this.#done.catch(() => undefined);
  }

  async #run(): Promise<void> {
    const begun = performance.now();
    for (let n = 0; !this.#isOver; n++) {
      // Ten statements a second, as many rows each as make up the rate.
      const ids = Array.from({ length: this.#perSecond / 10 }, (_, at) => this.#ids[(n * 7 + at) % this.#ids.length]);
      await this.#client.query(`update host set notes = $2 where id = any($1::bigint[])`, [ids, `change ${n}`]);
      await sleep(Math.max(0, begun + (n + 1) * 100 - performance.now()));
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }
}

/** Bytes of compiled code that a page holds: for minutes the browser compiles what is used often, and again with what it has learned. */
async function codeBytesOf(cdp: Watched['cdp']): Promise<number> {
  const chunks: string[] = [];
  const take = ({ chunk }: { chunk: string }) => void chunks.push(chunk);
  cdp.on('HeapProfiler.addHeapSnapshotChunk', take);
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  cdp.off('HeapProfiler.addHeapSnapshotChunk', take);
  const { snapshot, nodes } = JSON.parse(chunks.join('')) as {
    snapshot: { meta: { node_fields: string[]; node_types: [string[]] } };
    nodes: number[];
  };
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size, code] = [fields.indexOf('type'), fields.indexOf('self_size'), types[0].indexOf('code')];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) if (nodes[at + type] === code) bytes += nodes[at + size]!;
  return bytes;
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
  const codeBefore = await codeBytesOf(cdp);
  // Every five minutes: whether it still grows at the end says more than by how much it has grown.
  const heaps = [await settle()];
  const until = performance.now() + minutes * 60_000;
  for (let n = 1; performance.now() < until; n++) {
    // Somebody is there: a page that is only watched is signed out. They stay where they are: further down are more rows to hold.
    await page.getByRole('grid').press(n % 2 === 1 ? 'j' : 'k');
    await sleep(Math.min(30_000, Math.max(0, until - performance.now())));
    if (n % 10 === 0 && performance.now() < until) heaps.push(await settle());
  }
  heaps.push(await settle());
  const code = (await codeBytesOf(cdp)) - codeBefore;
  await changer.stop();
  const megabytes = (bytes: number) => (bytes / 1_048_576).toFixed(2);
  return [
    { name: 'feed of 100 changes a second on visible rows, main thread', value: busy, goal: 25, unit: '%' },
    {
      name: `growth of the heap in ${minutes} minutes of it`,
      value: (heaps.at(-1)! / heaps[0]! - 1) * 100,
      goal: 10,
      unit: '%',
      note: `${heaps.map(megabytes).join(', ')} MB; of compiled code ${megabytes(code)} MB more`,
    },
  ];
}

/** Opens a stream of changes, as a console does; it is read until it is closed. */
async function openStream(port: number, token: string) {
  const closing = new AbortController();
  const reply = await fetch(`http://127.0.0.1:${port}/console/api/feed?topic=host&topic=event`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    signal: closing.signal,
  });
  if (!reply.ok) throw new Error(`A stream was answered ${reply.status}: ${await reply.text()}`);
  let messages = 0;
  const read = async () => {
    for await (const _ of reply.body!) messages++;
  };
  const ended = read().catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
  });
  return {
    messages: () => messages,
    async close(): Promise<void> {
      closing.abort();
      await ended;
    },
  };
}

/** A token of its own for some streams each: one may have twenty. */
async function anotherToken({ port, token }: BenchNode, name: string): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}/auth/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  if (!reply.ok) throw new Error(`A token was answered ${reply.status}: ${await reply.text()}`);
  return ((await reply.json()) as { results: [{ token: string }] }).results[0].token;
}

const streamCount = 49;
const streamsOfToken = 17;
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
  const streams = [];
  let token = node.token;
  for (let n = 0; n < streamCount; n++) {
    if (n % streamsOfToken === 0) token = await anotherToken(node, `stream ${n}`);
    streams.push(await openStream(node.port, token));
  }
  const withStreams = await cpuShare();
  const times: number[] = [];
  for (let n = 0; n < 15; n++) {
    const name = `seen-${n}`;
    await client.query('update host set host_name = $1 where id = 1', [name]);
    const begun = performance.now();
    await page.locator('.grid-rows').getByText(name, { exact: true }).first().waitFor();
    times.push(performance.now() - begun);
    await sleep(137 * (n % 7));
  }
  await changer.stop();
  const silent = streams.filter((stream) => stream.messages() < 2).length;
  await Promise.all(streams.map((stream) => stream.close()));
  if (silent > 0) throw new Error(`${silent} of ${streamCount} streams reported nothing.`);
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
