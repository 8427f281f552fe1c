import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../../../test/world/certificate.ts';
import { Failure } from '../../kernel/failure.ts';
import { type OutboundRequest, outboundHttp } from './http.ts';
import { outboundGuard } from './outbound.ts';
import type { ProxyChoice } from './proxy-choice.ts';

const name = 'target.portreeve.test';
const guard = outboundGuard({ allow: ['127.0.0.0/8'], refuse: [] }, async () => [{ address: '127.0.0.5', family: 4 }]);
const direct: ProxyChoice = { http: null, https: null, direct: '' };
const fetching = (choice: ProxyChoice = direct, connectMsMax = 5_000) =>
  outboundHttp({ guard, proxy: async () => choice, connectMsMax });

const failure = async (promise: Promise<unknown>): Promise<Failure> => {
  const reason = await promise.then(
    () => expect.fail('answered'),
    (error: unknown) => error,
  );
  expect(reason).toBeInstanceOf(Failure);
  return reason as Failure;
};

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

async function listening(server: Server, host = '127.0.0.5'): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const httpAt = (listener: RequestListener) => listening(createHttp(listener));
const tcpAt = (talk: (socket: Socket) => void) => listening(createTcp(talk));

const { key, cert: ca } = selfSigned(name);

const get = (port: number, overrides: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'GET',
  url: `http://${name}:${port}/`,
  ...overrides,
});

describe('fetching from outside', () => {
  test('sends what it is given to the resolved address, under the name', async () => {
    const port = await httpAt(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const { method, url, headers } = request;
      const receivedRequest = {
        method,
        url,
        host: headers.host,
        accept: headers.accept,
        body: Buffer.concat(chunks).toString(),
      };
      response.writeHead(201, { 'x-kind': 'echo' }).end(JSON.stringify(receivedRequest));
    });
    const answer = await fetching().request({
      method: 'POST',
      url: `http://${name}:${port}/path?query=1#part`,
      headers: { accept: 'text/plain', Host: 'forged.example' },
      body: 'grüße',
    });
    expect(answer).toMatchObject({ status: 201, headers: { 'x-kind': 'echo' } });
    expect(JSON.parse(answer.body.toString())).toEqual({
      method: 'POST',
      url: '/path?query=1',
      host: `${name}:${port}`,
      accept: 'text/plain',
      body: 'grüße',
    });
  });

  test('follows no redirect', async () => {
    let requestCount = 0;
    const port = await httpAt((_request, response) => {
      requestCount += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await fetching().request(get(port))).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
    expect(requestCount).toBe(1);
  });

  test('checks the guard before it connects', async () => {
    const strict = outboundGuard({ allow: [], refuse: [] }, async () => [{ address: '127.0.0.5', family: 4 }]);
    const refusing = outboundHttp({ guard: strict, proxy: async () => direct });
    expect((await failure(refusing.request(get(80)))).word).toBe('rejected');
    // The guard checks the target even if a proxy would connect to it.
    const proxied = { ...direct, http: { host: '127.0.0.1', port: 9, user: '', password: '' } };
    const through = outboundHttp({ guard: strict, proxy: async () => proxied });
    const { word, message } = await failure(through.request(get(80)));
    expect([word, message]).toEqual(['rejected', expect.stringContaining('loopback')]);
  });

  test.each(['ftp://target.portreeve.test/', 'http://user:hush@target.portreeve.test/', 'no url, hush'])(
    'does not fetch "%s", nor repeat it',
    async (url) => {
      const { word, message } = await failure(fetching().request({ method: 'GET', url }));
      expect(word).toBe('rejected');
      expect(message).not.toContain('hush');
    },
  );

  test('accepts a body of exactly the maximum size, and no larger one', async () => {
    const port = await httpAt((_request, response) => void response.end('x'.repeat(2_000)));
    expect((await fetching().request(get(port, { bytesMax: 2_000 }))).body).toHaveLength(2_000);
    const { word, message } = await failure(fetching().request(get(port, { bytesMax: 1_999 })));
    expect([word, message]).toEqual(['remote-failed', `${name}:${port} returned more than 1999 bytes.`]);
    const endless = await httpAt((_request, response) => {
      const writeMore = (): unknown =>
        response.write('x'.repeat(65_536)) ? setImmediate(writeMore) : response.once('drain', writeMore);
      writeMore();
    });
    expect((await failure(fetching().request(get(endless)))).message).toContain('1048576 bytes');
  });

  test('limits the time until the response and until its end', async () => {
    const silent = await tcpAt(() => undefined);
    const slow = await httpAt((_request, response) => void response.write('the beginning'));
    for (const port of [silent, slow]) {
      const { word, message } = await failure(fetching().request(get(port, { timeoutMs: 100 })));
      expect([word, message]).toEqual([
        'remote-timeout',
        `${name}:${port} did not complete its response within 0.1 seconds.`,
      ]);
    }
  });

  test('waits no longer than five seconds for a connection: a handshake that hangs, a proxy that is silent', async () => {
    const silent = await tcpAt(() => undefined);
    const hurried = fetching(direct, 100);
    const handshake = await failure(hurried.request(get(silent, { url: `https://${name}:${silent}/` })));
    expect([handshake.word, handshake.message]).toEqual([
      'remote-timeout',
      `${name}:${silent} did not connect within 0.1 seconds.`,
    ]);
    const proxy = { host: '127.0.0.5', port: silent, user: 'ann', password: 'hush' };
    const tunnel = await failure(
      fetching({ ...direct, https: proxy }, 100).request(get(0, { url: `https://${name}/` })),
    );
    expect([tunnel.word, tunnel.message]).toEqual([
      'remote-timeout',
      `The proxy 127.0.0.5:${silent} did not connect within 0.1 seconds.`,
    ]);
  });

  test.each<[string, (socket: Socket) => void, string]>([
    ['ends at once', (socket) => socket.end(), 'did not respond: socket hang up'],
    ['talks another language', (socket) => socket.end('220 mail.example ESMTP\r\n'), 'did not respond: Parse Error'],
    [
      'stops in the middle',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'),
      'closed the connection before the end of its response: aborted',
    ],
    ['breaks off', (socket) => socket.once('data', () => socket.resetAndDestroy()), 'did not respond: read ECONNRESET'],
  ])('reports a server that %s', async (_what, talk, words) => {
    const port = await tcpAt(talk);
    const { word, message } = await failure(fetching().request(get(port)));
    expect(word).toBe('remote-failed');
    expect(message).toContain(`${name}:${port} ${words}`);
  });

  test('reports that no server listens', async () => {
    const port = await tcpAt(() => undefined);
    servers.pop()!.close();
    const { word, message } = await failure(fetching().request(get(port)));
    expect([word, message]).toEqual([
      'remote-failed',
      `${name}:${port} cannot be reached: connect ECONNREFUSED 127.0.0.5:${port}.`,
    ]);
  });

  test('keeps the process alive when a connection fails after its request was given up', async () => {
    const givenUp = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const port = await tcpAt((socket) => {
      socket.on('error', () => undefined).once('close', () => closed.resolve());
      void givenUp.promise.then(() => socket.resetAndDestroy());
    });
    await failure(fetching().request(get(port, { timeoutMs: 30 })));
    givenUp.resolve();
    await closed.promise;
  });
});

describe('TLS to the outside', async () => {
  const port = await listening(createHttps({ key, cert: ca }, (_request, response) => void response.end('secure')));
  const secure = (overrides: Partial<OutboundRequest> = {}) =>
    get(port, { url: `https://${name}:${port}/`, ...overrides });

  test('requires a trusted certificate for the requested name', async () => {
    expect((await fetching().request(secure({ ca }))).body.toString()).toBe('secure');
    const stranger = await failure(fetching().request(secure()));
    expect([stranger.word, stranger.message]).toEqual([
      'remote-failed',
      `TLS with ${name}:${port} failed: self-signed certificate.`,
    ]);
    for (const url of [`https://other.portreeve.test:${port}/`, `https://127.0.0.5:${port}/`])
      expect((await failure(fetching().request(secure({ ca, url })))).message).toContain('altnames');
  });

  test('accepts any certificate if verification is off', async () => {
    expect((await fetching().request(secure({ verifyCertificate: false }))).status).toBe(200);
  });

  test('is not spoken with a server that does not speak it', async () => {
    const plain = await httpAt((_request, response) => void response.end());
    const { word, message } = await failure(
      fetching().request(secure({ url: `https://${name}:${plain}/`, verifyCertificate: false })),
    );
    expect([word, message]).toEqual(['remote-failed', expect.stringContaining(`TLS with ${name}:${plain} failed: `)]);
  });
});

describe('a proxy that fails', () => {
  const via = (port: number): ProxyChoice => {
    const proxy = { host: '127.0.0.5', port, user: 'ann', password: 'hush' };
    return { http: proxy, https: proxy, direct: '' };
  };

  test('is named when it is not there, without the account', async () => {
    const port = await tcpAt(() => undefined);
    servers.pop()!.close();
    for (const url of [`https://${name}/`, `http://${name}/`]) {
      const { word, message } = await failure(fetching(via(port)).request({ method: 'GET', url }));
      expect([word, message]).toEqual([
        'remote-failed',
        `The proxy 127.0.0.5:${port} cannot be reached: connect ECONNREFUSED 127.0.0.5:${port}.`,
      ]);
    }
    const nowhere = { ...direct, https: { host: 'no-such-proxy.invalid', port: 3128, user: '', password: '' } };
    const unknown = await failure(fetching(nowhere).request({ method: 'GET', url: `https://${name}/` }));
    expect([unknown.word, unknown.message]).toEqual([
      'remote-failed',
      expect.stringMatching(/^The proxy no-such-proxy\.invalid:3128 cannot be reached: getaddrinfo E/),
    ]);
  });

  test('has its rejection quoted, without secrets', async () => {
    const port = await tcpAt((socket) => void socket.end(`HTTP/1.1 503 ${'no way '.repeat(100)}\r\n\r\n`));
    const { word, message } = await failure(fetching(via(port)).request({ method: 'GET', url: `https://${name}/` }));
    expect(word).toBe('remote-failed');
    expect(message).toContain(`The proxy 127.0.0.5:${port} did not connect to ${name}:443: 503 no way`);
    expect(message.length).toBeLessThan(400);
    expect(message).not.toContain('hush');
  });

  test('is not mistaken for the target when it breaks off', async () => {
    const port = await tcpAt((socket) => socket.end());
    const { message } = await failure(fetching(via(port)).request({ method: 'GET', url: `https://${name}/` }));
    expect(message).toBe(`The proxy 127.0.0.5:${port} did not respond: socket hang up.`);
  });
});
