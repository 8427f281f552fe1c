import { setTimeout as sleep } from 'node:timers/promises';
import { type OneAddress, startOneAddress } from '@portreeve/testbed/one-address.ts';
import { container } from '../../src/device/container/container.ts';
import type { ServedCell } from '../world/cell.ts';
import { idOf } from '../world/node-client.ts';
import { until } from '../world/patience.ts';
import { generator } from './storm.ts';
import { Pair } from './two-nodes.ts';

export interface StreamReport {
  kills: number;
  /** How often the stream was opened. */
  opened: number;
  /** Records that were created or changed meanwhile, and those that the stream named. */
  written: number;
  named: number;
  missed: number[];
  /** Milliseconds from each kill to the next message. */
  silentMs: number[];
}

const writers = 2;
const betweenWritesMs = 30;

/**
 * Opens a stream of the console behind one address, and kills the node that serves it again and again, while records
 * are written.
 */
export async function streamThroughDeath(
  cell: ServedCell,
  { kills, seed }: { kills: number; seed: number },
): Promise<StreamReport> {
  const address = await startOneAddress(cell.nodes.map(({ port }) => port));
  const pair = new Pair(cell, generator(seed));
  const create = async (name: string) => idOf(await pair.call('POST', container.path!, { name }));
  const there: number[] = [];
  for (let n = 0; n < 200; n++) there.push(await create(`before ${seed} ${n}`));
  const stream = new Stream(address, cell.client(cell.nodes[0]!).authorization);
  const writtenIds = new Set<number>();
  let isOver = false;
  const writer = async (name: string): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      // Each record is written once, so a named record is one that was not missed.
      const id = n % 2 === 0 ? there.pop() : undefined;
      if (id === undefined) writtenIds.add(await create(`${name} ${n}`));
      else {
        await pair.call('POST', container.path!, { id, name: `${name} ${n}` });
        writtenIds.add(id);
      }
      await sleep(betweenWritesMs);
    }
  };
  try {
    await until('the start of the stream', () => stream.messages > 0);
    const writing = Array.from({ length: writers }, (_, n) => writer(`writer ${seed} ${n}`));
    const silentMs: number[] = [];
    for (let n = 0; n < kills; n++) {
      await sleep(1_500);
      const used = cell.nodes.find(({ port }) => port === address.current())!;
      await cell.kill9(used);
      const killedMs = performance.now();
      const before = stream.messages;
      await until('a message from the other node', () => stream.messages > before);
      silentMs.push(performance.now() - killedMs);
      await sleep(500);
      await cell.startNode(used);
    }
    isOver = true;
    await Promise.all(writing);
    const last = await create(`last ${seed}`);
    await until('the last change in the stream', () => stream.named.has(last));
    const missed = [...writtenIds].filter((id) => !stream.named.has(id));
    return { kills, opened: stream.opened, written: writtenIds.size, named: stream.named.size - 1, missed, silentMs };
  } finally {
    isOver = true;
    await stream.close();
    await address.close();
  }
}

interface Entry {
  changes: { topic: string; ids: number[]; many: boolean }[];
}

/** Reads a stream like a browser: after an error it is opened again, after the last received message. */
class Stream {
  readonly named = new Set<number>();
  messages = 0;
  opened = 0;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #closing = new AbortController();
  readonly #done: Promise<void>;
  #position: string | undefined;

  constructor({ port }: OneAddress, authorization: Readonly<Record<string, string>>) {
    this.#url = `http://127.0.0.1:${port}/console/api/feed?topic=container`;
    this.#headers = { ...authorization, accept: 'text/event-stream' };
    this.#done = this.#follow();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#done;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      // A broken or refused stream is opened again.
      await this.#read().catch(() => undefined);
      await sleep(100, undefined, { signal }).catch(() => undefined);
    }
  }

  async #read(): Promise<void> {
    const reply = await fetch(this.#url, {
      headers: { ...this.#headers, ...(this.#position !== undefined && { 'last-event-id': this.#position }) },
      signal: this.#closing.signal,
    });
    if (!reply.ok) throw new Error(`The stream returned ${reply.status}: ${await reply.text()}`);
    this.opened++;
    let rest = '';
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop()!;
      for (const part of parts) this.#take(part);
    }
  }

  #take(message: string): void {
    const lines = new Map(message.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line] as const));
    const [id, data] = [lines.get('id')?.slice(3).trim(), lines.get('data')?.slice(5)];
    if (id === undefined || data === undefined) return;
    this.messages++;
    this.#position = id;
    for (const { ids, many } of (JSON.parse(data) as Entry).changes) {
      if (many) throw new Error('More changed than the stream names: this trial writes too fast.');
      for (const id of ids) this.named.add(id);
    }
  }
}
