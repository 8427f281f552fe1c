import { randomUUID } from 'node:crypto';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { Agent, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { unavailable } from '../kernel/failure.ts';
import { makeKey, selfSigned } from '../protocols/x509/make-certificate.ts';
import { type EngineCall, EngineRequests, listenForEngine } from './decision-listener.ts';
import { EngineIdentity, engineTls } from './engine-identity.ts';

const folder = join(tmpdir(), `portreeve-identity-${randomUUID()}`);
const identity = new EngineIdentity(folder);
const calls: EngineCall[] = [];
const slow = Promise.withResolvers<void>();
const errors: Error[] = [];
const nowMs = 1_800_000_000_000;
let server: Server;
let port: number;

beforeAll(async () => {
  await identity.prepare();
  server = await listenForEngine(
    { identity, port: 0 },
    new EngineRequests(
      {
        accessDevice: (address) =>
          address === '10.0.0.1'
            ? [{ list: 'control', attribute: 'FreeRADIUS-Client-Secret', values: ['a\\b %{x}'] }]
            : address === '10.0.0.2'
              ? undefined
              : null,
        calls: {
          async authorize(call) {
            calls.push(call);
            if (call.source === 'slow') await slow.promise;
            if (call.source === 'broken') throw new Error('broken');
            if (call.source === 'early') throw unavailable('The policies are not loaded yet.');
            return [{ list: 'reply', attribute: 'Filter-Id', tag: 2, values: ['a', 'b'] }];
          },
        },
      },
      { clock: () => nowMs, onError: (error) => void errors.push(error) },
    ),
  );
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

interface Reply {
  status: number;
  text: string;
}
type RequestOptions = { method?: string; body?: string; tls?: object };

/** Sends a request as the engine does, or with other certificates. Returns undefined if the connection fails. */
async function tryToSend(
  path: string,
  { method = 'GET', body = '', tls }: RequestOptions = {},
): Promise<Reply | undefined> {
  const options = tls ?? (await engineTls(folder))!;
  return new Promise((done) => {
    request({ host: '127.0.0.1', port, path: `/radius/${path}`, method, agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => done({ status: response.statusCode!, text: Buffer.concat(chunks).toString() }));
    })
      .once('error', () => done(undefined))
      .end(body);
  });
}
const send = async (path: string, options: RequestOptions = {}) => (await tryToSend(path, options))!;
const post = (path: string, body: string) => send(path, { method: 'POST', body });

test('responds only to a peer with the certificate of the running engine', async () => {
  const before = (await engineTls(folder))!;
  expect((await send('nas/10.0.0.1')).status).toBe(200);
  const nameless = { ca: before.ca };
  expect(await tryToSend('nas/10.0.0.1', { tls: nameless })).toBeUndefined();
  const key = await makeKey('EC_P256');
  const usages = ['clientAuth'] as const;
  const cert = selfSigned(key, { CN: 'engine' }, [], { nowMs: Date.now(), days: 1, usages });
  expect(await tryToSend('nas/10.0.0.1', { tls: { ca: before.ca, key, cert } })).toBeUndefined();
  await identity.renew();
  const unchecked = { ...before, rejectUnauthorized: false };
  expect(await tryToSend('nas/10.0.0.1', { tls: unchecked })).toBeUndefined();
  expect((await send('nas/10.0.0.1')).status).toBe(200);
});

test('refuses the next request of a connection that an earlier engine opened', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ...(await engineTls(folder))! });
  expect((await send('nas/10.0.0.1', { tls: { agent } })).status).toBe(200);
  await identity.renew();
  expect(await send('nas/10.0.0.1', { tls: { agent } })).toEqual({ status: 403, text: '' });
  agent.destroy();
});

test('keeps the identity of a running engine when the node restarts, and replaces a damaged one', async () => {
  const before = await engineTls(folder);
  await new EngineIdentity(folder).prepare();
  expect(await engineTls(folder)).toEqual(before);
  await writeFile(join(folder, 'node-key.pem'), '');
  await identity.prepare();
  expect(await engineTls(folder)).not.toEqual(before);
  expect((await send('nas/10.0.0.1')).status).toBe(200);
});

test('writes files that only the user of the service can read', async () => {
  const names = await readdir(folder);
  expect(names).toHaveLength(4);
  const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode & 0o777));
  expect([(await stat(folder)).mode & 0o777, ...modes]).toEqual([0o700, ...names.map(() => 0o600)]);
});

test('returns an access device, 404 for an unknown address, and 503 while devices are not loaded', async () => {
  const reply = await send('nas/10.0.0.1');
  expect(JSON.parse(reply.text)).toEqual({
    'control:FreeRADIUS-Client-Secret': { do_xlat: false, is_json: false, op: ':=', value: ['a\\\\b %{x}'] },
  });
  expect((await send('nas/10.0.0.9')).status).toBe(404);
  expect((await send('nas/10.0.0.2')).status).toBe(503);
  expect((await send('nas/%E0%A4%A')).status).toBe(404);
});

test('passes the attributes of the packet to the call, and returns several values as several attributes', async () => {
  const reply = await post(
    'authorize?src=10.0.0.1&result=',
    '{"User-Name":{"type":"string","value":["b%o"]},"NAS-Port":{"value":[7]}}',
  );
  expect(JSON.parse(reply.text)).toEqual({
    'reply:Filter-Id:2': { do_xlat: false, is_json: false, op: '+=', value: ['a', 'b'] },
  });
  expect(calls.at(-1)).toMatchObject({ source: '10.0.0.1', result: '' });
  expect([...calls.at(-1)!.attributes]).toEqual([
    ['User-Name', ['b%o']],
    ['NAS-Port', ['7']],
  ]);
});

test('reports and refuses a truncated or missing body, without a code that the engine treats as a reject', async () => {
  errors.length = 0;
  const cut = '{"User-Name":{"type":"string","value":["alice"]},"EAP-Message":{"type":"octets","value":[';
  for (const body of [cut, '', '[]', '1', '{"a":1}', '{"a":{"value":[]}}', '{"a":{"value":"x"}}', 'null'])
    expect((await post('authorize?src=10.0.0.1', body)).status, body).toBe(500);
  expect(errors[0]!.message).toBe(
    `RADIUS call authorize for a packet of "10.0.0.1" refused: the body of ${cut.length} characters is truncated or not a list of attributes`,
  );
  expect(errors[0]!.message).not.toContain('alice');
  expect((await post('authorize?src=x', `{"a":{"value":["${'x'.repeat(70_000)}"]}}`)).status).toBe(500);
  expect(errors.at(-1)!.message).toContain('the body has more than 65536 bytes');
});

test('returns 404 for an unknown path, and 503 for a fault, which it reports', async () => {
  errors.length = 0;
  for (const path of ['else', 'authorize/more', '', 'constructor', 'toString'])
    expect((await post(path, '{}')).status, path).toBe(404);
  expect(errors).toEqual([]);
  expect((await post('authorize?src=broken', '{}')).status).toBe(503);
  expect((await post('authorize?src=early', '{}')).status).toBe(503);
  expect(errors.map(({ message }) => message)).toEqual([
    'broken',
    'RADIUS call authorize for a packet of "broken" refused: broken',
    'RADIUS call authorize for a packet of "early" refused: The policies are not loaded yet.',
  ]);
});

test('returns 503 for a call that waited too long, and while too many calls are slow', async () => {
  const statusOf = async (query: string) => (await post(`authorize?${query}`, '{}')).status;
  expect([await statusOf('src=x&at=1799999998'), await statusOf('src=x&at=1799999996')]).toEqual([200, 503]);
  const hanging = Array.from({ length: 16 }, () => statusOf('src=slow'));
  await vi.waitFor(async () => expect(await statusOf('src=x')).toBe(503), { timeout: 20_000 });
  slow.resolve();
  expect(new Set(await Promise.all(hanging))).toEqual(new Set([200]));
  expect(await statusOf('src=x')).toBe(200);
});
