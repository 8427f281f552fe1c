import { expect, test } from 'vitest';
import type { Collection } from '../../../src/kernel/declare/declaration.ts';
import type { Field } from '../../../src/kernel/declare/field.ts';
import type { Fault } from '../../../src/kernel/failure.ts';
import { checkValue } from '../../../src/kernel/format/check-value.ts';
import { uniqueKeys } from '../../../src/kernel/model/model.ts';
import { type Body, fieldsOf, type Trial, without } from './trial.ts';
import { another } from './values.ts';

type GetTrial = () => Trial;

const namesOf = (declaration: Collection, ...accesses: string[]): string[] =>
  fieldsOf(declaration, ({ access }) => accesses.includes(access)).map(([name]) => name);

const pick = (record: Body, names: readonly string[]): Body =>
  Object.fromEntries(names.map((name) => [name, record[name]]));

/** Tests that written values are read back, and that a record can be written as it was read. */
export function testReadBack(getTrial: GetTrial, declaration: Collection): void {
  const secrets = namesOf(declaration, 'secret');
  const readable = Object.keys(declaration.fields).filter((name) => !secrets.includes(name));

  test('a record reads back as it was sent, with every field and no other', async () => {
    const t = getTrial();
    const { id, sent, record } = await t.create();
    expect(record).toMatchObject(without(sent, ...secrets));
    expect(Object.keys(record)).toEqual(readable);
    expect(record[t.identity]).toBe(id);
    expect(await t.etag(id)).toBe('"1"');
    expect((await t.list(`?${t.among([id])}`)).body.results).toEqual([record]);
  });

  test('creating returns the location of the record, and no record', async () => {
    const t = getTrial();
    const reply = await t.admin.post(t.savePath, t.sample());
    expect(reply.code).toBe(201);
    expect(reply.body).toEqual({ status: 'success', errorMessage: null });
    expect(reply.headers.location).toMatch(new RegExp(`^/api/v2${t.path}/\\d+$`));
    expect(reply.headers.etag).toBe('"1"');
    expect(reply.headers['x-request-id']).toBeTruthy();
  });

  test('a record sent back as it was read changes nothing', async () => {
    const t = getTrial();
    const { id, sent, record } = await t.create();
    await t.expectNoChange(async () => {
      for (const update of t.updates()) {
        // Sending the same secret again is no change either.
        for (const body of [
          record,
          {
            ...record,
            ...pick(
              sent,
              secrets.filter((name) => name in sent),
            ),
          },
          {},
        ]) {
          const reply = await update(id, body);
          expect(reply, reply.text).toMatchObject({ code: 200, headers: { etag: '"1"' } });
        }
      }
    });
    expect(await t.fetch(id)).toEqual(record);
  });

  test('an update changes the given fields and keeps the others', async () => {
    const t = getTrial();
    const { id, record } = await t.create();
    const writable = namesOf(declaration, 'write');
    let version = 1;
    for (const update of t.updates()) {
      const change = t.change();
      const reply = await update(id, change);
      expect(reply, reply.text).toMatchObject({ code: 200, body: { status: 'success', errorMessage: null } });
      expect(reply.headers.etag).toBe(`"${++version}"`);
      const after = await t.fetch(id);
      expect(after).toMatchObject(change);
      const unchanged = writable.filter((name) => !(name in change));
      expect(pick(after, unchanged)).toEqual(pick(record, unchanged));
    }
  });

  test('an identity that is unknown, null or 0 creates a record with a new one', async () => {
    const t = getTrial();
    for (const identity of [null, 0, 987_654_321]) {
      const id = await t.admin.create({ path: t.savePath }, { ...t.sample(), [t.identity]: identity });
      expect(id).toBeGreaterThan(0);
      expect(id).not.toBe(identity);
    }
  });

  test('a body with another identity than the path is refused', async () => {
    const t = getTrial();
    if (!t.has('update')) return;
    const [a, b] = [await t.create(), await t.create()];
    const reply = await t.expectNoChange(() =>
      t.admin.post(t.url('update', a.id), { ...t.change(), [t.identity]: b.id }),
    );
    expect(reply.code).toBe(400);
  });

  test('read-only fields cannot be changed', async () => {
    const t = getTrial();
    const { id, record } = await t.create();
    await t.expectNoChange(async () => {
      for (const [name, field] of fieldsOf(declaration, ({ access }) => access === 'readOnly')) {
        if (name === t.identity || name === 'version') continue;
        const value = another(field.shape, record[name]);
        const faults = await t.faultsOf({ ...t.change(), [t.identity]: id, [name]: value });
        expect(faults, name).toEqual([`#/${name}`]);
      }
    });
  });

  const isFixed = (field: Field, name: string) => field.immutable === true && name !== declaration.typeInPath?.field;
  for (const [name, field] of fieldsOf(declaration, isFixed)) {
    test(`${name} cannot be changed after the record was created`, async () => {
      const t = getTrial();
      const { id, record } = await t.create();
      await t.expectNoChange(async () => {
        const reply = await t.update(id, { ...t.change(), [name]: another(field.shape, record[name]) });
        expect(reply).toMatchObject({ code: 422, body: { status: 'rejected' } });
        expect(reply.body.errorMessage).toContain(name);
      });
    });
  }

  test('computed fields are ignored in a request', async () => {
    const t = getTrial();
    const { id, record } = await t.create();
    const forged = Object.fromEntries(
      fieldsOf(declaration, ({ access }) => access === 'computed' || access === 'readOnly')
        .filter(
          ([name, { access, shape }]) =>
            access === 'computed' && canDiffer(name, shape) && !t.options.refused?.includes(name),
        )
        .map(([name, { shape }]) => [name, another(shape, record[name])]),
    );
    await t.expectNoChange(async () => expect((await t.update(id, forged)).code).toBe(200));
    const created = await t.create(forged);
    for (const [name, value] of Object.entries(forged)) expect(created.record[name], name).not.toEqual(value);
  });

  test('a nullable field can be set to null, and another cannot', async () => {
    const t = getTrial();
    const { id, record } = await t.create();
    const empty = Object.fromEntries(
      fieldsOf(declaration, ({ access, shape }) => access === 'write' && shape.nullable === true)
        .filter(([name]) => !t.options.needed?.includes(name))
        .map(([name]) => [name, null]),
    );
    expect((await t.update(id, empty)).code).toBe(200);
    expect(await t.fetch(id)).toMatchObject({ [t.declaration.label]: record[t.declaration.label], ...empty });
  });

  test('a zero with a sign is stored as zero', async () => {
    const t = getTrial();
    const zeros = fieldsOf(
      declaration,
      ({ access, shape, reference, notYet }) =>
        access === 'write' && shape.kind === 'integer' && !reference && !notYet && shape.min <= 0,
    ).filter(([name]) => name !== 'rank');
    for (const [name] of zeros) {
      const { id } = await t.create({ [name]: 0 });
      const body = `{"${t.identity}": ${id}, "${name}": -0}`;
      await t.expectNoChange(async () => expect((await t.admin.post(t.savePath, body)).code).toBe(200));
    }
  });
}

const canDiffer = (_name: string, shape: { kind: string; values?: readonly string[] }): boolean =>
  shape.kind !== 'list' && shape.kind !== 'map' && (shape.kind !== 'choice' || shape.values!.length > 1);

/** Tests that a change of an old version is refused. */
export function testStaleVersions(getTrial: GetTrial, declaration: Collection): void {
  test('a write on an old version is refused and changes nothing', async () => {
    const t = getTrial();
    const { id } = await t.create();
    expect((await t.update(id, t.change(), { 'if-match': '"1"' })).code).toBe(200);
    await t.expectNoChange(async () => {
      for (const update of t.updates()) {
        const byHeader = await update(id, t.change(), { 'if-match': '"1"' });
        expect(byHeader).toMatchObject({ code: 412, body: { status: 'stale' } });
        expect(byHeader.body.errorMessage).toContain('version 2');
        if ('version' in declaration.fields)
          expect(await update(id, { ...t.change(), version: 1 })).toMatchObject({
            code: 409,
            body: { status: 'stale' },
          });
      }
      const stale = { 'if-match': '"1"' };
      if (t.has('deleteOne')) expect((await t.admin.delete(t.url('deleteOne', id), stale)).code).toBe(412);
      if (t.has('deleteByPost'))
        expect((await t.admin.post(t.url('deleteByPost', id), undefined, stale)).code).toBe(412);
      if (t.has('disable')) expect((await t.admin.post(t.url('disable', id), undefined, stale)).code).toBe(412);
      if (t.has('rankSet')) expect((await t.admin.post(t.url('rankSet'), { id, rank: 1 }, stale)).code).toBe(412);
      expect((await t.update(id, t.change(), { 'if-match': 'nonsense' })).code).toBe(400);
    });
    expect((await t.update(id, t.change(), { 'if-match': '"2"' })).headers.etag).toBe('"3"');
  });

  test('a deleted record is not created again by a write on its old version', async () => {
    const t = getTrial();
    const { id, record } = await t.create();
    expect((await t.remove(id)).code).toBe(200);
    const reply = await t.expectNoChange(() => t.admin.post(t.savePath, record, { 'if-match': '"1"' }));
    expect(reply).toMatchObject({ code: 412, body: { status: 'stale' } });
  });

  test('refuses If-Match on a create, because a new record has no version', async () => {
    const t = getTrial();
    if (!t.has('create')) return;
    const reply = await t.expectNoChange(() => t.admin.post(t.savePath, t.sample(), { 'if-match': '"1"' }));
    expect(reply).toMatchObject({ code: 412, body: { status: 'stale' } });
    expect(reply.body.errorMessage).toMatch(/^If-Match: a new .* record has no version yet/);
  });

  test('one of several concurrent writes on one version succeeds', async () => {
    const t = getTrial();
    const { id } = await t.create();
    const replies = await Promise.all([1, 2, 3].map(() => t.update(id, t.change(), { 'if-match': '"1"' })));
    expect(replies.map(({ code }) => code).sort()).toEqual([200, 412, 412]);
    expect(await t.etag(id)).toBe('"2"');
  });
}

/** Tests that no two records have the same natural key, without regard to case. */
export function testKeys(getTrial: GetTrial, declaration: Collection): void {
  for (const key of uniqueKeys(declaration)) {
    const fields = key.filter((name) => declaration.fields[name]!.access === 'write');
    if (fields.length === 0) continue;
    test(`no two records have the same ${fields.join(' and ')}`, async () => {
      const t = getTrial();
      const { record } = await t.create();
      const keyValues = pick(record, fields);
      if (Object.values(keyValues).includes(null)) return;
      const shouted = Object.fromEntries(
        Object.entries(keyValues).map(([name, value]) => [
          name,
          typeof value === 'string' ? value.toUpperCase() : value,
        ]),
      );
      const otherRecord = await t.create();
      // A key may be the address that a secret is sent to, so the secret is sent again.
      const secrets = pick(
        otherRecord.sent,
        namesOf(declaration, 'secret').filter((name) => name in otherRecord.sent),
      );
      const fits = (twin: Body) => {
        const faults: Fault[] = [];
        for (const name of fields) checkValue(declaration.fields[name]!.shape, twin[name], `/${name}`, faults);
        return faults.length === 0;
      };
      const isFixed = fields.some(
        (name) => declaration.fields[name]!.immutable && name !== declaration.typeInPath?.field,
      );
      await t.expectNoChange(async () => {
        for (const twin of [keyValues, shouted].filter(fits)) {
          expect(await t.admin.post(t.savePath, { ...t.sample(), ...twin })).toMatchObject({
            code: 409,
            body: { status: 'duplicate' },
          });
          expect((await t.update(otherRecord.id, { ...secrets, ...twin })).code).toBe(isFixed ? 422 : 409);
        }
      });
    });
  }
}
