import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '@portreeve/testbed/free-ports.ts';
import { expect, test } from 'vitest';
import { radiusWorld } from '../../test/world/radius-world.ts';

test('a connection to the cluster listener without a TLS handshake is closed', async () => {
  const world = await radiusWorld({ cluster: { address: '127.0.0.25', port: await freePort() } });
  try {
    const { address, port } = world.radius.cluster!;
    const socket = connect(port, address);
    await once(socket, 'connect');
    socket.resume();
    await once(socket, 'close');
    expect(socket.bytesRead).toBe(0);
  } finally {
    await world.close();
  }
});
