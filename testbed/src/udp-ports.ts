import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** UDP ports that nobody uses; all are held until all are known, so that they differ. */
export async function freeUdpPorts(host: string, count: number): Promise<number[]> {
  const sockets: Socket[] = Array.from({ length: count }, () => createSocket('udp4'));
  const ports = await Promise.all(
    sockets.map(async (socket) => {
      socket.bind(0, host);
      await once(socket, 'listening');
      return socket.address().port;
    }),
  );
  await Promise.all(
    sockets.map(async (socket) => {
      socket.close();
      await once(socket, 'close');
    }),
  );
  return ports;
}
