import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsOf } from '@portreeve/testbed/cpu.ts';
import type pg from 'pg';
import { type Figure, share } from '../../console/e2e/figures/figure.ts';
import { busyOf, type Watched } from '../../console/e2e/figures/page-figures.ts';
import type { BenchNode } from './node.ts';

/** Hosts on the screen in a list without a filter, and hosts that changes are spread over. */
const shownHosts = 30;

/** Changes hosts at a rate until it is stopped. */
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
    // The error is thrown when it is stopped; if the work ends earlier, its connection is closed.
    this.#done.catch(() => undefined);
  }

  async #run(): Promise<void> {
    const startMs = performance.now();
    for (let n = 0; !this.#isOver; n++) {
      // Ten statements a second, with as many rows each as the rate needs.
      const ids = Array.from(
        { length: this.#perSecond / 10 },
        (_, index) => this.#ids[(n * 7 + index) % this.#ids.length],
      );
      await this.#client.query(`update host set notes = $2 where id = any($1::bigint[])`, [ids, `change ${n}`]);
      await sleep(Math.max(0, startMs + (n + 1) * 100 - performance.now()));
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }
}

/**
 * Returns the bytes of compiled code of a page: for minutes the browser compiles frequently used code, and again with
 * optimisation.
 */
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
  for (let offset = 0; offset < nodes.length; offset += fields.length)
    if (nodes[offset + type] === code) bytes += nodes[offset + size]!;
  return bytes;
}

/** Measures a list without a filter while its rows change: how busy the page is, and whether its memory grows. */
export async function watchedRows(watched: Watched, client: pg.Client, minutes: number): Promise<Figure[]> {
  const { page, cdp, url } = watched;
  await page.goto(`${url}/console/hosts`);
  await page.getByRole('button', { name: 'Live' }).waitFor();
  const ids = Array.from({ length: shownHosts }, (_, index) => index + 1);
  const changer = new Changer(client, ids, 100);
  await sleep(5_000);
  const settle = async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    return (await busyOf(cdp)).heapBytes;
  };
  const before = await busyOf(cdp);
  const startMs = performance.now();
  await sleep(15_000);
  const busy = (((await busyOf(cdp)).busyMs - before.busyMs) / (performance.now() - startMs)) * 100;
  const codeBefore = await codeBytesOf(cdp);
  // Every five minutes: whether memory still grows at the end shows more than the total growth.
  const heaps = [await settle()];
  const until = performance.now() + minutes * 60_000;
  for (let n = 1; performance.now() < until; n++) {
    // Simulates a user, because an idle page is signed out. The cursor stays in place: further down the page would hold
    // more rows.
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

/** Opens a stream of changes like a console, and reads it until it is closed. */
async function openStream(port: number, token: string) {
  const closing = new AbortController();
  const reply = await fetch(`http://127.0.0.1:${port}/console/api/feed?topic=host&topic=event`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    signal: closing.signal,
  });
  if (!reply.ok) throw new Error(`A stream was answered ${reply.status}: ${await reply.text()}`);
  let messages = 0;
  const readMessages = async () => {
    for await (const _ of reply.body!) messages++;
  };
  const ended = readMessages().catch((error: unknown) => {
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

/** Creates a token for some of the streams: one token may have twenty. */
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

/** Measures the cost of fifty open consoles for a node, and the delay of a change on the screen. */
export async function manyStreams(watched: Watched, node: BenchNode, client: pg.Client): Promise<Figure[]> {
  const { page, url, hosts } = watched;
  await page.goto('about:blank');
  const everywhere = Array.from({ length: 5_000 }, (_, index) => 1 + ((index * 193) % hosts));
  const changer = new Changer(client, everywhere, 500);
  const cpuShare = async (): Promise<number> => {
    await sleep(3_000);
    const [cpu, startMs] = [cpuMsOf(node.pid), performance.now()];
    await sleep(cpuSeconds * 1_000);
    return ((cpuMsOf(node.pid) - cpu) / (performance.now() - startMs)) * 100;
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
    const startMs = performance.now();
    await page.locator('.grid-rows').getByText(name, { exact: true }).first().waitFor();
    times.push(performance.now() - startMs);
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
