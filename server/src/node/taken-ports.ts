import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Where a node listens, and for what. */
interface Listener {
  what: string;
  host: string;
  /** 0: any free port, or none. */
  port: number;
}

/** Stops a node before it begins: next to the node that runs here it would take over its RADIUS engine. */
export async function refuseTakenPorts(listeners: readonly (Listener & { transport: 'tcp' | 'udp' })[]): Promise<void> {
  for (const listener of listeners.filter(({ port }) => port > 0)) {
    await listenBriefly[listener.transport](listener).catch(cannotListen(listener));
  }
}

/** Listens for a moment. */
const listenBriefly = {
  async tcp({ host, port }: Listener): Promise<void> {
    const server = createServer().listen({ host, port });
    await once(server, 'listening');
    await new Promise((done) => server.close(done));
  },
  async udp({ host, port }: Listener): Promise<void> {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4').bind(port, host);
    await once(socket, 'listening');
    await new Promise<void>((done) => socket.close(done));
  },
};

export const cannotListen =
  ({ what, host, port }: Listener) =>
  (cause: NodeJS.ErrnoException): never => {
    const why = cause.code === 'EADDRINUSE' ? 'another process listens there' : cause.message;
    throw new Error(`The node cannot listen for ${what} at ${host} port ${port}: ${why}.`, { cause });
  };
