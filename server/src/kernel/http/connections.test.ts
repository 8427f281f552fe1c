import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import type { Failure } from '../failure.ts';
import { type ConnectionLimits, Connections, connectionDefaults } from './connections.ts';

/** Far more than the buffers between two sockets can contain. */
const large = Buffer.alloc(20 * 1_048_576);

const sizes: Readonly<Record<string, Buffer>> = {
  '/small': Buffer.from('small'),
  '/huge': Buffer.alloc(70 * 1_048_576),
};

const ended: (() => void)[] = [];
afterAll(() => {
  for (const end of ended) end();
});

/** Starts a server that sends a large response to every request, or refuses it. */
async function serving(limits: Partial<ConnectionLimits>) {
  const server = createServer((request, response) => {
    connections.markComplete(request);
    // A response that is ready when its client has just disconnected.
    if (request.url === '/late') return void response.once('close', () => connections.reserve(response, large.length));
    const bytes = sizes[request.url!] ?? large;
    try {
      connections.reserve(response, bytes.length);
    } catch (error) {
      return void response.writeHead((error as Failure).httpCode).end();
    }
    connections.expectReading(response);
    response.end(bytes);
  });
  const connections = new Connections(server, { ...connectionDefaults, ...limits });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ended.push(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const open = async (text = ''): Promise<Socket> => {
    // Half open: a server must not rely on the client to close.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    ended.push(() => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  const ask = (path: string): Promise<number> =>
    new Promise((done, fail) => {
      const request = get({ port, host: '127.0.0.1', path, agent: false }, (answer) => {
        answer.resume().once('end', () => done(answer.statusCode!));
      });
      request.once('error', fail);
    });
  return { server, open, ask };
}

const isGone = (socket: Socket): boolean => socket.destroyed || socket.readableEnded;

test('beyond the limit the longest waiting connection is closed, and requests are served', async () => {
  const { open, ask } = await serving({ max: 5 });
  const waiting: Socket[] = [];
  for (let n = 0; n < 5; n++) waiting.push((await open('GET / HT')).resume());
  expect(await ask('/small')).toBe(200);
  await expect.poll(() => waiting.map(isGone)).toEqual([true, false, false, false, false]);
});

test('a connection with a request is closed after idle ones, and never while its response is pending', async () => {
  const { open, ask } = await serving({ max: 2 });
  const requesting = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  requesting.pause();
  const waiting = (await open()).resume();
  await once(requesting, 'readable');
  for (let n = 0; n < 6; n++) expect(await ask('/small')).toBe(200);
  await expect.poll(() => isGone(waiting)).toBe(true);
  let bytes = 0;
  requesting.on('data', (piece) => {
    bytes += piece.length;
  });
  requesting.resume();
  await expect.poll(() => bytes).toBeGreaterThan(large.length);
});

test('unread responses use up the room for large ones, and are abandoned after a while', async () => {
  const { open, ask } = await serving({ unreadMegabytes: 30, unreadSeconds: 1 });
  const idle = await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  idle.pause();
  await expect.poll(() => ask('/')).toBe(503);
  expect(await ask('/small')).toBe(200);
  await expect.poll(() => ask('/'), { timeout: 60_000 }).toBe(200);
  let bytes = 0;
  idle.on('data', (piece) => {
    bytes += piece.length;
  });
  idle.resume();
  await expect.poll(() => isGone(idle)).toBe(true);
  expect(bytes).toBeLessThan(large.length);
});

test('an answer of more than 64 MiB is refused as too expensive, for it would never find room', async () => {
  const { ask } = await serving({});
  expect(await ask('/huge')).toBe(422);
  expect(await ask('/large')).toBe(200);
});

test('an answer that comes too late for its client takes no room', async () => {
  const { open, ask } = await serving({ unreadMegabytes: 30 });
  for (const leave of [(socket: Socket) => socket.end(), (socket: Socket) => socket.destroy()]) {
    const late = await open('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await ask('/small')).toBe(200);
    leave(late);
    await once(late.resume(), 'close');
    expect(await ask('/')).toBe(200);
  }
});
