import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** An address of a node, and the purpose of its listener. */
interface Listener {
  what: string;
  host: string;
  /** 0: any free port, or none. */
  port: number;
}

/** Throws if a port is used. Checked before the start, because a second node would take over the RADIUS engine of the first one. */
export async function refuseTakenPorts(listeners: readonly (Listener & { transport: 'tcp' | 'udp' })[]): Promise<void> {
  for (const listener of listeners.filter(({ port }) => port > 0)) {
    await listenBriefly[listener.transport](listener).catch(cannotListen(listener));
  }
}

/** Opens and closes a listener. */
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
