import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionLimits } from '../../../src/kernel/http/connections.ts';
import { largeList } from './hostile-cell.ts';
import type { Target } from './target.ts';
import { Malformed, Wire } from './wire.ts';

/** How much longer than its limit a node may take to close a connection on a busy machine. */
const noticeSeconds = 60;

/** Opens a connection that stays half-open: a node must not depend on the client to close. */
function opened(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  // If the node closes while this side writes, the connection is reset.
  return socket.on('error', () => undefined);
}

/** No bytes, or the beginning of a request. */
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

/**
 * Opens the given number of half-open connections, then more than the node accepts, and waits for the node to close all
 * of them.
 */
export async function flood(
  port: number,
  limits: ConnectionLimits,
  options: { halfOpen: number; beyond: number; holdSeconds: number },
): Promise<FloodReport> {
  const connections = new Flood(port);
  const heldMax = Math.min(options.halfOpen, limits.max);
  await connections.hold(heldMax, options.holdSeconds, () => connections.openMax >= heldMax);
  const tooMany = Math.max(options.halfOpen, limits.max + options.beyond);
  await connections.hold(tooMany, options.holdSeconds / 2, () => connections.connected >= tooMany);
  const { seconds, left: unclosed } = await connections.closed(limits.headersSeconds + 60);
  const faults = unclosed > 0 ? [`${unclosed} connections were not closed`] : [];
  if (connections.openMax < heldMax) faults.push(`only ${connections.openMax} connections were open at once`);
  const words = `${connections.openMax} open at once, ${connections.connected} in all; the node closed the last ${seconds.toFixed(0)} s after the end`;
  return { connected: connections.connected, openMax: connections.openMax, words, faults };
}

/** Connections that are opened and then send nothing more. */
class Flood {
  readonly #port: number;
  readonly #open = new Set<Socket>();
  connected = 0;
  openMax = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /**
   * Keeps this many connections open for a while after the number is reached: each one that the node closes is opened
   * again.
   */
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
    // Closes what the node has ended, but not before.
    socket.resume().once('end', () => socket.destroy());
    socket.once('close', () => this.#open.delete(socket));
  }

  /**
   * Returns the seconds until the node has closed all connections. Connections that are open after the limit are
   * counted and closed.
   */
  async closed(secondsMax: number): Promise<{ seconds: number; left: number }> {
    const before = performance.now();
    while (this.#open.size > 0 && performance.now() - before < secondsMax * 1_000) await sleep(50);
    const unclosed = this.#open.size;
    for (const socket of this.#open) socket.destroy();
    return { seconds: (performance.now() - before) / 1_000, left: unclosed };
  }
}

export interface SlowReport {
  clients: number;
  /** Responses that were requested, not read, and aborted by the node. */
  givenUp: number;
  words: string;
  faults: string[];
}

const dripMs = 500;

/** Runs clients that send a header or a body byte by byte, and clients that request large lists and read nothing. */
export async function slowClients(target: Target, clientCount: number, limits: ConnectionLimits): Promise<SlowReport> {
  const head = `Host: trial\r\n${target.authorization}\r\n`;
  const list = `GET ${largeList} HTTP/1.1\r\n${head}`;
  const post = `POST /api/v2/device/container HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n`;
  const many = <T>(client: (number: number) => Promise<T>) =>
    Promise.all(Array.from({ length: clientCount }, (_, number) => client(number)));
  const headers = many(() => drip(target.port, `${list}X-Slow: `, limits.headersSeconds + noticeSeconds));
  const bodies = many(() => drip(target.port, post, limits.requestSeconds + noticeSeconds));
  const unread = await many((number) =>
    // Starts one after the other: that many large lists at once would be a load, not idle clients.
    sleep(number * 100).then(() => readNothing(target.port, `${list}\r\n`, limits.unreadSeconds)),
  );
  const [headersSeconds, bodiesSeconds] = [Math.max(...(await headers)), Math.max(...(await bodies))];
  const givenUp = unread.filter((end) => end === 'given up').length;
  const faults = unread.filter((end) => end === 'held').map(() => 'an unread response was kept');
  if (headersSeconds === Number.POSITIVE_INFINITY) faults.push('a slow header was not ended');
  if (bodiesSeconds === Number.POSITIVE_INFINITY) faults.push('a slow body was not ended');
  if (givenUp === 0) faults.push('no response was large enough to be aborted');
  const words = `${3 * clientCount} clients; headers closed after ${headersSeconds.toFixed(0)} s, bodies after ${bodiesSeconds.toFixed(0)} s, ${givenUp} unread responses aborted`;
  return { clients: 3 * clientCount, givenUp, words, faults };
}

/** Sends a byte now and then, and returns the seconds until the node closes the connection. */
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

/**
 * True if the node has a connection to this local port, according to the kernel (proc(5), tcp_states.h: 01 is
 * ESTABLISHED).
 */
function isEstablished(nodePort: number, ourPort: number): boolean {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const row = new RegExp(String.raw`: \w+:${hex(nodePort)} \w+:${hex(ourPort)} 01 `);
  return ['tcp', 'tcp6'].some((table) => row.test(readFileSync(`/proc/net/${table}`, 'latin1')));
}

/**
 * Requests a response that is larger than the socket buffers, reads its beginning, and checks later whether the node
 * aborted the rest.
 */
async function readNothing(port: number, request: string, seconds: number): Promise<'given up' | 'held' | 'not given'> {
  const wire = await Wire.open(port);
  wire.send(request);
  await once(wire.socket, 'data');
  wire.socket.pause();
  // A paused socket does not report its end. When the node has closed the connection, reading continues, and the rest
  // is missing.
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
    // A busy machine may refuse the list as too expensive.
    return typeof got !== 'string' && got.code !== 200 ? 'not given' : 'held';
  } catch (error) {
    if (error instanceof Malformed) return 'given up';
    throw error;
  } finally {
    wire.close();
  }
}
