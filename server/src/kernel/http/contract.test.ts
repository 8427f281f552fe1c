import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceRole } from '@portreeve/testbed/postgres.ts';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { pathWith } from '../../../test/world/paths.ts';
import { until } from '../../../test/world/patience.ts';
import { type World, world } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { systemOrigin } from '../declare/caller.ts';

interface Got {
  code: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The envelope, if the response is JSON. */
  body: Record<string, unknown>;
}

interface Sent {
  token?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends requests over a real socket, each on a separate connection: a refusal may come before the body is read. */
class Wire {
  readonly port: number;

  constructor({ service }: World) {
    this.port = (service.app.server.address() as AddressInfo).port;
  }

  ask(method: string, path: string, { token, headers = {}, body }: Sent = {}): Promise<Got> {
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const outgoing = httpRequest(
        {
          port: this.port,
          host: '127.0.0.1',
          method,
          path: path.startsWith('/auth') || path.startsWith('/api') ? path : `/api/v2${path}`,
          agent: false,
          headers: {
            ...(token && { authorization: `Bearer ${token}` }),
            ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
            ...headers,
          },
        },
        (reply) => {
          isAnswered = true;
          const pieces: Buffer[] = [];
          reply.on('data', (piece: Buffer) => pieces.push(piece));
          reply.on('end', () => resolve(got(reply.statusCode!, reply.headers, Buffer.concat(pieces).toString())));
          reply.on('error', reject);
        },
      );
      // A server that has responded need not read the rest of the request.
      outgoing.on('error', (error) => isAnswered || reject(error));
      outgoing.end(body);
    });
  }

  /** Sends bytes unchanged and reads until the server closes. */
  raw(text: string): Promise<Got> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(text));
      const pieces: Buffer[] = [];
      socket.on('data', (piece) => pieces.push(piece));
      socket.on('error', reject);
      socket.on('close', () => {
        const [head = '', ...rest] = Buffer.concat(pieces).toString().split('\r\n\r\n');
        const [status = '', ...lines] = head.split('\r\n');
        const headers = Object.fromEntries(
          lines.map((line) => [
            line.slice(0, line.indexOf(':')).toLowerCase(),
            line.slice(line.indexOf(':') + 1).trim(),
          ]),
        );
        resolve(got(Number(status.split(' ')[1]), headers, rest.join('\r\n\r\n')));
      });
    });
  }
}

const got = (code: number, headers: IncomingHttpHeaders, text: string): Got => ({
  code,
  headers,
  text,
  body: text !== '' && String(headers['content-type']).includes('json') ? JSON.parse(text) : {},
});

const listening = async (testWorld: World): Promise<Wire> => {
  await testWorld.service.app.listen({ port: 0, host: '127.0.0.1' });
  return new Wire(testWorld);
};

const requestId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Checks a failure: its status word, a sentence, and an id for the operator. */
function expectFailure(answer: Got, code: number, word: string): void {
  expect(answer.code, answer.text).toBe(code);
  expect(answer.body).toEqual({ status: word, errorMessage: expect.stringMatching(/\S/) });
  expect(answer.headers['x-request-id']).toMatch(requestId);
}

const containers = '/device/container';
const servers = '/settings/integration/aaa';
const agents = '/settings/agent/directory-agent';
const json = { 'content-type': 'application/json' };
const xml = { 'content-type': 'application/xml' };
const tooLarge = Buffer.alloc(1_048_577, '[');

describe('the order of the checks', async () => {
  const testWorld = await world();
  const wire = await listening(testWorld);
  const { token } = testWorld.admin;
  const { token: stranger } = await testWorld.caller({ roles: ['view'] });

  test('a path that does not exist is 404, before the token, the body and everything else', async () => {
    for (const path of ['/nothing', '/api/v2/nothing', `/api/v2${containers}/`, '/api/v1/device/container'])
      expectFailure(await wire.ask('GET', path), 404, 'not-found');
    expectFailure(
      await wire.ask('POST', '/nothing', { body: tooLarge, headers: { 'content-type': 'text/html' } }),
      404,
      'not-found',
    );
    expectFailure(await wire.ask('GET', '/api/v2/Device/Container', { token }), 404, 'not-found');
  });

  test('a GET that changes something is not cached, and is refused for a prefetch', async () => {
    const { headers } = await wire.ask('POST', servers, {
      token,
      headers: json,
      body: JSON.stringify({ name: 'fetched-ahead', netId: '192.0.2.9', secret: 'a-shared-secret' }),
    });
    const path = `${headers.location}/secret`;
    for (const purpose of ['prefetch', 'prefetch;prerender', ' Prefetch; anonymous-client-ip'])
      expectFailure(await wire.ask('GET', path, { token, headers: { 'sec-purpose': purpose } }), 403, 'forbidden');
    expectFailure(await wire.ask('GET', path, { headers: { 'sec-purpose': 'prefetch' } }), 401, 'unauthenticated');
    const response = await wire.ask('GET', path, { token });
    expect(response).toMatchObject({ code: 200, headers: { 'cache-control': 'no-store' } });
    const plain = await wire.ask('GET', containers, { token, headers: { 'sec-purpose': 'prefetch' } });
    expect(plain).toMatchObject({ code: 200, headers: { 'cache-control': 'no-cache' } });
    const preview = '/device/move?id=1&containerID=999999';
    expect((await wire.ask('GET', preview, { token, headers: { 'sec-purpose': 'prefetch' } })).code).toBe(403);
  });

  test('an {id} that is no number is 404, before the token', async () => {
    for (const id of ['abc', '1e3', '-1', '0x10', '1.5', '%31a', '1%2F2', '９', '99999999999999999999'])
      expectFailure(await wire.ask('GET', `${containers}/${encodeURI(id).replaceAll('%25', '%')}`), 404, 'not-found');
    expectFailure(await wire.ask('DELETE', `${containers}/x`), 404, 'not-found');
    expectFailure(await wire.ask('POST', `${agents}/x/enable`), 404, 'not-found');
  });

  test('another method is 405 with the allowed ones, before the token and the body are checked', async () => {
    const answer = await wire.ask('PUT', containers, { body: tooLarge });
    expectFailure(answer, 405, 'unsupported');
    const allow = 'GET, HEAD, OPTIONS, POST';
    expect(answer.headers.allow).toBe(allow);
    for (const method of ['PATCH', 'DELETE', 'PROPFIND', 'TRACE'])
      expect(await wire.ask(method, containers), method).toMatchObject({ code: 405, headers: { allow } });
    expect(await wire.ask('POST', `${containers}/1`)).toMatchObject({
      code: 405,
      headers: { allow: 'DELETE, GET, HEAD, OPTIONS' },
    });
  });

  test('a static segment wins over {id}: with another method it is 405, not an id', async () => {
    const allowed = async (method: string, path: string) =>
      (await wire.ask(method, `${containers}${path}`)).headers.allow;
    expect(await allowed('GET', '/delete')).toBe('OPTIONS, POST');
    expect(await allowed('DELETE', '/count')).toBe('GET, HEAD, OPTIONS');
    expect(await allowed('GET', '/monitor/start')).toBe('OPTIONS, POST');
  });

  test('HEAD answers as GET does, without the body', async () => {
    const id = await testWorld.admin.create(container, { name: 'headers-alone' });
    const paths = [`${containers}?count=1`, `${containers}/${id}`, `${containers}/count`, '/api/v2/openapi.json'];
    for (const path of paths) {
      const fetched = await wire.ask('GET', path, { token });
      const head = await wire.ask('HEAD', path, { token });
      expect([head.code, head.text], path).toEqual([200, '']);
      for (const name of ['content-type', 'content-length', 'etag', 'link', 'cache-control'])
        expect(head.headers[name], `${name} of ${path}`).toBe(fetched.headers[name]);
      expect(head.headers['x-request-id']).toMatch(requestId);
    }
  });

  test('HEAD is refused as GET is, without the body', async () => {
    const requests: [string, string, Sent, number][] = [
      ['HEAD', '/nothing', { token }, 404],
      ['HEAD', containers, {}, 401],
      ['HEAD', containers, { token: stranger }, 403],
      ['HEAD', containers, { token, headers: { accept: 'image/png' } }, 406],
      ['HEAD', `${containers}?nonsense=1`, { token }, 400],
      ['HEAD', `${containers}/999999`, { token }, 404],
    ];
    for (const [method, path, rest, code] of requests)
      expect(await wire.ask(method, path, rest), path).toMatchObject({ code, text: '' });
    expect(await wire.ask('HEAD', containers, { token, headers: json, body: '{"count":0}' })).toMatchObject({
      code: 200,
    });
    expect(await wire.ask('HEAD', containers, { token, headers: json, body: '{"cuont":0}' })).toMatchObject({
      code: 400,
    });
  });

  test('HEAD is 405 where a GET changes something or acknowledges entries of a monitor', async () => {
    const { headers } = await wire.ask('POST', servers, {
      token,
      headers: json,
      body: JSON.stringify({ name: 'asked-for-headers', netId: '192.0.2.10', secret: 'a-shared-secret' }),
    });
    const secret = await wire.ask('HEAD', `${headers.location}/secret`, { token });
    expect(secret).toMatchObject({ code: 405, text: '', headers: { allow: 'GET, OPTIONS' } });
    const monitor = await wire.ask('POST', `${containers}/monitor/start`, { token });
    expect(await wire.ask('HEAD', String(monitor.headers.location), { token })).toMatchObject({ code: 405, text: '' });
    const changing = testWorld.service.operations.filter(({ method, writes }) => method === 'GET' && writes);
    expect(changing.length).toBeGreaterThan(2);
    for (const operation of changing)
      expect(await wire.ask('HEAD', pathWith(operation, 1), { token }), operation.operationId).toMatchObject({
        code: 405,
      });
  });

  test('OPTIONS lists the methods of a path to everybody, without a body and without permission for other sites', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    for (const [path, allow] of [
      [containers, 'GET, HEAD, OPTIONS, POST'],
      [`${containers}/1`, 'DELETE, GET, HEAD, OPTIONS'],
      [`${containers}/monitor/1?x=1`, 'GET, OPTIONS'],
      ['/auth/login', 'OPTIONS, POST'],
      ['/api/v2/openapi.json', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await wire.ask('OPTIONS', path, { headers });
      expect(answer, path).toMatchObject({ code: 204, text: '', headers: { allow } });
      expect(answer.headers['x-request-id']).toMatch(requestId);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expectFailure(await wire.ask('OPTIONS', '/nothing'), 404, 'not-found');
    expectFailure(await wire.ask('OPTIONS', `${containers}/x`), 404, 'not-found');
  });

  test('no token is 401, before the format, the size and the content', async () => {
    const wrong: Sent[] = [
      {},
      { headers: { 'content-type': 'text/html' }, body: 'x' },
      { headers: { accept: 'image/png' } },
      { headers: json, body: tooLarge },
      { headers: json, body: '{' },
    ];
    for (const request of wrong) {
      const answer = await wire.ask('POST', containers, request);
      expectFailure(answer, 401, 'unauthenticated');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('every wrong token is 401 in the same words', async () => {
    const wrong = [
      ...['', 'x', `${token}x`, token.slice(0, -1), token.replace('prt_', 'prs_'), token.toUpperCase()],
      ...['prt_AAAAAAAAAAAA_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'ü', 'a'.repeat(4_000)],
    ];
    const texts = new Set<string>();
    for (const text of wrong) {
      const headers = { authorization: `Bearer ${encodeURI(text)}` };
      const answer = await wire.ask('GET', containers, { headers });
      expectFailure(answer, 401, 'unauthenticated');
      texts.add(answer.text);
    }
    for (const authorization of [token, `Basic ${token}`, `Bearer  ${token}`, `Bearer ${token} x`])
      texts.add((await wire.ask('GET', containers, { headers: { authorization } })).text);
    expect(texts.size).toBe(1);
  });

  test('a right that lacks is 403 and is named, before the format, the size and the content', async () => {
    const wrong: Sent[] = [
      { headers: { 'content-type': 'text/html' }, body: 'x' },
      { headers: { accept: 'image/png' } },
      { headers: json, body: tooLarge },
      { headers: json, body: '{' },
    ];
    for (const request of wrong) {
      const answer = await wire.ask('POST', containers, { token: stranger, ...request });
      expectFailure(answer, 403, 'forbidden');
      expect(answer.body.errorMessage).toContain('devices');
    }
    expectFailure(await wire.ask('GET', `${containers}/999999`, { token: stranger }), 403, 'forbidden');
  });

  test('a format that is not understood is 415, and one that is not served 406, before the size and the content', async () => {
    const html = { 'content-type': 'text/html' };
    expectFailure(await wire.ask('POST', containers, { token, headers: html, body: tooLarge }), 415, 'unsupported');
    const image = { ...json, accept: 'image/png' };
    expectFailure(await wire.ask('POST', containers, { token, headers: image, body: tooLarge }), 406, 'unsupported');
    expectFailure(await wire.ask('GET', `${containers}?nonsense=1`, { token, headers: html }), 415, 'unsupported');
  });

  test('a body over 1 MiB is 413, before the query and the content; exactly 1 MiB is read', async () => {
    expectFailure(
      await wire.ask('POST', `${containers}?nonsense=1`, { token, headers: json, body: tooLarge }),
      413,
      'too-large',
    );
    const body = `{"name":"x","notes":"${'a'.repeat(1_048_576 - 25)}"}`;
    expect(Buffer.byteLength(`${body}  `)).toBeLessThanOrEqual(1_048_576);
    expectFailure(await wire.ask('POST', containers, { token, headers: json, body }), 400, 'invalid');
  });

  test('a body over 1 MiB is 413 also without a Content-Length', async () => {
    const headers = { ...json, 'transfer-encoding': 'chunked' };
    const answer = await new Promise<Got>((resolve, reject) => {
      const outgoing = httpRequest(
        {
          port: wire.port,
          host: '127.0.0.1',
          method: 'POST',
          path: `/api/v2${containers}`,
          agent: false,
          headers: { authorization: `Bearer ${token}`, ...headers },
        },
        (reply) => {
          let text = '';
          reply.on('data', (piece) => {
            text += piece;
          });
          reply.on('end', () => resolve(got(reply.statusCode!, reply.headers, text)));
        },
      );
      outgoing.on('error', reject);
      outgoing.write(tooLarge.subarray(0, 600_000));
      outgoing.write(tooLarge.subarray(0, 600_000));
      // The request is not ended: the response must not wait for it.
    });
    expectFailure(answer, 413, 'too-large');
  });

  test('an invalid request is 400, before a record that does not exist is 404', async () => {
    const path = `${servers}/999999`;
    expectFailure(await wire.ask('POST', path, { token, headers: json, body: '{"nam":"x"}' }), 400, 'invalid');
    expectFailure(await wire.ask('POST', path, { token, headers: json, body: '{"name":"x"}' }), 404, 'not-found');
    expectFailure(await wire.ask('GET', `${path}?x=1`, { token }), 400, 'invalid');
    expectFailure(await wire.ask('GET', path, { token }), 404, 'not-found');
  });

  test('a record that does not exist is 404, before a version that is stale', async () => {
    const headers = { ...json, 'if-match': '"7"' };
    expectFailure(
      await wire.ask('POST', `${servers}/999999`, { token, headers, body: '{"name":"x"}' }),
      404,
      'not-found',
    );
  });

  test('a POST adds or modifies depending on the record', async () => {
    const adder = await testWorld.caller({ devices: ['add'] });
    const modifier = await testWorld.caller({ devices: ['modify'] });
    const created = await wire.ask('POST', containers, { token: adder.token, headers: json, body: '{"name":"mine"}' });
    expect(created.code).toBe(201);
    const id = Number(created.headers.location!.split('/').at(-1));
    const change = JSON.stringify({ id, notes: 'x' });
    expectFailure(
      await wire.ask('POST', containers, { token: adder.token, headers: json, body: change }),
      403,
      'forbidden',
    );
    expect(await wire.ask('POST', containers, { token: modifier.token, headers: json, body: change })).toMatchObject({
      code: 200,
    });
    expectFailure(
      await wire.ask('POST', containers, { token: modifier.token, headers: json, body: '{"name":"new"}' }),
      403,
      'forbidden',
    );
  });
});

describe('selected fields', async () => {
  const testWorld = await world();
  const wire = await listening(testWorld);
  const { token } = testWorld.admin;
  for (const name of ['select-1', 'select-2', 'select-3']) await testWorld.admin.create(container, { name });
  const list = async (query: string, options: Sent = {}) =>
    wire.ask('GET', `${containers}?filter=name==select-*${query}`, { token, ...options });

  test('are returned with the identity, in the order of the record, also for parameters in a body', async () => {
    const { text } = await list('&count=1&sortKey=name&fields=notes,name');
    expect(text).toMatch(/"results":\[\{"id":\d+,"name":"select-1","notes":null\}\],"filtered":3,/);
    const body = JSON.stringify({ filter: ['name==select-*'], sortKey: 'name', from: 'SELECT-2', fields: 'name' });
    const answer = await wire.ask('GET', containers, { token, headers: json, body });
    const names = (answer.body.results as { name: string }[]).map(({ name }) => name);
    expect([names, answer.body.filtered]).toEqual([['select-2', 'select-3'], 3]);
  });

  test('stay selected in the link of the next page, which has no other beginning', async () => {
    const { headers } = await list('&count=1&sortKey=name&fields=name&from=select-2');
    const link = /<(.*)>/.exec(String(headers.link))![1]!;
    expect(link).not.toContain('from=');
    const nextPage = await wire.ask('GET', link, { token });
    expect(nextPage.body.results).toEqual([{ id: expect.any(Number), name: 'select-3' }]);
  });

  test('are refused with a suggestion where there is none of that name', async () => {
    const faultOf = async (fields: string) => (await list(`&fields=${fields}`)).body.errorMessage;
    expect(await faultOf('nmae')).toBe('fields: there is no field nmae; did you mean name?');
    expect(await faultOf('name,name')).toBe('fields: name is named twice.');
    expect(await faultOf('creationEvent.name')).toBe(
      'fields: creationEvent.name is not a top-level field; use creationEvent.',
    );
    expect(await faultOf('__proto__')).toContain('there is no field __proto__');
    expect(await faultOf(Array.from({ length: 101 }, (_, n) => `f${n}`).join())).toContain('at most 100 fields');
  });

  test('and a beginning are parameters of lists and fetches only', async () => {
    for (const path of [`${containers}/count`, `${containers}/count/all`]) {
      const answer = await wire.ask('GET', `${path}?fields=name`, { token });
      expect(answer.body.errorMessage).toContain('fields: there is no such parameter');
    }
    const monitor = await wire.ask('POST', `${containers}/monitor/start`, { token });
    expectFailure(await wire.ask('GET', `${monitor.headers.location}?fields=name`, { token }), 400, 'invalid');
    expectFailure(await list('&from=1&start=0'), 400, 'invalid');
    const wrong = await list('&sortKey=pollingInterval&from=soon');
    expect(wrong.body.errorMessage).toBe('from: soon is not a whole number, and pollingInterval is the sort key.');
  });
});

describe('formats', async () => {
  const testWorld = await world();
  const wire = await listening(testWorld);
  const { token } = testWorld.admin;
  const agent = await testWorld.admin.create({ path: agents }, { name: 'formats' });
  const ask = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    wire.ask(method, path, { token, headers, ...(body !== undefined && { body }) });

  test('an empty body with a Content-Type is no body', async () => {
    for (const headers of [json, xml, { ...json, 'content-length': '0' }, { ...xml, 'transfer-encoding': 'chunked' }]) {
      expect(await ask('GET', containers, headers)).toMatchObject({ code: 200 });
      expect(await ask('POST', `${agents}/${agent}/disable`, headers)).toMatchObject({ code: 200 });
      expect(await ask('POST', `${containers}/monitor/start`, headers)).toMatchObject({ code: 201 });
      const id = await testWorld.admin.create(container, { name: 'to delete' });
      expect(await ask('DELETE', `${containers}/${id}`, headers)).toMatchObject({ code: 200 });
    }
    expectFailure(await ask('POST', containers, json, ''), 400, 'invalid');
  });

  test('a body where none is taken is refused, not ignored', async () => {
    expectFailure(await ask('DELETE', `${containers}/1`, json, '{}'), 400, 'invalid');
    expectFailure(await ask('GET', `${containers}/1`, json, '{}'), 400, 'invalid');
    expectFailure(await ask('POST', `${agents}/${agent}/enable`, json, '{}'), 400, 'invalid');
  });

  test('a body without a Content-Type is 415, before the size and the content; a request without a body needs none', async () => {
    const bodies = [
      await ask('POST', containers, {}, '{"name":"plain"}'),
      await ask('POST', containers, { 'content-type': ' ' }, '{"name":"plain"}'),
      await ask('GET', containers, {}, '{"count":1}'),
      await ask('DELETE', `${containers}/1`, {}, '{}'),
      await wire.ask('POST', containers, { token, body: tooLarge }),
      await wire.raw(
        `POST /api/v2${containers} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{"name":"plain"}\r\n0\r\n\r\n`,
      ),
    ];
    for (const answer of bodies) {
      expectFailure(answer, 415, 'unsupported');
      expect(answer.body.errorMessage).toContain('Content-Type: this header is required with a body');
    }
    expect(await ask('GET', `${containers}/count?filter=name==plain`, {})).toMatchObject({ body: { filtered: 0 } });
    const empty: Record<string, string>[] = [{ 'content-length': '0' }, { 'transfer-encoding': 'chunked' }];
    for (const headers of empty)
      expect(await ask('POST', `${agents}/${agent}/disable`, headers)).toMatchObject({ code: 200 });
  });

  test.each([
    ['application/json', 200],
    ['Application/JSON; charset=UTF-8', 200],
    ['application/json;charset="utf-8"', 200],
    ['application/xml', 200],
    ['application/json; charset=iso-8859-1', 415],
    ['text/json', 415],
    ['text/xml', 415],
    ['application/jsonx', 415],
    ['constructor', 415],
    ['x', 415],
  ])('Content-Type %s answers %i', async (contentType, code) => {
    expect(await ask('GET', `${containers}/count`, { 'content-type': contentType })).toMatchObject({ code });
  });

  test.each([
    ['', undefined, 'application/json'],
    ['application/xml', undefined, 'application/xml'],
    ['application/xml', '*/*', 'application/xml'],
    ['application/xml', '', 'application/xml'],
    ['', 'application/xml', 'application/xml'],
    ['application/xml', 'application/json', 'application/json'],
    ['', 'application/json;q=0.5, application/xml', 'application/xml'],
    ['', 'application/json;q=0.5, application/xml;q=0.4', 'application/json'],
    ['', 'application/xml;q=0.9, application/json;q=0.9', 'application/xml'],
    ['', 'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8', 'application/xml'],
    ['', 'APPLICATION/XML', 'application/xml'],
    ['', 'application/xml;q=0, application/json;q=0.1', 'application/json'],
    ['', 'image/png, */*;q=0.1', 'application/json'],
    ['application/xml', 'application/problem+json', 'application/xml'],
  ])('Content-Type %j with Accept %j answers %s', async (contentType, accept, answered) => {
    const headers = { ...(contentType && { 'content-type': contentType }), ...(accept !== undefined && { accept }) };
    const answer = await ask('GET', `${containers}/count`, headers);
    expect(answer.code).toBe(200);
    expect(answer.headers['content-type']).toBe(`${answered}; charset=utf-8`);
  });

  test.each([
    'image/png',
    'text/html',
    'application/xml;q=0',
    'text/event-stream',
    'constructor',
    '__proto__',
    'toString',
    'json',
  ])('Accept %s names no supported format: 406', async (accept) => {
    expectFailure(await ask('GET', `${containers}/count`, { accept }), 406, 'unsupported');
  });

  test('a failure comes in the format that the answer would have had', async () => {
    const { code, text, headers } = await ask('GET', `${containers}?x=%3C%26&x=1`, xml);
    expect({ code, type: headers['content-type'] }).toEqual({ code: 400, type: 'application/xml; charset=utf-8' });
    expect(text).toMatch(/^<\?xml .*<status>invalid<\/status><errorMessage>[^<]+<\/errorMessage><\/response>$/s);
    const unknown = await wire.ask('GET', '/nothing', { headers: { accept: 'application/xml' } });
    expect(unknown.text).toContain('<status>not-found</status>');
  });

  test('a failure comes as RFC 9457 on demand, with a pointer for each field', async () => {
    const accept = { ...json, accept: 'application/problem+json' };
    const body = JSON.stringify({ nam: 'x', pollingInterval: 1, attribute: [{ name: '', value: 3 }], 'a/b~c': 1 });
    const answer = await ask('POST', containers, accept, body);
    expect(answer.code).toBe(400);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.body).toMatchObject({
      type: 'urn:portreeve:status:invalid',
      title: 'invalid',
      status: 400,
      instance: `urn:uuid:${answer.headers['x-request-id']}`,
    });
    const errors = answer.body.errors as { pointer: string; detail: string }[];
    expect(errors.map(({ pointer }) => pointer)).toEqual([
      '#/nam',
      '#/pollingInterval',
      '#/attribute/0/name',
      '#/attribute/0/value',
      '#/a~1b~0c',
    ]);
    for (const { detail } of errors) expect(answer.body.detail).toContain(detail);
    const query = await ask('GET', `${containers}?count=x&nonsense=1&start=1&start=2`, accept);
    expect(query.body.errors).toMatchObject([
      { parameter: 'count' },
      { parameter: 'nonsense' },
      { parameter: 'start' },
    ]);
    expect(await ask('GET', `${containers}/999999`, accept)).toMatchObject({ code: 404, body: { title: 'not-found' } });
    expect(await wire.ask('GET', containers, { headers: accept })).toMatchObject({
      code: 401,
      body: { title: 'unauthenticated' },
    });
  });

  test.each([
    ['a key twice', '{"name":"a","name":"b"}'],
    ['a key twice, once escaped', '{"name":"a","n\\u0061me":"b"}'],
    ['a key twice in a list', '{"name":"a","attribute":[{"name":"x","name":"y","value":""}]}'],
    ['__proto__', '{"name":"a","__proto__":{"x":1}}'],
    ['constructor', '{"name":"a","constructor":{}}'],
    ['deep nesting', `{"name":"a","attribute":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['NUL', '{"name":"a\\u0000b"}'],
    ['a bare control character', '{"name":"a\u0001b"}'],
    ['an escaped control character', '{"name":"a\\u001fb"}'],
    ['a lone high surrogate', '{"name":"a\\ud800"}'],
    ['a lone low surrogate', '{"name":"\\udc00a"}'],
    ['U+FFFE', '{"name":"a\ufffe"}'],
    ['U+FFFF escaped', '{"name":"a\\uffff"}'],
    ['a number beyond 2^53', '{"name":"a","pollingInterval":9007199254740993}'],
    ['an infinite number', '{"name":"a","pollingInterval":1e999}'],
    ['a number as text', '{"name":"a","pollingInterval":"60"}'],
    ['a fraction', '{"name":"a","pollingInterval":60.5}'],
    ['null where none is allowed', '{"name":null}'],
    ['a list for the record', '[{"name":"a"}]'],
    ['null for the record', 'null'],
    ['text behind it', '{"name":"a"} x'],
    ['a comment', '{"name":"a"/* */}'],
    ['a comma at the end', '{"name":"a",}'],
    ['NaN', '{"name":"a","pollingInterval":NaN}'],
    ['an unknown field', '{"name":"a","secret":"x"}'],
    ['only spaces', '   '],
  ])('JSON with %s is 400', async (_what, body) => {
    expectFailure(await ask('POST', containers, json, body), 400, 'invalid');
  });

  test('a body that is not UTF-8 is 400', async () => {
    const body = Buffer.from([...Buffer.from('{"name":"'), 0xc3, 0x28, ...Buffer.from('"}')]);
    expectFailure(await wire.ask('POST', containers, { token, headers: json, body }), 400, 'invalid');
    const overlong = Buffer.from([...Buffer.from('{"name":"'), 0xc0, 0x80, ...Buffer.from('"}')]);
    expectFailure(await wire.ask('POST', containers, { token, headers: json, body: overlong }), 400, 'invalid');
  });

  test.each([
    ['a DTD', '<!DOCTYPE request><request><name>a</name></request>'],
    ['an entity of its own', '<!DOCTYPE r [<!ENTITY x "y">]><request><name>&x;</name></request>'],
    [
      'a file as an entity',
      '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><request><name>&x;</name></request>',
    ],
    ['an entity that is not known', '<request><name>&nbsp;</name></request>'],
    ['an entity by the name of a property', '<request><name>&constructor;</name></request>'],
    ['a processing instruction', '<?php x?><request><name>a</name></request>'],
    ['NUL', '<request><name>&#0;</name></request>'],
    ['a control character', '<request><name>&#1;</name></request>'],
    ['an element twice', '<request><name>a</name><name>b</name></request>'],
    ['an element that is not known', '<request><nam>a</nam></request>'],
    ['another root', '<response><name>a</name></response>'],
    ['an open end', '<request><name>a</name>'],
    ['two roots', '<request><name>a</name></request><request/>'],
    ['deep nesting', `<request>${'<attribute>'.repeat(5_000)}${'</attribute>'.repeat(5_000)}</request>`],
    ['an unknown attribute', '<request><name lang="de">a</name></request>'],
    ['another encoding', '<?xml version="1.0" encoding="UTF-16"?><request><name>a</name></request>'],
    ['JSON', '{"name":"a"}'],
    ['a text for a number', '<request><name>a</name><pollingInterval>sixty</pollingInterval></request>'],
  ])('XML with %s is 400', async (_what, body) => {
    const answer = await ask('POST', containers, xml, body);
    expect(answer.code, answer.text).toBe(400);
    expect(answer.text).toContain('<status>invalid</status>');
  });

  test('nothing of what was refused was kept', async () => {
    expect((await testWorld.admin.get(`${containers}?filter=name==a`)).body.filtered).toBe(0);
  });

  test('list parameters in the query and in the body at once are 400', async () => {
    expect(await ask('GET', containers, json, '{"count":1}')).toMatchObject({ code: 200 });
    expectFailure(await ask('GET', `${containers}?count=1`, json, '{"count":1}'), 400, 'invalid');
    expectFailure(await ask('GET', `${containers}?count=1`, json, '{}'), 400, 'invalid');
    expectFailure(await ask('GET', containers, json, '{"count":"1"}'), 400, 'invalid');
    expectFailure(await ask('GET', containers, json, '{"start":1,"after":"x"}'), 400, 'invalid');
  });

  test.each([
    'filter=%zz',
    'filter=%c3%28',
    'count=1&count=2',
    'count=1001',
    'count=-1',
    'count=1.0',
    'start=',
    'filter=',
    'sortDir=up',
    'Count=1',
    '=1',
    'count',
    `${'x=1&'.repeat(101)}`,
    'filter=name%3D%3D%00',
    '__proto__=1',
  ])('the query %s is 400', async (query) => {
    expectFailure(await ask('GET', `${containers}?${query}`, {}), 400, 'invalid');
  });
});

describe('the HTTP layer', async () => {
  const testWorld = await world();
  const wire = await listening(testWorld);
  const { token } = testWorld.admin;
  const head = `Host: x\r\nAuthorization: Bearer ${token}\r\n`;

  test('a header that is too large is 431, with the envelope', async () => {
    const answer = await wire.raw(`GET /api/v2${containers} HTTP/1.1\r\n${head}X-Long: ${'a'.repeat(20_000)}\r\n\r\n`);
    expectFailure(answer, 431, 'too-large');
    expectFailure(await wire.raw(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${head}\r\n`), 431, 'too-large');
  });

  test('a request that is not HTTP is 400, with the envelope', async () => {
    for (const text of [
      'nonsense\r\n\r\n',
      `FOO / HTTP/1.1\r\n${head}\r\n`,
      `GET / HTTP/1.1\r\n${head}Bad Header: x\r\n\r\n`,
    ])
      expectFailure(await wire.raw(text), 400, 'invalid');
    const smuggled = `POST /api/v2${containers} HTTP/1.1\r\n${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`;
    expectFailure(await wire.raw(smuggled), 400, 'invalid');
  });

  test('a request without a Host is 400, with the envelope', async () => {
    expectFailure(await wire.raw(`GET /api/v2${containers} HTTP/1.1\r\nConnection: close\r\n\r\n`), 400, 'invalid');
  });

  test('an error stays below 32 KiB, whatever the request held', async () => {
    const long = '漢'.repeat(150_000);
    const profiles = '/user/admin-profile';
    const map = `<request><name>x</name><permissions><entry key="${long}"><nothing/></entry></permissions></request>`;
    const broken = [
      await wire.ask('POST', containers, {
        token,
        headers: json,
        body: JSON.stringify({ [long]: 1, [`${long}2`]: 1 }),
      }),
      await wire.ask('POST', profiles, { token, headers: json, body: JSON.stringify({ permissions: { [long]: 1 } }) }),
      await wire.ask('POST', profiles, { token, headers: { ...xml, accept: 'application/problem+json' }, body: map }),
      await wire.ask('GET', `${containers}?${'"&'.repeat(90)}${'x'.repeat(9_000)}=1`, { token, headers: xml }),
      await wire.ask('GET', containers, { token, headers: { 'content-type': `x/${'"'.repeat(12_000)}` } }),
      await wire.ask('GET', `${containers}?filter=id==${'%E6%BC%A2'.repeat(1_300)}`, { token }),
    ];
    for (const { code, text } of broken) {
      expect([400, 415], text).toContain(code);
      expect(Buffer.byteLength(text)).toBeLessThan(32_768);
    }
    expect(broken[0]!.body.errorMessage).toMatch(/^漢{80}…: no such field\./);
  });

  test('an Expect that is not understood is 417, with the envelope', async () => {
    const requestText = `GET /api/v2${containers} HTTP/1.1\r\n${head}Connection: close\r\n`;
    expectFailure(await wire.raw(`${requestText}Expect: a-miracle\r\n\r\n`), 417, 'unsupported');
    expect(await wire.ask('GET', containers, { token, headers: { expect: '100-continue' } })).toMatchObject({
      code: 200,
    });
  });

  test.each(['/api/v2/%zz', '/api/v2/device/container/%', '/api/v2/%c3%28', '/api/v2/device/container/%e0%a4'])(
    'the path %s is not properly encoded: 400, with the envelope',
    async (path) => {
      expectFailure(await wire.raw(`GET ${path} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`), 400, 'invalid');
    },
  );

  test('an id of many digits is 404 or 414, with the envelope', async () => {
    expectFailure(await wire.ask('GET', `${containers}/${'1'.repeat(150)}`), 404, 'not-found');
    const answer = await wire.ask('GET', `${containers}/${'1'.repeat(2_000)}`);
    expectFailure(answer, 414, 'too-large');
  });

  test('every answer has an X-Request-Id of its own', async () => {
    const answers = [
      await wire.ask('GET', containers, { token }),
      await wire.ask('GET', containers, { token }),
      await wire.ask('POST', containers, { token, headers: json, body: '{"name":"with an id"}' }),
      await wire.ask('GET', containers),
      await wire.ask('GET', '/nothing'),
      await wire.ask('PUT', containers),
      await wire.ask('HEAD', containers),
      await wire.raw('nonsense\r\n\r\n'),
    ];
    const ids = answers.map(({ headers }) => headers['x-request-id']);
    for (const id of ids) expect(id).toMatch(requestId);
    expect(new Set(ids).size).toBe(ids.length);
    const { body } = await testWorld.admin.get(`/logging/audit?filter=${encodeURIComponent(`requestID==${ids[2]}`)}`);
    expect(body.results).toMatchObject([
      { action: 'ADD', auditObjectName: 'with an id', path: `/api/v2${containers}` },
    ]);
  });

  test('a client that sends its own X-Request-Id does not choose ours', async () => {
    const answer = await wire.ask('GET', containers, {
      token,
      headers: { 'x-request-id': 'mine', 'request-id': 'mine' },
    });
    expect(answer.headers['x-request-id']).toMatch(requestId);
  });
});

describe('the throttle', async () => {
  let nowMs = 1_000;
  const testWorld = await world({
    limits: { requestsPerSecond: 5, burst: 5, testsPerMinute: 10 },
    monotonicMs: () => nowMs,
  });
  const wire = await listening(testWorld);
  const { token } = testWorld.admin;
  const { token: stranger } = await testWorld.caller({ roles: ['view'] });

  test('refuses requests beyond the burst with the time to wait, and accepts them again later', async () => {
    for (let n = 0; n < 5; n++)
      expect(await wire.ask('GET', `${containers}/count`, { token })).toMatchObject({ code: 200 });
    const answer = await wire.ask('GET', `${containers}/count`, { token });
    expectFailure(answer, 429, 'throttled');
    expect(answer.headers).toMatchObject({
      'retry-after': '1',
      ratelimit: expect.any(String),
      'ratelimit-policy': expect.any(String),
    });
    nowMs += 1_000;
    for (let n = 0; n < 5; n++)
      expect(await wire.ask('GET', `${containers}/count`, { token })).toMatchObject({ code: 200 });
    expectFailure(await wire.ask('GET', `${containers}/count`, { token }), 429, 'throttled');
  });

  test('comes before the rights and everything behind them, and after the token', async () => {
    for (let n = 0; n < 5; n++) expectFailure(await wire.ask('GET', containers, { token: stranger }), 403, 'forbidden');
    const request = { token: stranger, headers: { 'content-type': 'text/html', accept: 'image/png' }, body: tooLarge };
    expectFailure(await wire.ask('POST', containers, request), 429, 'throttled');
    for (let n = 0; n < 10; n++) expectFailure(await wire.ask('GET', containers), 401, 'unauthenticated');
    expectFailure(await wire.ask('GET', '/nothing', { token: stranger }), 404, 'not-found');
    expectFailure(await wire.ask('PUT', containers, { token: stranger }), 405, 'unsupported');
  });
});

describe('trouble behind the service', async () => {
  const testWorld = await world();
  const wire = await listening(testWorld);
  const { token } = testWorld.admin;
  const name = testWorld.database.name;

  /** Runs statements as the owner, through another database than the one that fails. */
  async function asOwner(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: testWorld.database.ownerUrl.replace(name, 'postgres') });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }
  const endSessions = `select pg_terminate_backend(a.pid) from pg_stat_activity a where a.datname = '${name}' and a.usename = '${serviceRole}'`;

  /**
   * An idle session receives only a moment later that it was ended; until then, a request that uses it fails with 503.
   */
  const answersAgain = () =>
    until('an answer', async () => {
      const { code } = await wire.ask('GET', containers, { token });
      expect([200, 503]).toContain(code);
      return code === 200;
    });

  test('a database that refuses every session is 503 with Retry-After, and all is well when it is back', async () => {
    expect(await wire.ask('GET', containers, { token })).toMatchObject({ code: 200 });
    await asOwner(`alter database ${name} allow_connections false`, endSessions);
    try {
      for (const [method, path, body] of [
        ['GET', containers, undefined],
        ['GET', `${containers}/1`, undefined],
        ['POST', containers, '{"name":"never"}'],
        ['POST', '/auth/login', '{"userID":"x","password":"y"}'],
      ] as const) {
        const answer = await wire.ask(method, path, { token, headers: json, ...(body && { body }) });
        expectFailure(answer, 503, 'unavailable');
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
    } finally {
      await asOwner(`alter database ${name} allow_connections true`);
    }
    expect(await wire.ask('GET', containers, { token })).toMatchObject({ code: 200 });
    expect(await wire.ask('POST', containers, { token, headers: json, body: '{"name":"back"}' })).toMatchObject({
      code: 201,
    });
  });

  test('sessions that are ended in the middle of the work are 503 at worst, and never the end of the service', async () => {
    const codes = new Set<number>();
    let isOver = false;
    async function work(worker: number): Promise<void> {
      for (let n = 0; !isOver; n++) {
        const body = JSON.stringify({ name: `worker ${worker} ${n}` });
        codes.add((await wire.ask('POST', containers, { token, headers: json, body })).code);
        codes.add((await wire.ask('GET', containers, { token })).code);
      }
    }
    const working = Promise.all([1, 2, 3, 4, 5, 6].map(work));
    // Repeats until a request used one of them: on a busy machine that may take more than eight.
    for (let n = 0; n < 8 || (!codes.has(503) && n < 500); n++) {
      await sleep(60);
      await asOwner(endSessions);
    }
    isOver = true;
    await working;
    const bugs = testWorld.logged.map((text) => JSON.parse(text)).filter(({ incident }) => incident !== undefined);
    expect(bugs.map(({ err }) => [err.message, err.code])).toEqual([]);
    expect([...codes].filter((code) => ![200, 201, 503].includes(code))).toEqual([]);
    expect(codes).toContain(503);
    await answersAgain();
  });

  test('a session that is ended while a transaction holds it idle does not end the service', async () => {
    const work = testWorld.service.runtime.transact(systemOrigin('test'), async ({ client }) => {
      await client.query('select 1');
      const ended = new Promise<void>((done) => client.once('end', done));
      await asOwner(endSessions);
      await ended;
      await client.query('select 1');
    });
    await expect(work).rejects.toThrow();
    await answersAgain();
  });

  test('a read that takes too long is 422 with advice', async () => {
    const operation = testWorld.service.operations.find(({ operationId }) => operationId === 'container.count-all')!;
    const { run } = operation;
    operation.run = () =>
      testWorld.service.runtime.read(async (client) => {
        await client.query('set statement_timeout = 50');
        try {
          await client.query('select pg_sleep(5)');
        } finally {
          await client.query('set statement_timeout = 5000');
        }
        return {};
      });
    expectFailure(await wire.ask('GET', `${containers}/count/all`, { token }), 422, 'too-expensive');
    operation.run = run;
  });

  test('a bug is 500 with the id of the incident only, and the log has the rest under that id', async () => {
    const operation = testWorld.service.operations.find(({ operationId }) => operationId === 'container.count-all')!;
    const { run } = operation;
    operation.run = () => Promise.reject(new TypeError('the flux of the capacitor', { cause: new Error('deep down') }));
    for (const [headers, expectedReason] of [
      [json, 'json'],
      [xml, 'xml'],
      [{ accept: 'application/problem+json' }, 'problem+json'],
    ] as const) {
      testWorld.logged.length = 0;
      const answer = await wire.ask('GET', `${containers}/count/all`, { token, headers });
      expect(answer.code).toBe(500);
      expect(answer.headers['content-type']).toContain(expectedReason);
      expect(answer.text).toContain(String(answer.headers['x-request-id']));
      expect(answer.text).not.toMatch(/flux|TypeError|deep down|\.ts|at /);
      const line = testWorld.logged.map((text) => JSON.parse(text)).find(({ incident }) => incident !== undefined);
      expect(line).toMatchObject({ incident: answer.headers['x-request-id'], err: { type: 'TypeError' } });
      expect(line.err.message).toContain('the flux of the capacitor');
      expect(line.err.stack).toContain('deep down');
    }
    operation.run = run;
    expect(await wire.ask('GET', `${containers}/count/all`, { token })).toMatchObject({ code: 200 });
  });
});

describe('the log of the service', async () => {
  const testWorld = await world();
  const wire = await listening(testWorld);
  const { token } = testWorld.admin;

  test('logs each request and its result, and never a token, a password or a secret', async () => {
    const secrets = [
      'correct-horse-battery',
      'wrong-horse-battery',
      'hidden-shared-secret',
      'hidden-probe-password',
      token,
    ];
    const send = (method: string, path: string, body?: unknown, options: Sent = {}) =>
      wire.ask(method, path, {
        token,
        headers: json,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...options,
      });
    const login = await send('POST', '/auth/login', {
      userID: 'system-administrator-1',
      password: 'correct-horse-battery',
    });
    expect(login.code, login.text).toBeLessThan(300);
    const [session] = login.body.results as { sessionKey: string; securityKey: string }[];
    secrets.push(session!.sessionKey, session!.securityKey);
    await send('POST', '/auth/login', { userID: 'system-administrator-1', password: 'wrong-horse-battery' });
    const issued = await send('POST', '/auth/tokens', { name: 'another' });
    expect(issued.code, issued.text).toBeLessThan(300);
    secrets.push((issued.body.results as { token: string }[])[0]!.token);
    const server = {
      name: 'r',
      netId: '192.0.2.1',
      secret: 'hidden-shared-secret',
      checkPassword: 'hidden-probe-password',
    };
    const { headers } = await send('POST', servers, server);
    const id = headers.location!.split('/').at(-1);
    await send('POST', servers, server);
    await send('POST', servers, { ...server, authPort: 'hidden-shared-secret' });
    await send('POST', `${servers}/${id}`, { ...server, secret: 'hidden-shared-secret'.repeat(9) });
    await send('GET', `${servers}/${id}/secret`);
    await send('GET', `${containers}?token=${token}&filter=${encodeURIComponent('secret==hidden-shared-secret')}`);
    await wire.ask('GET', containers, {
      headers: { authorization: `Bearer ${token}x`, cookie: `__Host-session=${session!.sessionKey}` },
    });
    // Also if it fails after everything was received.
    const operation = testWorld.service.operations.find(({ operationId }) => operationId === 'aaa-server.create')!;
    const { run } = operation;
    operation.run = (call) => Promise.reject(Object.assign(new Error('a bug'), { requestId: call.origin.requestId }));
    expect(await send('POST', servers, server)).toMatchObject({ code: 500 });
    operation.run = run;

    const lines = testWorld.logged.map((text) => JSON.parse(text));
    expect(lines).toContainEqual(
      expect.objectContaining({
        operation: 'aaa-server.create',
        method: 'POST',
        path: `/api/v2${servers}`,
        code: 201,
        user: 'system-administrator-1',
        address: '127.0.0.1',
      }),
    );
    const all = testWorld.logged.join('');
    for (const secret of secrets) expect(all.includes(secret), `the log holds ${secret}`).toBe(false);
  });
});
