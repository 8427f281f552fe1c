import { expect, test } from 'vitest';
import { seesEverything } from '../../../src/kernel/access/visibility.ts';
import { type Collection, inputShape } from '../../../src/kernel/declare/declaration.ts';
import type { Shape } from '../../../src/kernel/declare/shape.ts';
import { readXml } from '../../../src/kernel/format/xml-reader.ts';
import { xmlWriter } from '../../../src/kernel/format/xml-writer.ts';
import { uniqueKeys } from '../../../src/kernel/model/model.ts';
import { Client } from '../../world/client.ts';
import { type Body, fieldsOf, isRequired, type Problem, type TestedDeclaration, type Trial, without } from './trial.ts';
import { sparse, unfitting } from './values.ts';

type GetTrial = () => Trial;

/** Tests the permissions of the resource. `rights.test.ts` tests those of every single operation. */
export function testAccess(getTrial: GetTrial, declaration: TestedDeclaration): void {
  const { permission, ownedBy } = declaration;

  test('a request without a token is refused', async () => {
    const t = getTrial();
    const anonymous = new Client(t.world.service.app, '');
    await t.expectNoChange(async () => {
      for (const reply of [await anonymous.get(t.path), await anonymous.post(t.savePath, t.sample())]) {
        expect(reply).toMatchObject({ code: 401, body: { status: 'unauthenticated' } });
        expect(reply.headers['www-authenticate']).toBe('Bearer');
      }
    });
  });

  test(`without the right ${permission} nothing is returned, and the error names the right`, async () => {
    const t = getTrial();
    await t.create();
    const stranger = await t.callerWithoutRights();
    const reply = await stranger.get(t.path);
    // If records have owners, another account sees only its own, which are none.
    if (ownedBy) expect(reply).toMatchObject({ code: 200, body: { results: [], filtered: 0, total: 0 } });
    else expect(reply).toMatchObject({ code: 403, body: { status: 'forbidden' } });
    if (!ownedBy) expect(reply.body.errorMessage).toContain(`view ${permission}`);
    const refused = await t.expectNoChange(() => stranger.post(t.savePath, t.sample()));
    expect(refused).toMatchObject({ code: 403, body: { status: 'forbidden' } });
    expect(refused.body.errorMessage).toContain(permission);
  });

  test('the right to view does not allow changes', async () => {
    const t = getTrial();
    const { id } = await t.create();
    const viewer = await t.caller('view');
    expect((await viewer.get(t.one(id))).code).toBe(200);
    await t.expectNoChange(async () => {
      for (const reply of [
        await viewer.post(t.savePath, t.sample()),
        ...(t.isWritable ? [await viewer.post(t.savePath, { ...t.change(), [t.identity]: id })] : []),
        ...(t.has('update') ? [await viewer.post(t.url('update', id), t.change())] : []),
        ...(t.has('deleteOne') ? [await viewer.delete(t.url('deleteOne', id))] : []),
        ...(t.has('deleteMany') ? [await viewer.post(t.url('deleteMany'), { id: [id] })] : []),
        ...(t.has('enable') ? [await viewer.post(t.url('enable', id))] : []),
        ...(t.has('rankSet') ? [await viewer.post(t.url('rankSet'), { id, rank: 1 })] : []),
      ])
        expect(reply).toMatchObject({ code: 403, body: { status: 'forbidden' } });
    });
  });

  test('the right to modify does not allow adding', async () => {
    const t = getTrial();
    const [adder, modifier] = [await t.caller('add'), await t.caller('modify')];
    await t.expectNoChange(async () => expect((await modifier.post(t.savePath, t.sample())).code).toBe(403));
    expect((await adder.post(t.savePath, t.sample())).code).toBe(201);
  });

  if (declaration.kind === 'log') return;

  test('the right to add does not allow modifying', async () => {
    const t = getTrial();
    const { id } = await t.create();
    const [adder, modifier] = [await t.caller('add'), await t.caller('modify')];
    const change = () => ({ ...t.change(), [t.identity]: id });
    await t.expectNoChange(async () => expect((await adder.post(t.savePath, change())).code).toBe(403));
    expect((await modifier.post(t.savePath, change())).code).toBe(200);
  });
}

/** Tests that no value is silently converted, cut or dropped. */
export function testBounds(getTrial: GetTrial, declaration: Collection): void {
  for (const [name, field] of fieldsOf(declaration, ({ access }) => access === 'write' || access === 'secret')) {
    test(`${name} is refused outside its bounds`, async () => {
      const t = getTrial();
      await t.expectNoChange(async () => {
        const body = t.sample();
        for (const [what, value] of unfitting(field.shape)) {
          const faults = await t.faultsOf({ ...body, [name]: value });
          expect(faults, `${name} with ${what}`).toEqual(
            expect.arrayContaining([expect.stringMatching(new RegExp(`^#/${name}(/|$)`))]),
          );
        }
      });
    });
  }

  test('a text with a control character or a lone surrogate is refused', async () => {
    const t = getTrial();
    await t.expectNoChange(async () => {
      for (const text of ['a\u0000', 'a\u0001', '\ud800', '\uffff'])
        await t.faultsOf({ ...t.sample(), [declaration.label]: text });
    });
  });

  test('fields that the service sets are checked for their type too', async () => {
    const t = getTrial();
    await t.expectNoChange(async () => {
      const body = t.sample();
      for (const [name, field] of fieldsOf(
        declaration,
        ({ access }) => access === 'readOnly' || access === 'computed',
      )) {
        const [, value] = unfitting(field.shape).next().value!;
        expect(await t.faultsOf({ ...body, [name]: value })).toContain(`#/${name}`);
      }
    });
  });

  for (const [name] of fieldsOf(
    declaration,
    (field, name) => isRequired(field) && name !== declaration.typeInPath?.field,
  )) {
    test(`a record without ${name} is not created`, async () => {
      const t = getTrial();
      const faults = await t.expectNoChange(() => t.faultsOf(without(t.sample(), name)));
      expect(faults).toContain(`#/${name}`);
    });
  }
}

/** Tests that unknown names in a request are refused, because they may be mistyped. */
export function testRequests(getTrial: GetTrial, declaration: TestedDeclaration): void {
  test('an unknown field of the body is refused by name', async () => {
    const t = getTrial();
    const body = { ...t.sample(), noSuchField: 1 };
    const faults = await t.expectNoChange(() => t.faultsOf(body));
    expect(faults).toEqual(['#/noSuchField']);
  });

  test('a body that is not a record is refused', async () => {
    const t = getTrial();
    await t.expectNoChange(async () => {
      for (const body of ['', '{', '[]', 'null', '"x"', '{"__proto__": {}}', '{"name": "a", "name": "b"}', '\uFEFF{}'])
        expect(await t.admin.post(t.savePath, body), body).toMatchObject({ code: 400, body: { status: 'invalid' } });
    });
  });

  test('an unknown parameter, a repeated one, and one out of range are refused by name', async () => {
    const t = getTrial();
    const refused: [query: string, parameter: string][] = [
      ['noSuchParameter=1', 'noSuchParameter'],
      ['count=2&count=3', 'count'],
      ['count=1001', 'count'],
      ['count=-1', 'count'],
      ['count=two', 'count'],
      ['count=1.5', 'count'],
      ['start=-1', 'start'],
      ['sortKey=noSuchField', 'sortKey'],
      ['count=0&sortKey=noSuchField', 'sortKey'],
      ['sortDir=sideways', 'sortDir'],
      ['after=nonsense', 'after'],
      ['count=0&after=nonsense', 'after'],
    ];
    for (const [query, parameter] of refused) {
      const reply = await t.admin.get(`${t.path}?${query}`, { accept: 'application/problem+json' });
      expect(reply, `${query} → ${reply.text}`).toMatchObject({ code: 400 });
      expect((reply.body as unknown as Problem).errors.map((fault) => fault.parameter)).toContain(parameter);
    }
    expect(await t.admin.get(`${t.path}?start=1&after=x`)).toMatchObject({ code: 400 });
    expect(await t.admin.get(`${t.path}?count=%zz`)).toMatchObject({ code: 400 });
  });

  test('a filter that cannot match by its form is refused, never ignored', async () => {
    const t = getTrial();
    const { label } = declaration;
    const filters = [
      '',
      label,
      `${label}=`,
      `${label}=x`,
      'noSuchField==1',
      `(${label}==x`,
      `${label}==x;`,
      `${t.identity}==abc`,
    ];
    for (const filter of filters) {
      const query = `?filter=${encodeURIComponent(filter)}`;
      expect(await t.admin.get(`${t.path}${query}`), filter).toMatchObject({ code: 400, body: { status: 'invalid' } });
      if (t.has('count')) expect((await t.admin.get(`${t.url('count')}${query}`)).code, filter).toBe(400);
    }
  });

  test('list parameters may be in the body, but not in both places', async () => {
    const t = getTrial();
    const { id } = await t.create();
    await t.create();
    const body = { filter: [`${t.identity}==${id}`], count: 1 };
    const reply = await t.admin.call('GET', t.path, body);
    expect(reply.body.results?.map((record) => record[t.identity])).toEqual([id]);
    expect((await t.admin.call('GET', `${t.path}?count=1`, body)).code).toBe(400);
  });

  test('an unknown id returns 404, by any method', async () => {
    const t = getTrial();
    await t.expectNoChange(async () => {
      // If a record can be changed and not fetched, the path exists for other methods.
      const isOnlyChanged = t.has('update') && !t.has('fetch');
      for (const id of ['999999999', '0', '00000000000000000001x', 'abc', '99999999999999999999'])
        expect(await t.admin.get(`${t.path}/${id}`), id).toMatchObject(
          isOnlyChanged && /^\d+$/.test(id) ? { code: 405 } : { code: 404, body: { status: 'not-found' } },
        );
      if (t.has('update')) expect((await t.admin.post(t.url('update', 999_999_999), t.change())).code).toBe(404);
      if (t.showsUsage) expect((await t.usage(999_999_999)).code).toBe(404);
      expect((await t.remove(999_999_999)).code).toBe(404);
    });
  });

  test('another method is refused with the allowed methods', async () => {
    const t = getTrial();
    const allow = declaration.typeInPath ? 'GET, HEAD, OPTIONS' : 'GET, HEAD, OPTIONS, POST';
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const reply = await t.admin.call(method, t.path);
      expect(reply.code, method).toBe(405);
      expect(reply.headers.allow).toBe(allow);
    }
    if (t.has('count', 'deleteOne')) {
      const reply = await t.admin.delete(t.url('count'));
      expect(reply, reply.text).toMatchObject({ code: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
    }
    const stranger = new Client(t.world.service.app, '');
    expect(await stranger.call('OPTIONS', t.path)).toMatchObject({ code: 204, text: '', headers: { allow } });
  });

  test('HEAD returns the status and headers of a list and of a fetch, without the body', async () => {
    const t = getTrial();
    const { id } = await t.create();
    const paths = [`${t.path}?count=1`, ...(t.has('fetch') ? [t.one(id)] : [])];
    for (const path of paths) {
      const reply = await t.admin.get(path);
      const head = await t.admin.call('HEAD', path);
      expect([head.code, head.text], path).toEqual([reply.code, '']);
      expect(head.headers['content-length']).toBe(reply.headers['content-length']);
    }
  });
}

/** Tests that a dry run does the real work and stores nothing. */
export function testDryRuns(getTrial: GetTrial, declaration: Collection): void {
  const shows = (record: object) =>
    // There are no connections here: other tests check the impact of policies.
    declaration.deciding?.impact ? { results: [], filtered: 0, total: 0 } : { results: [record] };

  test('a dry run returns the result, and changes nothing', async () => {
    const t = getTrial();
    const body = t.sample();
    const shown = without(body, ...fieldsOf(declaration, ({ access }) => access === 'secret').map(([name]) => name));
    const { id } = await t.create();
    const change = t.change();
    await t.expectNoChange(async () => {
      const created = await t.admin.post(`${t.savePath}?dryRun=true`, body);
      expect(created, created.text).toMatchObject({ code: 200, body: { status: 'success', ...shows(shown) } });
      expect(created.headers.location).toBeUndefined();
      const updated = await t.admin.post(`${t.savePath}?dryRun=true`, { ...change, [t.identity]: id });
      expect(updated).toMatchObject({ code: 200, body: shows({ [t.identity]: id, ...change }) });
      for (const [method, path, requestBody] of otherWrites(t, id)) {
        const reply = await t.admin.call(method, `${path}?dryRun=true`, requestBody);
        expect(reply, `${method} ${path} → ${reply.text}`).toMatchObject({ code: 200, body: { status: 'success' } });
        expect(reply.body.results).toBeInstanceOf(Array);
      }
    });
  });

  test('a dry run needs the rights of the write, and reports the same errors', async () => {
    const t = getTrial();
    const { record } = await t.create();
    const viewer = await t.caller('view');
    await t.expectNoChange(async () => {
      expect((await viewer.post(`${t.savePath}?dryRun=true`, t.sample())).code).toBe(403);
      expect((await t.admin.post(`${t.savePath}?dryRun=true`, { ...t.sample(), noSuchField: 1 })).code).toBe(400);
      expect((await t.admin.post(`${t.savePath}?dryRun=perhaps`, t.sample())).code).toBe(400);
      const key = uniqueKeys(declaration).find((fields) => fields.every((name) => record[name] !== null));
      if (key) {
        const twin = { ...t.sample(), ...Object.fromEntries(key.map((name) => [name, record[name]])) };
        expect((await t.admin.post(`${t.savePath}?dryRun=true`, twin)).code).toBe(409);
      }
    });
  });

  test('a read refuses the dry-run parameter', async () => {
    const t = getTrial();
    expect((await t.admin.get(`${t.path}?dryRun=true`)).code).toBe(400);
  });
}

function otherWrites(t: Trial, id: number): [method: string, path: string, body?: unknown][] {
  const writes: [string, string, unknown?][] = [];
  if (t.has('deleteOne')) writes.push(['DELETE', t.url('deleteOne', id)]);
  if (t.has('deleteByPost')) writes.push(['POST', t.url('deleteByPost', id)]);
  if (t.has('deleteMany')) writes.push(['POST', t.url('deleteMany'), { id: [id] }]);
  if (t.has('disable')) writes.push(['POST', t.url('disable', id)]);
  if (t.has('rankSet')) writes.push(['POST', t.url('rankSet'), { id, rank: 1 }]);
  if (t.has('monitor')) writes.push(['POST', `${t.path}/monitor/start`]);
  return writes;
}

/** Tests that a request without a response can be sent again. */
export function testIdempotency(getTrial: GetTrial): void {
  let keys = 0;
  const withKey = (t: Trial) => ({ 'idempotency-key': `${t.declaration.name}-${++keys}` });

  test('the same call with the same key is carried out once and gets the same response twice', async () => {
    const t = getTrial();
    const headers = withKey(t);
    const body = t.sample();
    const first = await t.admin.post(t.savePath, body, headers);
    expect(first.code).toBe(201);
    const again = await t.expectNoChange(() => t.admin.post(t.savePath, body, headers));
    expect(again).toMatchObject({ code: 201, text: first.text });
    expect(again.headers.location).toBe(first.headers.location);
    expect(again.headers.etag).toBe(first.headers.etag);
  });

  test('concurrent calls with the same key are carried out once', async () => {
    const t = getTrial();
    const headers = withKey(t);
    const body = t.sample();
    const before = (await t.list('?count=0')).body.total!;
    const replies = await Promise.all([1, 2, 3].map(() => t.admin.post(t.savePath, body, headers)));
    expect(replies.map(({ code }) => code)).toEqual([201, 201, 201]);
    expect(new Set(replies.map((reply) => reply.headers.location)).size).toBe(1);
    expect((await t.list('?count=0')).body.total).toBe(before + 1);
  });

  test('the same key for another request is refused', async () => {
    const t = getTrial();
    const headers = withKey(t);
    const body = t.sample();
    expect((await t.admin.post(t.savePath, body, headers)).code).toBe(201);
    await t.expectNoChange(async () => {
      const reply = await t.admin.post(t.savePath, t.sample(), headers);
      expect(reply).toMatchObject({ code: 422, body: { status: 'rejected' } });
      if (!t.options.remove) expect((await t.admin.post(t.url('deleteMany'), { id: [1] }, headers)).code).toBe(422);
    });
    // A key belongs to its account: another account may use the same one.
    const otherAccount = await t.otherAccount();
    expect((await otherAccount.post(t.savePath, t.sample(), headers)).code).toBe(201);
  });

  test('a failed call may be repeated with its key', async () => {
    const t = getTrial();
    const headers = withKey(t);
    const body = t.sample();
    expect((await t.admin.post(t.savePath, { ...body, noSuchField: 1 }, headers)).code).toBe(400);
    expect((await t.admin.post(`${t.savePath}?dryRun=true`, body, headers)).code).toBe(200);
    expect((await t.admin.post(t.savePath, body, headers)).code).toBe(201);
    expect((await t.admin.post(t.savePath, t.sample(), { 'idempotency-key': 'with space' })).code).toBe(400);
  });
}

const asXml = { 'content-type': 'application/xml' };
const xmlRoot = '<request xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">';

/** Tests that XML has the same content as JSON. */
export function testXml(getTrial: GetTrial, declaration: TestedDeclaration): void {
  const recordAsXml = async (t: Trial, id: number) => {
    const reply = await t.admin.get(t.one(id), asXml);
    expect(reply.headers['content-type']).toBe('application/xml; charset=utf-8');
    const inner = /<results><item>(.*)<\/item><\/results>/s.exec(reply.text)?.[1];
    return `${xmlRoot}${inner}</request>`;
  };

  test('a record in XML equals the record in JSON', async () => {
    const t = getTrial();
    const { id, record } = await t.create();
    const shape = t.world.service.runtime.reader(t.declaration.name, seesEverything).record.shape;
    expect(readXml(await recordAsXml(t, id), shape)).toEqual(record);
    const envelope: Shape = {
      kind: 'object',
      properties: {
        status: { kind: 'text', max: 40 },
        errorMessage: { kind: 'text', max: 1_000, nullable: true },
        results: { kind: 'list', item: shape, max: 1_000 },
        filtered: { kind: 'integer', min: 0, max: 1_000 },
        total: { kind: 'integer', min: 0, max: 1_000 },
      },
    };
    const list = await t.admin.get(`${t.path}?${t.among([id])}`, asXml);
    const asRequest = list.text.replace('<response ', '<request ').replace('</response>', '</request>');
    expect(readXml(asRequest, envelope)).toEqual((await t.list(`?${t.among([id])}`)).body);
  });

  test('a record can be created in XML', async () => {
    const t = getTrial();
    const body = t.sample();
    const write = xmlWriter(sparse(inputShape(t.declaration)));
    const reply = await t.admin.post(t.savePath, `${xmlRoot}${write(body)}</request>`, asXml);
    expect(reply, reply.text).toMatchObject({ code: 201 });
    const twin: Body = await t.fetch(Number(String(reply.headers.location).split('/').at(-1)));
    const secrets = fieldsOf(t.declaration, ({ access }) => access === 'secret').map(([name]) => name);
    expect(twin).toMatchObject(without(body, ...secrets));
  });

  test('errors are reported in XML too', async () => {
    const t = getTrial();
    await t.expectNoChange(async () => {
      for (const xml of ['<request><noSuchField>1</noSuchField></request>', '<request>', '<!DOCTYPE x><request/>']) {
        const reply = await t.admin.post(t.savePath, xml, asXml);
        expect(reply.code).toBe(400);
        expect(reply.text).toContain('<status>invalid</status>');
      }
      expect((await t.admin.post(t.savePath, 'name: x', { 'content-type': 'application/yaml' })).code).toBe(415);
      expect((await t.admin.get(t.path, { accept: 'text/html' })).code).toBe(406);
    });
  });

  if (declaration.kind === 'log') return;

  test('a record in XML, sent back, changes nothing', async () => {
    const t = getTrial();
    const { id } = await t.create();
    const xml = await recordAsXml(t, id);
    const reply = await t.expectNoChange(() => t.admin.post(t.savePath, xml, asXml));
    expect(reply, reply.text).toMatchObject({ code: 200 });
    expect(reply.text).toContain('<status>success</status>');
  });
}
