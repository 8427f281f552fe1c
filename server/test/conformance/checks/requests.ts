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

type Of = () => Trial;

/** Who may. That every single operation is held to it shows in `rights.test.ts`. */
export function testAccess(of: Of, declaration: TestedDeclaration): void {
  const { permission, ownedBy } = declaration;

  test('without a token there is no answer', async () => {
    const t = of();
    const nobody = new Client(t.world.service.app, '');
    await t.expectNoChange(async () => {
      for (const reply of [await nobody.get(t.path), await nobody.post(t.savePath, t.sample())]) {
        expect(reply).toMatchObject({ code: 401, body: { status: 'unauthenticated' } });
        expect(reply.headers['www-authenticate']).toBe('Bearer');
      }
    });
  });

  test(`without the right ${permission} nothing is shown, and the right is named`, async () => {
    const t = of();
    await t.create();
    const stranger = await t.callerWithoutRights();
    const reply = await stranger.get(t.path);
    // Where records have owners, a stranger sees those of their own: none.
    if (ownedBy) expect(reply).toMatchObject({ code: 200, body: { results: [], filtered: 0, total: 0 } });
    else expect(reply).toMatchObject({ code: 403, body: { status: 'forbidden' } });
    if (!ownedBy) expect(reply.body.errorMessage).toContain(`view ${permission}`);
    const refused = await t.expectNoChange(() => stranger.post(t.savePath, t.sample()));
    expect(refused).toMatchObject({ code: 403, body: { status: 'forbidden' } });
    expect(refused.body.errorMessage).toContain(permission);
  });

  test('who may only view cannot change anything', async () => {
    const t = of();
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

  test('who may modify cannot add', async () => {
    const t = of();
    const [adder, modifier] = [await t.caller('add'), await t.caller('modify')];
    await t.expectNoChange(async () => expect((await modifier.post(t.savePath, t.sample())).code).toBe(403));
    expect((await adder.post(t.savePath, t.sample())).code).toBe(201);
  });

  if (declaration.kind === 'log') return;

  test('who may add cannot modify', async () => {
    const t = of();
    const { id } = await t.create();
    const [adder, modifier] = [await t.caller('add'), await t.caller('modify')];
    const change = () => ({ ...t.change(), [t.identity]: id });
    await t.expectNoChange(async () => expect((await adder.post(t.savePath, change())).code).toBe(403));
    expect((await modifier.post(t.savePath, change())).code).toBe(200);
  });
}

/** Nothing is silently coerced, cut or dropped. */
export function testBounds(of: Of, declaration: Collection): void {
  for (const [name, field] of fieldsOf(declaration, ({ access }) => access === 'write' || access === 'secret')) {
    test(`${name} is refused outside its bounds`, async () => {
      const t = of();
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

  test('a text with a control character or half a character is refused', async () => {
    const t = of();
    await t.expectNoChange(async () => {
      for (const text of ['a\u0000', 'a\u0001', '\ud800', '\uffff'])
        await t.faultsOf({ ...t.sample(), [declaration.label]: text });
    });
  });

  test('what the service sets is checked for its type all the same', async () => {
    const t = of();
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
    (field, each) => isRequired(field) && each !== declaration.typeInPath?.field,
  )) {
    test(`a record without ${name} is not created`, async () => {
      const t = of();
      const faults = await t.expectNoChange(() => t.faultsOf(without(t.sample(), name)));
      expect(faults).toContain(`#/${name}`);
    });
  }
}

/** A request that says something unknown is refused, because it may have meant something else. */
export function testRequests(of: Of, declaration: TestedDeclaration): void {
  test('an unknown field of the body is refused by name', async () => {
    const t = of();
    const body = { ...t.sample(), noSuchField: 1 };
    const faults = await t.expectNoChange(() => t.faultsOf(body));
    expect(faults).toEqual(['#/noSuchField']);
  });

  test('a body that is no record is refused', async () => {
    const t = of();
    await t.expectNoChange(async () => {
      for (const body of ['', '{', '[]', 'null', '"x"', '{"__proto__": {}}', '{"name": "a", "name": "b"}', '\uFEFF{}'])
        expect(await t.admin.post(t.savePath, body), body).toMatchObject({ code: 400, body: { status: 'invalid' } });
    });
  });

  test('an unknown parameter, one given twice, and one out of range are refused by name', async () => {
    const t = of();
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

  test('a filter that cannot be meant is refused, never answered with everything', async () => {
    const t = of();
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

  test('list parameters may come as a body, but not in both places', async () => {
    const t = of();
    const { id } = await t.create();
    await t.create();
    const body = { filter: [`${t.identity}==${id}`], count: 1 };
    const reply = await t.admin.call('GET', t.path, body);
    expect(reply.body.results?.map((record) => record[t.identity])).toEqual([id]);
    expect((await t.admin.call('GET', `${t.path}?count=1`, body)).code).toBe(400);
  });

  test('what does not exist is not found, by any method', async () => {
    const t = of();
    await t.expectNoChange(async () => {
      // Where a record can be changed and not be fetched, the path is there for other methods.
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

  test('another method is refused with what is allowed', async () => {
    const t = of();
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

  test('HEAD answers as a list and as a fetch, without the body', async () => {
    const t = of();
    const { id } = await t.create();
    const paths = [`${t.path}?count=1`, ...(t.has('fetch') ? [t.one(id)] : [])];
    for (const path of paths) {
      const read = await t.admin.get(path);
      const head = await t.admin.call('HEAD', path);
      expect([head.code, head.text], path).toEqual([read.code, '']);
      expect(head.headers['content-length']).toBe(read.headers['content-length']);
    }
  });
}

/** A dry run does the real work and keeps nothing of it. */
export function testDryRuns(of: Of, declaration: Collection): void {
  const shows = (record: object) =>
    // Nobody is connected: what a policy would move is tried in its own tests.
    declaration.deciding?.impact ? { results: [], filtered: 0, total: 0 } : { results: [record] };

  test('a dry run answers what would be, and leaves nothing', async () => {
    const t = of();
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
      for (const [method, path, sent] of otherWrites(t, id)) {
        const reply = await t.admin.call(method, `${path}?dryRun=true`, sent);
        expect(reply, `${method} ${path} → ${reply.text}`).toMatchObject({ code: 200, body: { status: 'success' } });
        expect(reply.body.results).toBeInstanceOf(Array);
      }
    });
  });

  test('a dry run needs the rights of the write, and finds the same faults', async () => {
    const t = of();
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

  test('a read takes no dry run', async () => {
    const t = of();
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

/** A call that may have been lost can be sent again. */
export function testIdempotency(of: Of): void {
  let keys = 0;
  const withKey = (t: Trial) => ({ 'idempotency-key': `${t.declaration.name}-${++keys}` });

  test('the same call with the same key is carried out once and answered twice', async () => {
    const t = of();
    const headers = withKey(t);
    const body = t.sample();
    const first = await t.admin.post(t.savePath, body, headers);
    expect(first.code).toBe(201);
    const again = await t.expectNoChange(() => t.admin.post(t.savePath, body, headers));
    expect(again).toMatchObject({ code: 201, text: first.text });
    expect(again.headers.location).toBe(first.headers.location);
    expect(again.headers.etag).toBe(first.headers.etag);
  });

  test('twins that come at the same time are one', async () => {
    const t = of();
    const headers = withKey(t);
    const body = t.sample();
    const before = (await t.list('?count=0')).body.total!;
    const replies = await Promise.all([1, 2, 3].map(() => t.admin.post(t.savePath, body, headers)));
    expect(replies.map(({ code }) => code)).toEqual([201, 201, 201]);
    expect(new Set(replies.map((reply) => reply.headers.location)).size).toBe(1);
    expect((await t.list('?count=0')).body.total).toBe(before + 1);
  });

  test('the same key for another request is refused', async () => {
    const t = of();
    const headers = withKey(t);
    const body = t.sample();
    expect((await t.admin.post(t.savePath, body, headers)).code).toBe(201);
    await t.expectNoChange(async () => {
      const reply = await t.admin.post(t.savePath, t.sample(), headers);
      expect(reply).toMatchObject({ code: 422, body: { status: 'rejected' } });
      expect((await t.admin.post(t.url('deleteMany'), { id: [1] }, headers)).code).toBe(422);
    });
    // The key belongs to its owner: somebody else may use the same words.
    const other = await t.otherAccount();
    expect((await other.post(t.savePath, t.sample(), headers)).code).toBe(201);
  });

  test('a call that failed may be tried again with its key', async () => {
    const t = of();
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

/** XML says what JSON says. */
export function testXml(of: Of, declaration: TestedDeclaration): void {
  const recordAsXml = async (t: Trial, id: number) => {
    const reply = await t.admin.get(t.one(id), asXml);
    expect(reply.headers['content-type']).toBe('application/xml; charset=utf-8');
    const inner = /<results><item>(.*)<\/item><\/results>/s.exec(reply.text)?.[1];
    return `${xmlRoot}${inner}</request>`;
  };

  test('a record in XML is the record in JSON', async () => {
    const t = of();
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
    const t = of();
    const sent = t.sample();
    const write = xmlWriter(sparse(inputShape(t.declaration)));
    const reply = await t.admin.post(t.savePath, `${xmlRoot}${write(sent)}</request>`, asXml);
    expect(reply, reply.text).toMatchObject({ code: 201 });
    const twin: Body = await t.fetch(Number(String(reply.headers.location).split('/').at(-1)));
    const secrets = fieldsOf(t.declaration, ({ access }) => access === 'secret').map(([name]) => name);
    expect(twin).toMatchObject(without(sent, ...secrets));
  });

  test('faults are told in XML too', async () => {
    const t = of();
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
    const t = of();
    const { id } = await t.create();
    const xml = await recordAsXml(t, id);
    const reply = await t.expectNoChange(() => t.admin.post(t.savePath, xml, asXml));
    expect(reply, reply.text).toMatchObject({ code: 200 });
    expect(reply.text).toContain('<status>success</status>');
  });
}
