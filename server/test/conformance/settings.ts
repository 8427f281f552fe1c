import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seesEverything } from '../../src/kernel/access/visibility.ts';
import { type Collection, inputShape, singleId } from '../../src/kernel/declare/declaration.ts';
import type { Field } from '../../src/kernel/declare/field.ts';
import { readXml } from '../../src/kernel/format/xml-reader.ts';
import { xmlWriter } from '../../src/kernel/format/xml-writer.ts';
import { runScript } from '../surface/schema-drift.ts';
import { Client } from '../world/client.ts';
import { openWorld } from '../world/open-world.ts';
import type { World } from '../world/world.ts';
import { type Body, fieldsOf, type Problem, Trial, without } from './checks/trial.ts';
import { another, unfitting } from './checks/values.ts';

/** What a settings resource's test passes to the conformance tests. */
export interface SettingsConformanceOptions {
  /** Returns a change that differs from that of every other n in at least one field that is not a secret. */
  change(n: number): Body;
  /** The test world to use; by default a new one. */
  world?: World;
}

const asXml = { 'content-type': 'application/xml' };
const xmlRoot = '<request xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">';

/** The steps that the tests of settings use. */
class SettingsTrial extends Trial {
  async read(): Promise<Body> {
    const reply = await this.admin.get(this.path);
    expect(reply.code, reply.text).toBe(200);
    return reply.body.results![0]!;
  }

  async version(): Promise<number> {
    return Number(String((await this.admin.get(this.path)).headers.etag).replaceAll('"', ''));
  }

  write(body: Body, headers?: Record<string, string>) {
    return this.admin.post(this.path, body, headers);
  }

  /** Writes a new change, and returns it. */
  async changed(): Promise<Body> {
    const change = this.change();
    const reply = await this.write(change);
    expect(reply, reply.text).toMatchObject({ code: 200 });
    return change;
  }

  async newestAudit(): Promise<Body> {
    return (await this.audit(singleId)).at(-1)!;
  }
}

/**
 * Adds the tests that follow from the declaration of settings. Called inside a `describe`; a resource adds only its own
 * tests.
 */
export function testSettings(declaration: Collection, options: SettingsConformanceOptions): void {
  let trial: SettingsTrial;
  let close: (() => Promise<void>) | undefined;
  const getTrial = () => trial;

  describe('as all settings', () => {
    beforeAll(async () => {
      const ownWorld = options.world ? undefined : await openWorld();
      close = ownWorld?.close;
      trial = new SettingsTrial(options.world ?? ownWorld!, declaration, {
        sample: options.change,
        change: options.change,
      });
    });
    afterAll(async () => close?.());

    testAccess(getTrial, declaration);
    testRead(getTrial, declaration);
    testWrites(getTrial, declaration);
    testRefusals(getTrial, declaration);
    testStaleVersions(getTrial, declaration);
    testTraces(getTrial, declaration);
    testSecrets(getTrial, declaration);
    testDryRuns(getTrial, declaration);
    testXml(getTrial, declaration);
  });
}

type GetTrial = () => SettingsTrial;

const namesOf = (declaration: Collection, ...accesses: Field['access'][]): string[] =>
  fieldsOf(declaration, ({ access }) => accesses.includes(access)).map(([name]) => name);

const pick = (record: Body, names: readonly string[]): Body =>
  Object.fromEntries(names.map((name) => [name, record[name]]));

/** Tests the permissions of the settings. */
function testAccess(getTrial: GetTrial, { permission }: Collection): void {
  test('a request without a token is refused', async () => {
    const t = getTrial();
    const anonymous = new Client(t.world.service.app, '');
    await t.expectNoChange(async () => {
      for (const reply of [await anonymous.get(t.path), await anonymous.post(t.path, t.change())])
        expect(reply).toMatchObject({ code: 401, body: { status: 'unauthenticated' } });
    });
  });

  test(`without the right ${permission} nothing is returned or changed, and the error names the right`, async () => {
    const t = getTrial();
    const stranger = await t.caller();
    await t.expectNoChange(async () => {
      const readReply = await stranger.get(t.path);
      expect(readReply).toMatchObject({ code: 403, body: { status: 'forbidden' } });
      expect(readReply.body.errorMessage).toContain(`view ${permission}`);
      const writeReply = await stranger.post(t.path, t.change());
      expect(writeReply).toMatchObject({ code: 403, body: { status: 'forbidden' } });
      expect(writeReply.body.errorMessage).toContain(`modify ${permission}`);
    });
  });

  test('the right to view does not allow changes, and the right to modify does', async () => {
    const t = getTrial();
    const [viewer, adder, modifier] = [await t.caller('view'), await t.caller('add'), await t.caller('modify')];
    expect((await viewer.get(t.path)).code).toBe(200);
    await t.expectNoChange(async () => {
      expect((await viewer.post(t.path, t.change())).code).toBe(403);
      expect((await adder.post(t.path, t.change())).code).toBe(403);
    });
    expect((await modifier.post(t.path, t.change())).code).toBe(200);
  });
}

/** Tests that there is always exactly one record. */
function testRead(getTrial: GetTrial, declaration: Collection): void {
  test('are one record, with every field and no other, in the order of the declaration', async () => {
    const t = getTrial();
    const reply = await t.admin.get(t.path);
    expect(reply).toMatchObject({ code: 200, body: { status: 'success', errorMessage: null } });
    expect(Object.keys(reply.body)).toEqual(['status', 'errorMessage', 'results']);
    expect(reply.body.results).toHaveLength(1);
    const secrets = namesOf(declaration, 'secret');
    expect(Object.keys(reply.body.results![0]!)).toEqual(
      Object.keys(declaration.fields).filter((name) => !secrets.includes(name)),
    );
    expect(reply.headers.etag).toMatch(/^"\d+"$/);
  });

  test('are the only row of their table, which cannot be changed', async () => {
    const t = getTrial();
    const rows = await t.sql<{ id: number }>(`select id from "${t.table.name}"`);
    expect(rows).toEqual([{ id: singleId }]);
    await expect(t.sql(`update "${t.table.name}" set id = 2`)).rejects.toThrow(`${t.table.name}_single`);
  });

  test('accept no list parameters and no other method', async () => {
    const t = getTrial();
    for (const query of ['count=1', 'filter=version==1', 'noSuchParameter=1', 'dryRun=true'])
      expect((await t.admin.get(`${t.path}?${query}`)).code, query).toBe(400);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const reply = await t.admin.call(method, t.path);
      expect([reply.code, reply.headers.allow], method).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
    }
  });
}

/** Tests that written values are read back, and that the record can be written as it was read. */
function testWrites(getTrial: GetTrial, declaration: Collection): void {
  const secrets = namesOf(declaration, 'secret');

  test('a write changes the given fields and keeps the others, and returns no record', async () => {
    const t = getTrial();
    const before = await t.read();
    const version = await t.version();
    const change = t.change();
    const reply = await t.write(change);
    expect(reply, reply.text).toMatchObject({ code: 200, headers: { etag: `"${version + 1}"` } });
    expect(reply.body).toEqual({ status: 'success', errorMessage: null });
    expect(reply.headers.location).toBeUndefined();
    const after = await t.read();
    expect(after).toMatchObject(without(change, ...secrets));
    const unchanged = namesOf(declaration, 'write').filter((name) => !(name in change));
    expect(pick(after, unchanged)).toEqual(pick(before, unchanged));
  });

  test('the record sent back as it was read changes nothing, nor does an empty change', async () => {
    const t = getTrial();
    const change = await t.changed();
    const record = await t.read();
    const version = await t.version();
    const again = pick(
      change,
      secrets.filter((name) => name in change),
    );
    await t.expectNoChange(async () => {
      for (const body of [record, { ...record, ...again }, {}]) {
        const reply = await t.write(body);
        expect(reply, reply.text).toMatchObject({ code: 200, headers: { etag: `"${version}"` } });
      }
    });
    expect(await t.read()).toEqual(record);
  });

  test('read-only fields cannot be changed, and computed ones are ignored', async () => {
    const t = getTrial();
    const record = await t.read();
    await t.expectNoChange(async () => {
      for (const [name, { shape }] of fieldsOf(declaration, ({ access }) => access === 'readOnly')) {
        if (name === 'version') continue;
        expect(await t.faultsOf({ [name]: another(shape, record[name]) })).toEqual([`#/${name}`]);
      }
      for (const [name, { shape }] of fieldsOf(declaration, ({ access }) => access === 'computed')) {
        if (['list', 'map'].includes(shape.kind)) continue;
        expect((await t.write({ [name]: another(shape, record[name]) })).code, name).toBe(200);
      }
    });
  });

  test('the same call with the same key is carried out once and gets the same response twice', async () => {
    const t = getTrial();
    const headers = { 'idempotency-key': `settings-${declaration.name}` };
    const change = t.change();
    const first = await t.write(change, headers);
    expect(first.code).toBe(200);
    const again = await t.expectNoChange(() => t.write(change, headers));
    expect([again.code, again.text, again.headers.etag]).toEqual([200, first.text, first.headers.etag]);
    expect((await t.expectNoChange(() => t.write(t.change(), headers))).code).toBe(422);
  });
}

/** Tests that no value is silently converted, cut or dropped. */
function testRefusals(getTrial: GetTrial, declaration: Collection): void {
  for (const [name, { shape }] of fieldsOf(declaration, () => true)) {
    test(`${name} is refused outside its bounds`, async () => {
      const t = getTrial();
      await t.expectNoChange(async () => {
        for (const [what, value] of unfitting(shape)) {
          expect(await t.faultsOf({ [name]: value }), `${name} with ${what}`).toEqual(
            expect.arrayContaining([expect.stringMatching(new RegExp(`^#/${name}(/|$)`))]),
          );
        }
        if (shape.kind === 'text')
          for (const text of ['a\u0000', '\ud800', '\uffff']) await t.faultsOf({ [name]: text });
      });
    });
  }

  test('an unknown field, an identity and a body that is not a record are refused', async () => {
    const t = getTrial();
    await t.expectNoChange(async () => {
      expect(await t.faultsOf({ ...t.change(), noSuchField: 1 })).toEqual(['#/noSuchField']);
      if (!('id' in declaration.fields)) expect(await t.faultsOf({ id: 1 })).toEqual(['#/id']);
      for (const body of ['', '{', '[]', 'null', '"x"', '{"__proto__": {}}'])
        expect(await t.admin.post(t.path, body), body).toMatchObject({ code: 400, body: { status: 'invalid' } });
      const reply = await t.admin.post(`${t.path}?noSuchParameter=1`, t.change(), {
        accept: 'application/problem+json',
      });
      expect((reply.body as unknown as Problem).errors.map(({ parameter }) => parameter)).toEqual(['noSuchParameter']);
    });
  });
}

/** Tests that a change of an old version is refused. */
function testStaleVersions(getTrial: GetTrial, declaration: Collection): void {
  test('a write on an old version is refused and changes nothing', async () => {
    const t = getTrial();
    const old = await t.version();
    expect((await t.write(t.change(), { 'if-match': `"${old}"` })).code).toBe(200);
    await t.expectNoChange(async () => {
      const byHeader = await t.write(t.change(), { 'if-match': `"${old}"` });
      expect(byHeader).toMatchObject({ code: 412, body: { status: 'stale' } });
      expect(byHeader.body.errorMessage).toContain(`version ${old + 1}`);
      if ('version' in declaration.fields)
        expect(await t.write({ ...t.change(), version: old })).toMatchObject({ code: 409, body: { status: 'stale' } });
      expect((await t.write(t.change(), { 'if-match': 'nonsense' })).code).toBe(400);
    });
  });

  test('one of several concurrent writes on one version succeeds', async () => {
    const t = getTrial();
    const version = await t.version();
    const replies = await Promise.all([1, 2, 3].map(() => t.write(t.change(), { 'if-match': `"${version}"` })));
    expect(replies.map(({ code }) => code).sort()).toEqual([200, 412, 412]);
    expect(await t.version()).toBe(version + 1);
  });
}

/** Tests that a change has an audit row, an event and a feed entry, or does not happen. */
function testTraces(getTrial: GetTrial, declaration: Collection): void {
  test('every change is one audit row with its user, fields and address', async () => {
    const t = getTrial();
    const before = await t.read();
    const earlierRows = (await t.audit(singleId)).length;
    const change = t.change();
    const reply = await t.write(change);
    const rows = await t.audit(singleId);
    expect(rows).toHaveLength(earlierRows + 1);
    const row = rows.at(-1)!;
    expect(row).toMatchObject({
      action: 'MODIFY',
      auditObjectName: declaration.title,
      method: 'POST',
      path: `/api/v2${t.path}`,
      requestID: reply.headers['x-request-id'],
      sourceAddress: '127.0.0.1',
    });
    const after = await t.read();
    if ('lastModifiedBy' in after) expect(after.lastModifiedBy).toBe(row.user);
    // An object or a map is reported by its entries: `prices.tea`.
    const reported = new Set((row.changes as { field: string }[]).map(({ field }) => field.split('.')[0]));
    const differing = namesOf(declaration, 'write').filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    );
    expect([...reported]).toEqual(expect.arrayContaining(differing));
    expect(differing.length).toBeGreaterThan(0);
  });

  test('a change that cannot be audited does not happen', async () => {
    const t = getTrial();
    await runScript(t.world.database, 'revoke insert on audit_record from portreeve_service');
    try {
      await t.expectNoChange(async () => expect((await t.write(t.change())).code).toBe(500));
    } finally {
      await runScript(t.world.database, 'grant insert on audit_record to portreeve_service');
    }
    await t.changed();
  });

  test('every change is an event and an entry of the feed, with its version', async () => {
    const t = getTrial();
    const name = `${declaration.events.noun}_MODIFIED`;
    const events = () =>
      t.sql<{ text: string; element: number }>(
        'select e.event_format_string as text, e.element_type as element from event e where e.name = $1',
        [name],
      );
    const earlierEvents = (await events()).length;
    await t.changed();
    const reported = await events();
    expect(reported).toHaveLength(earlierEvents + 1);
    expect(reported.at(-1)).toEqual({
      text: `${declaration.title} modified.`,
      element: declaration.events.elementType,
    });
    const [newest] = await t.sql<{ change: string; version: number }>(
      'select f.change, f.version from change_feed f where f.table_name = $1 order by f.seq desc limit 1',
      [t.table.name],
    );
    expect(newest).toEqual({ change: 'modified', version: await t.version() });
  });
}

/** Tests that a secret is never returned. */
function testSecrets(getTrial: GetTrial, declaration: Collection): void {
  const secrets = fieldsOf(declaration, ({ access, notYet }) => access === 'secret' && !notYet);
  if (secrets.length === 0) return;
  let secretCount = 0;
  const words = (): Record<string, string> =>
    Object.fromEntries(secrets.map(([name]) => [name, `hush-${name}-${++secretCount}`]));
  const marks = secrets.map(([name]) => `${name}Set`).filter((name) => name in declaration.fields);

  test('secrets are in no response, no log line and no row as plain text', async () => {
    const t = getTrial();
    const [first, second] = [words(), words()];
    expect((await t.write(first)).code).toBe(200);
    expect((await t.write(second, { 'idempotency-key': `secret-${declaration.name}` })).code).toBe(200);
    await t.write({ ...second, noSuchField: 1 });
    const tables = [`"${t.table.name}"`, 'audit_record', 'event', 'change_feed', 'idempotency_key'];
    const rows = await Promise.all(
      tables.map((table) => t.sql<{ row: string }>(`select r::text as row from ${table} r`)),
    );
    const reported = [
      (await t.admin.get(t.path)).text,
      (await t.admin.get(t.path, asXml)).text,
      (await t.admin.post(`${t.path}?dryRun=true`, words())).text,
      JSON.stringify(await t.audit(singleId)),
      t.world.logged.join(''),
      ...rows.flat().map(({ row }) => row),
    ].join('\n');
    // Compares flags: the full text would be too long to read.
    expect(reported.includes('hush-')).toBe(false);
    expect(reported.includes(Buffer.from('hush-').toString('hex'))).toBe(false);
    for (const [name, text] of Object.entries(second)) expect(await t.secretOf(singleId, name)).toBe(text);
  });

  test('a secret that is absent or null stays, an empty one is cleared, and the record shows which are set', async () => {
    const t = getTrial();
    const secretValues = words();
    await t.write(secretValues);
    await t.changed();
    await t.write(secretValues);
    expect(pick(await t.read(), marks)).toEqual(Object.fromEntries(marks.map((name) => [name, true])));
    const nulls = Object.fromEntries(secrets.map(([name]) => [name, null]));
    await t.expectNoChange(async () => expect((await t.write(nulls)).code).toBe(200));
    for (const [name] of secrets) {
      expect(await t.secretOf(singleId, name)).toBe(secretValues[name]);
      const { code } = await t.write({ [name]: '' });
      expect([200, 400]).toContain(code);
      expect(await t.secretOf(singleId, name)).toBe(code === 200 ? '' : secretValues[name]);
      if (marks.includes(`${name}Set`)) expect((await t.read())[`${name}Set`]).toBe(code !== 200);
    }
  });

  test('a change of a secret is audited without its value', async () => {
    const t = getTrial();
    await t.write(words());
    await t.write(words());
    const { changes } = (await t.newestAudit()) as { changes: Body[] };
    expect(changes).toMatchObject(secrets.map(([field]) => ({ field, before: '•••', after: '•••' })));
  });
}

/** Tests that a dry run does the real work and stores nothing. */
function testDryRuns(getTrial: GetTrial, declaration: Collection): void {
  test('a dry run returns the changed record, and stores nothing', async () => {
    const t = getTrial();
    const change = t.change();
    const viewer = await t.caller('view');
    await t.expectNoChange(async () => {
      const reply = await t.admin.post(`${t.path}?dryRun=true`, change);
      expect(reply, reply.text).toMatchObject({
        code: 200,
        body: { status: 'success', results: [without(change, ...namesOf(declaration, 'secret'))] },
      });
      expect((await viewer.post(`${t.path}?dryRun=true`, change)).code).toBe(403);
      expect((await t.admin.post(`${t.path}?dryRun=true`, { ...change, noSuchField: 1 })).code).toBe(400);
    });
  });
}

/** Tests that XML has the same content as JSON. */
function testXml(getTrial: GetTrial, declaration: Collection): void {
  test('the record in XML equals the record in JSON, and sent back it changes nothing', async () => {
    const t = getTrial();
    await t.changed();
    const reply = await t.admin.get(t.path, asXml);
    expect(reply.headers['content-type']).toBe('application/xml; charset=utf-8');
    const xml = `${xmlRoot}${/<results><item>(.*)<\/item><\/results>/s.exec(reply.text)?.[1]}</request>`;
    expect(readXml(xml, t.world.service.runtime.reader(declaration.name, seesEverything).record.shape)).toEqual(
      await t.read(),
    );
    const sentBack = await t.expectNoChange(() => t.admin.post(t.path, xml, asXml));
    expect(sentBack, sentBack.text).toMatchObject({ code: 200 });
  });

  test('a change can be sent in XML, and errors are reported in XML', async () => {
    const t = getTrial();
    const change = t.change();
    const write = xmlWriter({ ...inputShape(declaration), sparse: true });
    const reply = await t.admin.post(t.path, `${xmlRoot}${write(change)}</request>`, asXml);
    expect(reply, reply.text).toMatchObject({ code: 200 });
    expect(await t.read()).toMatchObject(without(change, ...namesOf(declaration, 'secret')));
    const refused = await t.admin.post(t.path, `${xmlRoot}<noSuchField>1</noSuchField></request>`, asXml);
    expect([refused.code, refused.text]).toEqual([400, expect.stringContaining('<status>invalid</status>')]);
  });
}
