import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { systemOrigin } from '../declare/caller.ts';
import type { ConnectionLimits } from './connections.ts';

/** Starts a listening service, and returns functions to connect to it and to send bytes. */
async function listening(connections: Partial<ConnectionLimits>) {
  const service = await world({ connections });
  await service.service.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.service.app.server.address() as AddressInfo;
  const head = `Host: x\r\nAuthorization: Bearer ${service.admin.token}\r\n`;
  const sockets: Socket[] = [];
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
  });
  const open = async (text = ''): Promise<Socket> => {
    // Half open: the service must not rely on the client to close.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  /** Returns everything that a connection receives until the server closes it. */
  const receivedText = async (socket: Socket): Promise<string> => {
    const pieces: Buffer[] = [];
    socket.on('data', (piece) => pieces.push(piece));
    if (!socket.destroyed) await Promise.race([once(socket, 'end'), once(socket, 'close')]);
    return Buffer.concat(pieces).toString();
  };
  return { ...service, head, open, said: receivedText };
}

const containers = `/api/v2${container.path}`;
const codeOf = (answer: string): number => Number(answer.split(' ')[1]);

describe('connections', () => {
  test('a request that does not arrive in time is 408 and closed, whether its header or its body is late', async () => {
    const { head, open, said: receivedText } = await listening({ headersSeconds: 1, requestSeconds: 2 });
    const late = [
      receivedText(await open(`GET ${containers} HTTP/1.1\r\nHost: x\r\nX-Late: `)),
      receivedText(
        await open(
          `POST ${containers} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
        ),
      ),
    ];
    for (const answer of await Promise.all(late)) {
      expect(codeOf(answer)).toBe(408);
      expect(answer).toContain('{"status":"invalid","errorMessage":"The request did not arrive in time."}');
    }
  });

  test('one without a request is closed without a response, and leaves no socket', async () => {
    const { open, said: receivedText, service } = await listening({ headersSeconds: 1 });
    expect(await receivedText(await open())).toBe('');
    await expect
      .poll(() => new Promise((done) => service.app.server.getConnections((_error, count) => done(count))))
      .toBe(0);
  });

  test('what follows a request and is none is refused after the request was answered', async () => {
    const { head, open, said: receivedText } = await listening({});
    const body = '{"name":"before nonsense"}';
    const answers = await receivedText(
      await open(
        `POST ${containers} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}nonsense\r\n\r\n`,
      ),
    );
    expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code)).toEqual(['201', '400']);
  });

  test('a large answer is 503 where there is no room for it, and a small one is given', async () => {
    const { admin, service } = await listening({ unreadMegabytes: 0.05 });
    const text = 'x'.repeat(2_000);
    await service.runtime.transact(systemOrigin('test'), async (tx) => {
      for (let n = 0; n < 20; n++)
        await tx.records.create(container, { name: `large ${n}`, notes: text, description: text });
    });
    const refused = await admin.get(container.path!);
    expect(refused).toMatchObject({ code: 503, body: { status: 'unavailable' } });
    expect(refused.headers['retry-after']).toBeDefined();
    expect((await admin.get(`${container.path}?count=2`)).code).toBe(200);
  });
});
