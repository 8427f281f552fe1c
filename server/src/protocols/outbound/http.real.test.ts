import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { startWebProxy } from '@portreeve/testbed/proxy.ts';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { selfSigned } from '../../../test/world/certificate.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { proxySettings } from '../../integration/proxy-settings/proxy-settings.ts';
import { storedProxy } from '../../integration/proxy-settings/stored-proxy.ts';
import { Failure } from '../../kernel/failure.ts';
import { outboundHttp } from './http.ts';
import { outboundGuard } from './outbound.ts';

const name = 'mdm.portreeve.test';
const address = '127.0.0.5';
const account = { user: 'portreeve', password: 'correct-horse' };

async function listening(server: Server): Promise<number> {
  server.listen(0, address);
  await once(server, 'listening');
  afterAll(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('fetching through a real squid', async () => {
  const { key, cert } = selfSigned(name);
  /** Requests that the targets have received. */
  const received: { path: string; host: string | undefined; headers: IncomingMessage['headers']; secure: boolean }[] =
    [];
  const answer = (secure: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    received.push({ path: request.url!, host: request.headers.host, headers: request.headers, secure });
    response.end('the devices');
  };
  const securePort = await listening(createHttps({ key, cert }, answer(true)));
  const plainPort = await listening(createHttp(answer(false)));
  const proxy = await startWebProxy({
    users: { [account.user]: account.password },
    hosts: { [name]: address },
  });
  afterAll(() => proxy.stop());

  const world = await startWorld();
  const lookup = async (host: string) => (host === name ? [{ address, family: 4 }] : []);
  const http = outboundHttp({
    guard: outboundGuard({ allow: ['127.0.0.0/8'], refuse: [] }, lookup),
    proxy: () => storedProxy(world.service.runtime),
  });
  const secureUrl = `https://${name}:${securePort}/devices?page=1`;
  const plainUrl = `http://${name}:${plainPort}/devices?page=1`;
  const fetchSecure = () => http.request({ method: 'GET', url: secureUrl, ca: cert });
  const fetchPlain = () => http.request({ method: 'GET', url: plainUrl });

  const configure = async (change: Record<string, unknown>) => {
    const reply = await world.admin.post(proxySettings.path!, change);
    expect(reply.code, reply.text).toBe(200);
  };
  const failure = async (promise: Promise<unknown>): Promise<Failure> => {
    const reason = await promise.catch((error: unknown) => error);
    expect(reason).toBeInstanceOf(Failure);
    return reason as Failure;
  };
  const connect = { method: 'CONNECT', url: `${name}:${securePort}`, user: account.user, status: 200 };
  const forwarded = { method: 'GET', url: plainUrl, user: account.user, status: 200 };

  beforeEach(async () => {
    received.length = 0;
    await configure({
      httpProxyHost: proxy.host,
      httpProxyPort: proxy.port,
      httpProxyUser: account.user,
      httpProxyPassword: account.password,
      httpsProxyHost: proxy.host,
      httpsProxyPort: proxy.port,
      httpsProxyUser: account.user,
      httpsProxyPassword: account.password,
      httpNonProxyHosts: '',
    });
  });

  test('HTTPS goes through a tunnel, in which only the target reads', async () => {
    const before = (await proxy.accessed()).length;
    const { status, body } = await fetchSecure();
    expect([status, body.toString()]).toEqual([200, 'the devices']);
    // Squid logs a tunnel when it has ended.
    await vi.waitFor(async () => expect((await proxy.accessed()).slice(before)).toEqual([connect]), 60_000);
    expect(received).toMatchObject([{ path: '/devices?page=1', host: `${name}:${securePort}`, secure: true }]);
    expect(received[0]!.headers).not.toHaveProperty('proxy-authorization');
  });

  test('HTTP goes to the proxy as a whole URL, and the account does not go further', async () => {
    const before = (await proxy.accessed()).length;
    expect((await fetchPlain()).body.toString()).toBe('the devices');
    await vi.waitFor(async () => expect((await proxy.accessed()).slice(before)).toEqual([forwarded]), 60_000);
    expect(received).toMatchObject([{ path: '/devices?page=1', host: `${name}:${plainPort}`, secure: false }]);
    expect(received[0]!.headers.via).toContain('squid');
    expect(received[0]!.headers).not.toHaveProperty('proxy-authorization');
  });

  test.each([
    ['the name', name],
    ['a star', '*.portreeve.test'],
    ['its network', '127.0.0.0/24'],
  ])(
    '%s in the non-proxy list makes the next connection a direct one, without a restart',
    async (_what, httpNonProxyHosts) => {
      const before = (await proxy.accessed()).length;
      await configure({ httpNonProxyHosts });
      expect((await fetchSecure()).status).toBe(200);
      expect((await fetchPlain()).status).toBe(200);
      expect(received.map(({ headers }) => headers.via)).toEqual([undefined, undefined]);
      await configure({ httpNonProxyHosts: '' });
      expect((await fetchSecure()).status).toBe(200);
      // The log is in order: after this entry the two earlier ones would be in it.
      await vi.waitFor(async () => expect((await proxy.accessed()).slice(before)).toEqual([connect]), 60_000);
    },
  );

  test('an empty host makes it direct, for its own scheme alone', async () => {
    const before = (await proxy.accessed()).length;
    await configure({ httpsProxyHost: '' });
    expect((await fetchSecure()).status).toBe(200);
    expect((await fetchPlain()).status).toBe(200);
    await vi.waitFor(async () => expect((await proxy.accessed()).slice(before)).toEqual([forwarded]), 60_000);
  });

  test('reports a wrong or missing password with the message of the proxy', async () => {
    for (const change of [
      { httpProxyPassword: 'wrong-horse', httpsProxyPassword: 'wrong-horse' },
      { httpProxyUser: '', httpProxyPassword: '', httpsProxyUser: '', httpsProxyPassword: '' },
    ]) {
      await configure(change);
      for (const [fetchTarget, port] of [
        [fetchSecure, securePort],
        [fetchPlain, plainPort],
      ] as const) {
        const { word, message } = await failure(fetchTarget());
        expect(word).toBe('remote-failed');
        expect(message).toBe(
          `The proxy ${proxy.host}:${proxy.port} did not connect to ${name}:${port}: 407 Proxy Authentication Required.`,
        );
      }
    }
    expect(received).toEqual([]);
    expect(world.logged.join('')).not.toContain('wrong-horse');
  });

  test('reports a target that the proxy cannot reach with its message', async () => {
    const { word, message } = await failure(http.request({ method: 'GET', url: `https://${name}:1/`, ca: cert }));
    expect([word, message]).toEqual([
      'remote-failed',
      `The proxy ${proxy.host}:${proxy.port} did not connect to ${name}:1: 503 Service Unavailable.`,
    ]);
  });

  test('the certificate of the target is verified through the tunnel', async () => {
    const { word, message } = await failure(http.request({ method: 'GET', url: secureUrl }));
    expect([word, message]).toEqual(['remote-failed', expect.stringContaining('self-signed certificate')]);
    expect((await http.request({ method: 'GET', url: secureUrl, verifyCertificate: false })).status).toBe(200);
  });

  test('does not request a target from the proxy that the guard forbids', async () => {
    const strict = outboundHttp({
      guard: outboundGuard({ allow: [], refuse: [] }, async () => [{ address, family: 4 }]),
      proxy: () => storedProxy(world.service.runtime),
    });
    const refused = 'refused.portreeve.test';
    expect((await failure(strict.request({ method: 'GET', url: `http://${refused}/` }))).word).toBe('rejected');
    // A later request; when it is in the log, earlier ones are too.
    const before = (await proxy.accessed()).filter(({ method }) => method === 'GET').length;
    await fetchPlain();
    await vi.waitFor(async () => {
      const plain = (await proxy.accessed()).filter(({ method }) => method === 'GET');
      expect(plain.slice(before)).toEqual([forwarded]);
    }, 60_000);
    expect(JSON.stringify(await proxy.accessed())).not.toContain(refused);
  });

  test('reports a proxy that is down, and uses a new setting immediately', async () => {
    const stoppedProxy = await startWebProxy({ users: {} });
    await stoppedProxy.stop();
    await configure({ httpsProxyPort: stoppedProxy.port, httpsProxyPassword: account.password });
    const { word, message } = await failure(fetchSecure());
    expect(word).toBe('remote-failed');
    expect(message).toMatch(/^The proxy .* cannot be reached: connect ECONNREFUSED /);
    await configure({ httpsProxyPort: proxy.port, httpsProxyPassword: account.password });
    expect((await fetchSecure()).status).toBe(200);
  });
});
