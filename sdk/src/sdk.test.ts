import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { world } from '@portreeve/server/test/world/world.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { declarationOf, typeOf } from './emitter/typescript.ts';
import { Client, type ClientOptions, operations, PortreeveError, portreeve } from './index.ts';

/** Returns the error of a call. */
const faultOf = async (call: Promise<unknown>): Promise<PortreeveError> => {
  const fault = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(PortreeveError);
  return fault as PortreeveError;
};

describe('the typed client and a running service', async () => {
  const { service, admin, caller } = await world();
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const client = new Client({ url, token: admin.token });
  const api = portreeve(client);

  test('create returns the identity, and fetch the stored record', async () => {
    const created = await api.aaaServer.create({ name: 'radius-a', netId: '192.0.2.1', secret: 'correct-horse' });
    expect(created).toMatchObject({ httpCode: 201, status: 'success', results: [], etag: '"1"' });
    expect(created.location).toBe(`/api/v2/settings/integration/aaa/${created.id}`);
    const {
      results: [server],
      etag,
      requestId,
    } = await api.aaaServer.fetch(created.id!);
    expect(server).toMatchObject({ id: created.id, name: 'radius-a', netId: '192.0.2.1', authPort: 1812 });
    expect(etag).toBe('"1"');
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a fetched record can be sent back, and an update raises its version', async () => {
    const { id } = await api.container.create({ name: 'Echo' });
    const {
      results: [stored],
    } = await api.container.fetch(id!);
    expect(await api.container.create({ ...stored, description: 'Heard' })).toMatchObject({
      httpCode: 200,
      etag: '"2"',
    });
    expect((await api.container.fetch(id!)).results[0].description).toBe('Heard');
  });

  test('walk yields the records of the list for any page size', async () => {
    for (let n = 1; n <= 7; n++) await api.container.create({ name: `walk ${n}` });
    const query = { filter: ['name==walk*', 'name!="walk 4"'], sortKey: 'name', sortDir: 'desc' } as const;
    const list = await api.container.list(query);
    expect(list).toMatchObject({ filtered: 6, next: undefined });
    expect(list.results.map(({ name }) => name)).toEqual(['walk 7', 'walk 6', 'walk 5', 'walk 3', 'walk 2', 'walk 1']);
    for (const count of [1, 2, 3, 6, 1_000])
      expect(await Array.fromAsync(api.container.walk({ ...query, count }))).toEqual(list.results);
    expect(await Array.fromAsync(api.container.walk({ ...query, count: 2, start: 3 }))).toEqual(list.results.slice(3));
    expect(await Array.fromAsync(api.container.walk({ ...query, count: 0 }))).toEqual([]);
  });

  test('requests the next page with the cursor of the previous one', async () => {
    const first = await api.auditRecord.list({ count: 2 });
    const second = await api.auditRecord.list({ count: 2, after: first.next });
    const both = await api.auditRecord.list({ count: 4 });
    expect([...first.results, ...second.results]).toEqual(both.results);
  });

  test('count returns no records', async () => {
    const { total } = await api.container.countAll();
    expect(await api.container.count({ filter: ['name==Network'] })).toMatchObject({ results: [], filtered: 1, total });
  });

  test('throws an error with the status word and one fault per mistake', async () => {
    const body = { name: '', netId: 'x', authPort: 70_000, colour: 'red' };
    const fault = await faultOf(api.aaaServer.create(body));
    expect(fault).toMatchObject({ word: 'invalid', httpCode: 400, name: 'PortreeveError' });
    expect(fault.faults.map(({ pointer }) => pointer)).toEqual(expect.arrayContaining(['#/name', '#/authPort']));
    expect(fault.message).toContain(fault.faults[0]!.detail);
    expect(fault.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('reports the parameter of a fault in the query', async () => {
    const fault = await faultOf(client.call(operations['container.list'], { query: { colour: 'red' } }));
    expect(fault).toMatchObject({ word: 'invalid', faults: [{ parameter: 'colour' }] });
  });

  test('throws the status word of the contract', async () => {
    const stranger = portreeve(new Client({ url, token: (await caller({})).token }));
    const nobody = portreeve(new Client({ url }));
    const [root] = (await api.container.list({ filter: ['name==Network'] })).results;
    const words = await Promise.all(
      [
        api.container.fetch(999_999),
        api.container.create({ name: 'Network' }),
        api.container.deleteOne(root!.id),
        stranger.container.list(),
        nobody.container.list(),
      ].map(async (call) => (await faultOf(call)).word),
    );
    expect(words).toEqual(['not-found', 'duplicate', 'protected', 'forbidden', 'unauthenticated']);
  });

  test('a dry run returns the resulting record and stores nothing', async () => {
    const { total } = await api.aaaServer.countAll();
    const dryRunOfRead = await api.aaaServer.create(
      { name: 'radius-dry', netId: '192.0.2.9', secret: 'correct-horse' },
      { dryRun: true },
    );
    expect(dryRunOfRead).toMatchObject({ httpCode: 200, results: [{ name: 'radius-dry', netId: '192.0.2.9' }] });
    expect((await api.aaaServer.countAll()).total).toBe(total);
  });

  test('does not overwrite a record that has changed since it was read', async () => {
    const { id, etag } = await api.aaaServer.create({
      name: 'radius-b',
      netId: 'radius-b.test',
      secret: 'correct-horse',
    });
    await api.aaaServer.update(id!, { name: 'radius-c' }, { ifMatch: etag });
    expect(await faultOf(api.aaaServer.update(id!, { name: 'radius-d' }, { ifMatch: etag }))).toMatchObject({
      word: 'stale',
      httpCode: 412,
    });
    expect(await faultOf(api.aaaServer.deleteOne(id!, { ifMatch: 1 }))).toMatchObject({ word: 'stale', httpCode: 412 });
    expect(await api.aaaServer.deleteOne(id!, { ifMatch: 2 })).toMatchObject({ httpCode: 200 });
  });

  test('runs a request with the same idempotency key once', async () => {
    const body = { name: 'once' };
    const first = await api.container.create(body, { idempotencyKey: 'only-once' });
    expect(await api.container.create(body, { idempotencyKey: 'only-once' })).toMatchObject({ id: first.id });
    expect(await faultOf(api.container.create(body))).toMatchObject({ word: 'duplicate' });
    expect(await faultOf(api.container.create(body, { idempotencyKey: false }))).toMatchObject({ word: 'duplicate' });
  });

  test('a monitor returns each change once after acknowledgement', async () => {
    const started = await api.container.monitorStart({ filter: ['name==watched*'] });
    const [monitor] = started.results;
    expect(started.id).toBe(monitor!.id);
    const { id } = await api.container.create({ name: 'watched 1' });
    const { results: changes } = await api.container.monitorPoll(monitor!.id, { position: monitor!.position });
    expect(changes).toMatchObject([{ change: 'added', record: { id, name: 'watched 1' } }]);
    const later = await api.container.monitorPoll(monitor!.id, { position: changes.at(-1)!.position });
    expect(later.results).toEqual([]);
    await api.container.monitorStop(monitor!.id);
    expect((await faultOf(api.container.monitorPoll(monitor!.id))).httpCode).toBeGreaterThanOrEqual(404);
  });

  test('accepts a URL with a path or a trailing slash', async () => {
    const { total } = await api.container.countAll();
    expect((await portreeve(new Client({ url: `${url}///`, token: admin.token })).container.countAll()).total).toBe(
      total,
    );
    const fault = await faultOf(portreeve(new Client({ url: `${url}/elsewhere` })).container.countAll());
    expect(fault).toMatchObject({ word: 'not-found' });
  });

  test('rejects unknown parameters at compile time', async () => {
    // @ts-expect-error: a misspelt field
    const misspelt = api.container.create({ nmae: 'core' });
    // @ts-expect-error: a count cannot be sorted
    const sorted = api.container.count({ sortKey: 'name' });
    // @ts-expect-error: a read has no dry run
    const dryRunOfRead = api.container.list({}, { dryRun: true });
    const words = [misspelt, sorted, dryRunOfRead].map(async (call: Promise<unknown>) => (await faultOf(call)).word);
    expect(await Promise.all(words)).toEqual(['invalid', 'invalid', 'invalid']);
  });

  test('throws a TypeError if a path parameter is missing', async () => {
    await expect(client.call(operations['container.fetch'])).rejects.toThrow('container.fetch requires id');
  });
});

describe('retries', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  type Step = Response | Error | ((request: RequestInit) => Promise<Response>);
  const refusal = (code: number, word: string, headers: Record<string, string> = {}) =>
    Response.json({ title: word, status: code, detail: `It is ${word}.`, errors: [] }, { status: code, headers });
  const success = () => Response.json({ status: 'success', errorMessage: null });
  const broken = () => new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });

  /** A client of a service that returns these responses in turn, and the last one from then on. */
  function scripted(steps: readonly (() => Step)[], options: Partial<ClientOptions> = {}) {
    const requests: { atMs: number; headers: Headers; url: string }[] = [];
    const startedMs = Date.now();
    const fakeFetch = async (url: unknown, request: RequestInit = {}) => {
      const step = steps[Math.min(requests.length, steps.length - 1)]!();
      requests.push({ atMs: Date.now() - startedMs, headers: new Headers(request.headers), url: String(url) });
      if (step instanceof Error) throw step;
      return typeof step === 'function' ? step(request) : step;
    };
    const client = new Client({ url: 'http://nac.test', fetch: fakeFetch as typeof fetch, ...options });
    return { requests, client, api: portreeve(client) };
  }

  /** Runs all timers and returns the result of the call. */
  async function settled<T>(call: Promise<T>): Promise<T> {
    // Avoids an unhandled rejection while the timers run; the caller handles the error.
    call.catch(() => undefined);
    await vi.runAllTimersAsync();
    return call;
  }

  test('wait as long as Retry-After requires', async () => {
    const { api, requests } = scripted([() => refusal(429, 'throttled', { 'retry-after': '7' }), success]);
    await settled(api.container.list());
    expect(requests).toHaveLength(2);
    expect(requests[1]!.atMs).toBeGreaterThanOrEqual(7_000);
    expect(requests[1]!.atMs).toBeLessThan(8_000);
  });

  test('accept a date in Retry-After', async () => {
    const later = new Date(Date.now() + 5_000).toUTCString();
    const { api, requests } = scripted([() => refusal(503, 'unavailable', { 'retry-after': later }), success]);
    await settled(api.container.list());
    expect(requests[1]!.atMs).toBeGreaterThanOrEqual(4_000);
    expect(requests[1]!.atMs).toBeLessThan(7_000);
  });

  test('repeat a write with the same key after 503 and after a broken connection', async () => {
    const { api, requests } = scripted([() => refusal(503, 'unavailable'), broken, success]);
    await settled(api.container.create({ name: 'core' }));
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    await settled(api.container.create({ name: 'core' }));
    expect(requests.at(-1)!.headers.get('idempotency-key')).not.toBe(keys[0]);
  });

  test('use growing pauses and throw the last error after the limit', async () => {
    const { api, requests } = scripted([() => refusal(503, 'unavailable')]);
    expect(await faultOf(settled(api.container.list()))).toMatchObject({ word: 'unavailable', httpCode: 503 });
    expect(requests).toHaveLength(4);
    const pauses = requests.slice(1).map(({ atMs }, index) => atMs - requests[index]!.atMs);
    for (const [index, pauseMs] of pauses.entries()) {
      expect(pauseMs).toBeGreaterThanOrEqual(125 * 2 ** index);
      expect(pauseMs).toBeLessThanOrEqual(250 * 2 ** index);
    }
  });

  test('can be limited by the caller', async () => {
    const { api, requests } = scripted([broken], { retriesMax: 0 });
    const fault = await faultOf(settled(api.container.list()));
    expect(fault).toMatchObject({ word: 'unreachable', httpCode: 0 });
    expect(fault.message).toBe('http://nac.test cannot be reached: connect ECONNREFUSED.');
    expect(requests).toHaveLength(1);
  });

  test('do not wait longer than a minute', async () => {
    const { api, requests } = scripted([() => refusal(429, 'throttled', { 'retry-after': '3600' })]);
    expect(await faultOf(settled(api.container.list()))).toMatchObject({ retryAfterSeconds: 3_600 });
    expect(requests).toHaveLength(1);
  });

  test('do not repeat a write without a key, except after 429', async () => {
    const lost = scripted([broken, success]);
    const call = lost.api.container.create({ name: 'core' }, { idempotencyKey: false });
    expect(await faultOf(settled(call))).toMatchObject({ word: 'unreachable' });
    expect(lost.requests).toHaveLength(1);
    expect(lost.requests[0]!.headers.has('idempotency-key')).toBe(false);

    const login = scripted([() => refusal(503, 'unavailable'), success]);
    await faultOf(settled(login.api.session.login({} as never)));
    expect(login.requests).toHaveLength(1);

    const throttled = scripted([() => refusal(429, 'throttled'), success]);
    await settled(throttled.api.container.create({ name: 'core' }, { idempotencyKey: false }));
    expect(throttled.requests).toHaveLength(2);
  });

  test('do not repeat permanent errors', async () => {
    for (const [code, word] of [
      [400, 'invalid'],
      [409, 'duplicate'],
      [500, 'error'],
    ] as const) {
      const { api, requests } = scripted([() => refusal(code, word), success]);
      expect(await faultOf(settled(api.container.list()))).toMatchObject({ word });
      expect(requests).toHaveLength(1);
    }
  });

  test('repeat errors of a gateway, and throw for responses of other services', async () => {
    const restarting = scripted([() => new Response('<h1>Bad Gateway</h1>', { status: 502 }), success]);
    await settled(restarting.api.container.list());
    expect(restarting.requests).toHaveLength(2);
    const htmlServer = scripted([() => new Response('<h1>Welcome</h1>')]);
    expect(await faultOf(settled(htmlServer.api.container.list()))).toMatchObject({ word: 'error', httpCode: 200 });
    const moved = scripted([() => new Response(null, { status: 301, headers: { location: 'https://other.test/' } })]);
    expect((await faultOf(settled(moved.api.container.list()))).message).toContain('redirects');
  });

  test('stop at once on abort, during a request and during a pause', async () => {
    const requestStarted = new AbortController();
    const hanging = scripted([
      () => (request) =>
        new Promise((_, fail) => request.signal!.addEventListener('abort', () => fail(request.signal!.reason))),
    ]);
    const call = hanging.api.container.list({}, { signal: requestStarted.signal });
    requestStarted.abort(new Error('not any more'));
    await expect(call).rejects.toThrow('not any more');

    const waiting = new AbortController();
    const { api, requests } = scripted([() => refusal(503, 'unavailable', { 'retry-after': '30' }), success]);
    const paused = api.container.list({}, { signal: waiting.signal });
    paused.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    waiting.abort(new Error('not any more'));
    await expect(paused).rejects.toThrow('not any more');
    expect(requests).toHaveLength(1);
  });

  test('stop after the timeout if the service does not respond', async () => {
    const hang = () => (request: RequestInit) =>
      new Promise<Response>((_, fail) => request.signal!.addEventListener('abort', () => fail(request.signal!.reason)));
    const { api } = scripted([hang], { timeoutSeconds: 0.02, retriesMax: 0 });
    const fault = faultOf(api.container.list());
    await vi.advanceTimersByTimeAsync(20);
    expect((await fault).message).toContain('no response within 0.02 s');
  });

  test('leave no timer after the call', async () => {
    const { api } = scripted([success, () => refusal(404, 'not-found'), broken], { retriesMax: 0 });
    await api.container.list();
    expect((await faultOf(api.container.list())).word).toBe('not-found');
    expect((await faultOf(api.container.list())).word).toBe('unreachable');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('lists become repeated parameters, and undefined is not sent', async () => {
    const { api, requests } = scripted([success]);
    await settled(api.container.list({ filter: ['name==a&b', 'id=gt=1'], count: 0, sortKey: undefined }));
    expect(requests[0]!.url).toBe(
      'http://nac.test/api/v2/device/container?filter=name%3D%3Da%26b&filter=id%3Dgt%3D1&count=0',
    );
    expect(requests[0]!.headers.has('authorization')).toBe(false);
  });
});

describe('the generated files', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));

  test('have every operation as data and as a method', async () => {
    const { paths } = JSON.parse(await readFile(`${root}openapi.json`, 'utf8')) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(Object.keys(operations).sort()).toEqual(ids.sort());
    const methods = Object.values(portreeve(new Client({ url: 'http://nac.test' }))).flatMap(Object.keys);
    expect(methods.filter((name) => !/walk$/i.test(name))).toHaveLength(ids.length);
  });

  test('import no Node modules', async () => {
    for (const file of ['index.ts', 'runtime.ts', 'generated/api.ts', 'generated/operations.ts']) {
      const text = await readFile(`${root}sdk/src/${file}`, 'utf8');
      const imported = [...text.matchAll(/ from '([^']+)'/g)].map(([, name]) => name!);
      expect(imported.filter((name) => !name.startsWith('.'))).toEqual([]);
    }
  });

  test('have a type for every kind of schema', () => {
    expect(typeOf({ type: ['integer', 'null'] })).toBe('number | null');
    expect(typeOf({ type: ['string', 'null'], enum: ['WIRELESS', null] })).toBe('"WIRELESS" | null');
    expect(typeOf({ type: ['string', 'null'], anyOf: [{}, {}] })).toBe('string | null');
    expect(typeOf({ type: 'array', items: { type: ['string', 'null'] } })).toBe('(string | null)[]');
    expect(typeOf({ type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 })).toBe('[number, number]');
    expect(typeOf({ type: 'array', maxItems: 0 })).toBe('never[]');
    expect(typeOf({ type: 'object', additionalProperties: { type: 'boolean' } })).toBe('Record<string, boolean>');
    expect(typeOf({ oneOf: [{ $ref: '#/components/schemas/Role' }, { type: 'null' }] })).toBe('Role | null');
    expect(typeOf({})).toBe('unknown');
    expect(() => typeOf({ type: 'date' })).toThrow('type date');
    const odd = { description: 'Ends */ here.', type: 'object', properties: { 'a-b': { const: 1 } } };
    expect(declarationOf('Answer', odd)).toBe(
      '/** Ends *\\/ here. */\nexport interface AnswerSchema {\n"a-b"?: 1;\n}\n',
    );
  });
});
