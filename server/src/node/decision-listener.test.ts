import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { unavailable } from '../kernel/failure.ts';
import { type EngineCall, EngineRequests, listenForEngine } from './decision-listener.ts';

const key = 'key-of-the-engine';
const calls: EngineCall[] = [];
const slow = Promise.withResolvers<void>();
const errors: Error[] = [];
const nowMs = 1_800_000_000_000;
let server: Server;
let url: string;

beforeAll(async () => {
  server = await listenForEngine(
    { key, port: 0 },
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
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/radius`;
});
afterAll(() => void server.close());

const send = (path: string, init: RequestInit = {}, given: string | undefined = key) =>
  fetch(`${url}/${path}`, { ...init, headers: given === undefined ? {} : { 'x-radius-key': given } });
const post = (path: string, body: string) => send(path, { method: 'POST', body });

test('without the key nobody learns anything', async () => {
  for (const given of ['', 'key-of-the-engin', 'key-of-the-enginf', `${key}${key}`]) {
    const reply = await send('nas/10.0.0.1', {}, given);
    expect([reply.status, await reply.text()]).toEqual([403, '']);
  }
  expect((await fetch(`${url}/authorize`, { method: 'POST', body: '{}' })).status).toBe(403);
});

test('an access device is answered, nobody is 404, and what is not known now is no answer', async () => {
  const reply = await send('nas/10.0.0.1');
  expect(await reply.json()).toEqual({
    'control:FreeRADIUS-Client-Secret': { do_xlat: false, is_json: false, op: ':=', value: ['a\\\\b %{x}'] },
  });
  expect((await send('nas/10.0.0.9')).status).toBe(404);
  expect((await send('nas/10.0.0.2')).status).toBe(503);
  expect((await send('nas/%E0%A4%A')).status).toBe(404);
});

test('a call has the attributes of the packet; several values are sent as several attributes', async () => {
  const reply = await post(
    'authorize?src=10.0.0.1&result=',
    '{"User-Name":{"type":"string","value":["b%o"]},"NAS-Port":{"value":[7]}}',
  );
  expect(await reply.json()).toEqual({
    'reply:Filter-Id:2': { do_xlat: false, is_json: false, op: '+=', value: ['a', 'b'] },
  });
  expect(calls.at(-1)).toMatchObject({ source: '10.0.0.1', result: '' });
  expect([...calls.at(-1)!.attributes]).toEqual([
    ['User-Name', ['b%o']],
    ['NAS-Port', ['7']],
  ]);
});

test('what is no call of the engine is refused, and a fault is never an answer', async () => {
  for (const body of ['', '[]', '1', '{"a":1}', '{"a":{"value":[]}}', '{"a":{"value":"x"}}', 'null'])
    expect((await post('authorize?src=x', body)).status, body).toBe(400);
  expect((await post('authorize?src=x', `{"a":{"value":["${'x'.repeat(70_000)}"]}}`)).status).toBe(413);
  for (const path of ['else', 'authorize/more', '', 'constructor', 'toString'])
    expect((await post(path, '{}')).status, path).toBe(404);
  expect(errors).toEqual([]);
  expect((await post('authorize?src=broken', '{}')).status).toBe(503);
  expect((await post('authorize?src=early', '{}')).status).toBe(503);
  expect(errors.map(({ message }) => message)).toEqual(['broken']);
});

test('who has waited too long gets no answer, and nobody waits behind calls that hang', async () => {
  const asked = async (query: string) => (await post(`authorize?${query}`, '{}')).status;
  expect([await asked('src=x&at=1799999998'), await asked('src=x&at=1799999996')]).toEqual([200, 503]);
  const hanging = Array.from({ length: 16 }, () => asked('src=slow'));
  await vi.waitFor(async () => expect(await asked('src=x')).toBe(503), { timeout: 20_000 });
  slow.resolve();
  expect(new Set(await Promise.all(hanging))).toEqual(new Set([200]));
  expect(await asked('src=x')).toBe(200);
});
