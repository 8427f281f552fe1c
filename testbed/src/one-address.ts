import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address for several nodes, like that of a load balancer. */
export interface OneAddress {
  port: number;
  /** Returns the port of the node that accepted the last connection. */
  current(): number | undefined;
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** Forwards each connection to the node that accepted the last one, or to the next one if that fails. */
export async function startOneAddress(nodePorts: readonly number[]): Promise<OneAddress> {
  const sockets = new Set<Socket>();
  let current = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  const reach = (client: Socket, tries: number): void => {
    if (tries === nodePorts.length) {
      client.destroy();
      return;
    }
    const nodeIndex = (current + tries) % nodePorts.length;
    const node = keep(connect(nodePorts[nodeIndex]!, host));
    const goOn = () => reach(client, tries + 1);
    node.once('error', goOn);
    node.once('connect', () => {
      current = nodeIndex;
      node.off('error', goOn).on('error', () => client.destroy());
      node.once('close', () => client.destroy());
      client.once('close', () => node.destroy());
      client.pipe(node).pipe(client);
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
