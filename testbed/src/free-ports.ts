import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Linux assigns ephemeral ports from 32,768: another process could take one before it is used here, or while a server
 * restarts.
 */
const first = 10_000;
const end = 32_768;
const triesMax = 100;

/** Returns an unused TCP port of 127.0.0.1. */
export const freePort = async (): Promise<number> => (await freePorts(1, isFree))[0]!;

/** Returns unused UDP ports. */
export const freeUdpPorts = (host: string, count: number): Promise<number[]> =>
  freePorts(count, (port) => isFreeOfUdp(port, host));

async function freePorts(count: number, isFreeAt: (port: number) => Promise<boolean>): Promise<number[]> {
  const ports = new Set<number>();
  for (let tries = 0; tries < triesMax && ports.size < count; tries++) {
    const port = randomInt(first, end);
    if (await isFreeAt(port)) ports.add(port);
  }
  if (ports.size < count) throw new Error(`No ${count} free ports were found in ${triesMax} tries.`);
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  return isBound(once(server, 'listening'), () => new Promise<void>((done) => server.close(() => done())));
}

async function isFreeOfUdp(port: number, host: string): Promise<boolean> {
  const socket = createSocket('udp4').bind(port, host);
  return isBound(once(socket, 'listening'), () => new Promise<void>((done) => socket.close(() => done())));
}

/** True if it could be bound; then it is closed. */
async function isBound(bound: Promise<unknown>, close: () => Promise<void>): Promise<boolean> {
  try {
    await bound;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  await close();
  return true;
}
