import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address in front of several nodes, as a balancer gives it. */
export interface OneAddress {
  port: number;
  /** Port of the node that took the last connection. */
  current(): number | undefined;
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** Passes each connection on to the node that took the last one, or to the next when that does not take it. */
export async function startOneAddress(nodePorts: readonly number[]): Promise<OneAddress> {
  const sockets = new Set<Socket>();
  let current = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  const reach = (from: Socket, tries: number): void => {
    if (tries === nodePorts.length) {
      from.destroy();
      return;
    }
    const at = (current + tries) % nodePorts.length;
    const node = keep(connect(nodePorts[at]!, host));
    const goOn = () => reach(from, tries + 1);
    node.once('error', goOn);
    node.once('connect', () => {
      current = at;
      node.off('error', goOn).on('error', () => from.destroy());
      node.once('close', () => from.destroy());
      from.once('close', () => node.destroy());
      from.pipe(node).pipe(from);
    });
  };
  const server = createServer((socket) => {
    keep(socket).on('error', () => socket.destroy());
    reach(socket, 0);
  });
  await new Promise<void>((done) => server.listen(0, host, done));
  return {
    port: (server.address() as AddressInfo).port,
    current: () => nodePorts[current],
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
