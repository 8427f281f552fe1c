import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionLimits } from '../../../src/kernel/http/connections.ts';
import { largeList } from './hostile-cell.ts';
import type { Target } from './target.ts';
import { Malformed, Wire } from './wire.ts';

/** More than its time a node may need to notice, on a busy machine. */
const noticeSeconds = 60;

/** Half open on purpose: a node cannot count on the other side to close. */
function opened(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  // A node that closes on us while we write resets the connection.
  return socket.on('error', () => undefined);
}

/** Nothing at all, or the beginning of a request. */
const halves = [
  '',
  'G',
  'GET /no-such-page HTTP/1.1\r\n',
  'GET /api/v2/device/container HTTP/1.1\r\nHost: trial\r\nX-Half: ',
];

export interface FloodReport {
  connected: number;
  openMax: number;
  words: string;
  faults: string[];
}

/** Half-open connections as many as are to be held, then more than the node takes; then it is waited for the node to close them. */
export async function flood(
  port: number,
  limits: ConnectionLimits,
  options: { halfOpen: number; beyond: number; holdSeconds: number },
): Promise<FloodReport> {
  const made = new Flood(port);
  const held = Math.min(options.halfOpen, limits.max);
  await made.hold(held, options.holdSeconds, () => made.openMax >= held);
  const tooMany = Math.max(options.halfOpen, limits.max + options.beyond);
  await made.hold(tooMany, options.holdSeconds / 2, () => made.connected >= tooMany);
  const { seconds, left } = await made.closed(limits.headersSeconds + 60);
  const faults = left > 0 ? [`${left} connections were not closed`] : [];
  if (made.openMax < held) faults.push(`only ${made.openMax} connections were open at once`);
  const words = `${made.openMax} open at once, ${made.connected} in all; the node closed the last ${seconds.toFixed(0)} s after the end`;
  return { connected: made.connected, openMax: made.openMax, words, faults };
}

/** Connections that are opened and then leave the node waiting. */
class Flood {
  readonly #port: number;
  readonly #open = new Set<Socket>();
  connected = 0;
  openMax = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Keeps so many connections open for a while, and until that is reached: each one that the node closes is opened again. */
  async hold(count: number, seconds: number, isReached: () => boolean): Promise<void> {
    const end = performance.now() + seconds * 1_000;
    const isDue = () => performance.now() > (isReached() ? end : end + noticeSeconds * 1_000);
    for (let tries = 0; !isDue(); await sleep(20))
      for (let n = Math.min(200, count - this.#open.size); n > 0; n--) this.#connect(halves[tries++ % halves.length]!);
  }

  #connect(half: string): void {
    const socket = opened(this.#port);
    this.#open.add(socket);
    socket.once('connect', () => {
      this.connected++;
      this.openMax = Math.max(this.openMax, this.#open.size);
      socket.write(half);
    });
    // What the node has ended we close too, but not before.
    socket.resume().once('end', () => socket.destroy());
    socket.once('close', () => this.#open.delete(socket));
  }

  /** Seconds until the node has closed all of them; those that it has not closed by then are told, and given up. */
  async closed(secondsMax: number): Promise<{ seconds: number; left: number }> {
    const before = performance.now();
    while (this.#open.size > 0 && performance.now() - before < secondsMax * 1_000) await sleep(50);
    const left = this.#open.size;
    for (const socket of this.#open) socket.destroy();
    return { seconds: (performance.now() - before) / 1_000, left };
  }
}

export interface SlowReport {
  clients: number;
  /** Answers that were asked for, not read, and given up by the node. */
  givenUp: number;
  words: string;
  faults: string[];
}

const dripMs = 500;

/** Clients that send a header or a body byte by byte, and clients that ask for much and read nothing. */
export async function slowClients(target: Target, each: number, limits: ConnectionLimits): Promise<SlowReport> {
  const head = `Host: trial\r\n${target.authorization}\r\n`;
  const list = `GET ${largeList} HTTP/1.1\r\n${head}`;
  const post = `POST /api/v2/device/container HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n`;
  const many = <T>(client: (number: number) => Promise<T>) =>
    Promise.all(Array.from({ length: each }, (_, number) => client(number)));
  const headers = many(() => drip(target.port, `${list}X-Slow: `, limits.headersSeconds + noticeSeconds));
  const bodies = many(() => drip(target.port, post, limits.requestSeconds + noticeSeconds));
  const unread = await many((number) =>
    // One after the other: that many large lists at once would be a load, and no idle client.
    sleep(number * 100).then(() => readNothing(target.port, `${list}\r\n`, limits.unreadSeconds)),
  );
  const [headersSeconds, bodiesSeconds] = [Math.max(...(await headers)), Math.max(...(await bodies))];
  const givenUp = unread.filter((end) => end === 'given up').length;
  const faults = unread.filter((end) => end === 'held').map(() => 'an answer that nobody read was kept');
  if (headersSeconds === Number.POSITIVE_INFINITY) faults.push('a slow header was waited for without end');
  if (bodiesSeconds === Number.POSITIVE_INFINITY) faults.push('a slow body was waited for without end');
  if (givenUp === 0) faults.push('no answer was large enough to be given up');
  const words = `${3 * each} clients; headers closed after ${headersSeconds.toFixed(0)} s, bodies after ${bodiesSeconds.toFixed(0)} s, ${givenUp} answers that nobody read given up`;
  return { clients: 3 * each, givenUp, words, faults };
}

/** Sends a byte now and then; answers after how many seconds the node had enough. */
async function drip(port: number, start: string, secondsMax: number): Promise<number> {
  const socket = opened(port);
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  socket.resume().once('end', end).once('close', end);
  socket.write(start);
  const before = performance.now();
  const elapsed = () => (performance.now() - before) / 1_000;
  while (!isOver && elapsed() < secondsMax) {
    await sleep(dripMs);
    if (!isOver) socket.write('x');
  }
  socket.destroy();
  return isOver ? elapsed() : Number.POSITIVE_INFINITY;
}

/** Whether the node has a connection to this port of ours, as the kernel has it (proc(5), tcp_states.h: 01 is ESTABLISHED). */
function isEstablished(nodePort: number, ourPort: number): boolean {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const row = new RegExp(String.raw`: \w+:${hex(nodePort)} \w+:${hex(ourPort)} 01 `);
  return ['tcp', 'tcp6'].some((table) => row.test(readFileSync(`/proc/net/${table}`, 'latin1')));
}

/** Asks for an answer that is larger than what lies between us and the node, takes its beginning, and looks later what became of the rest. */
async function readNothing(port: number, request: string, seconds: number): Promise<'given up' | 'held' | 'not given'> {
  const wire = await Wire.open(port);
  wire.send(request);
  await once(wire.socket, 'data');
  wire.socket.pause();
  // A paused socket does not see its end: it is read on when the node has given it up, and then the rest is missing.
  const { localPort } = wire.socket;
  for (
    const end = performance.now() + (seconds + noticeSeconds) * 1_000;
    isEstablished(port, localPort!) && performance.now() < end;
    await sleep(100)
  );
  wire.socket.resume();
  try {
    const got = await wire.next(noticeSeconds * 1_000);
    if (got === 'closed') return 'given up';
    // A machine that is busy with other things may refuse the list as too expensive.
    return typeof got !== 'string' && got.code !== 200 ? 'not given' : 'held';
  } catch (error) {
    if (error instanceof Malformed) return 'given up';
    throw error;
  } finally {
    wire.close();
  }
}
