import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue.ts';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import { type Collection, type Declaration, isSingle, singleId } from '../../src/kernel/declare/declaration.ts';
import { quoted, snakeCase } from '../../src/kernel/declare/names.ts';
import type { Operation } from '../../src/kernel/declare/operation.ts';
import type { ObjectShape, Shape } from '../../src/kernel/declare/shape.ts';
import { Stage } from '../world/example-fixtures.ts';
import { fixtures } from '../world/fixtures.ts';
import { pathWith } from '../world/paths.ts';
import { world } from '../world/world.ts';
import { isShown, type Targets, valuesFor } from './fitting-values.ts';

type Body = Record<string, unknown>;

/** What happened to a field that was sent. */
type Outcome = 'stored' | 'refused' | 'ignored' | 'dropped';

interface Sent {
  field: string;
  outcome: Outcome;
  why: string;
}

/** Verbs of operations whose body is a record. */
const saving = /^(create|update|write)(-|$)/;

/** Tries all fields of all served resources, as their declarations name them, so a new resource needs no entry here. */
describe('a field in a request', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const { runtime } = service;
  const { model } = runtime.engine;
  const stage = await Stage.open(shared);
  const sentFields: Sent[] = [];

  const targets: Targets = {
    async ids(group, where = {}) {
      if (!model.has(group)) return [1];
      const conditions = Object.entries(where).map(([name, value]) => `and r.${snakeCase(name)} = '${value}'`);
      const { rows } = await runtime.pool.query<{ id: number }>(
        `select r.id from ${quoted(snakeCase(group))} r where true ${conditions.join(' ')} order by r.id desc limit 2`,
      );
      if (rows.length > 0) return rows.map(({ id }) => id);
      return [await stage.record(group, where.type)];
    },
    nameOf: (group, id, key) =>
      runtime.transact(systemOrigin('test'), async ({ records }) => {
        if (!model.has(group)) return 'nothing';
        const { label } = model.byName(group).declaration;
        return String(((await records.fetch({ name: group }, id)) as Body)[key ?? label]);
      }),
  };

  /** Reads a record with the operations that return it. */
  const readRecord = async (declaration: Declaration, id: number): Promise<Body> => {
    const { path, patterns, identity } = declaration;
    const recordPath = isSingle(declaration)
      ? path!
      : patterns.includes('fetch')
        ? `${path}/${id}`
        : `${path}?filter=${identity}==${id}`;
    const reply = await admin.get(recordPath);
    expect(reply, reply.text).toMatchObject({ code: 200, body: { results: [{}] } });
    return reply.body.results![0]!;
  };

  const secretOf = (declaration: Declaration, id: number, name: string) =>
    runtime.transact(systemOrigin('test'), ({ records }) => records.secret(declaration as Collection, id, name));

  /** A secret is text; a list of secrets is stored as JSON, an empty one as no secret. */
  const isKept = async (declaration: Declaration, id: number, name: string, value: unknown) => {
    const storedSecret = await secretOf(declaration, id, name);
    return (
      storedSecret === value ||
      storedSecret === (Array.isArray(value) && value.length === 0 ? '' : JSON.stringify(value))
    );
  };

  /**
   * Removes the record, so that unique values of examples are free again. Records that only the service creates stay.
   */
  const discard = async (declaration: Declaration, id: number) => {
    reusedRecord = undefined;
    const { name } = declaration;
    if (!isSingle(declaration) && !fixtures.get(name)?.stage) await stage.remove(name, id);
  };

  /** A record to update, reused until one of its fields was changed. */
  let reusedRecord: { operation: Operation; id: number } | undefined;
  const recordFor = async (operation: Operation, name: string, type: string | undefined, verb: string) => {
    if (reusedRecord?.operation !== operation) reusedRecord = { operation, id: await stage.record(name, type, verb) };
    return reusedRecord.id;
  };

  /** Returns a record to send to, and the other fields that its body needs. */
  const prepare = async (declaration: Declaration, operation: Operation) => {
    const verb = operation.operationId.split('.')[1]!;
    if (isSingle(declaration)) return { id: singleId, path: operation.path, base: {} as Body };
    const isNew = operation.success === 201;
    const { name, typeInPath } = declaration as Collection;
    const type = typeInPath && 'HOST';
    const id = isNew ? 0 : await recordFor(operation, name, type, verb);
    const { required = [] } = operation.body as ObjectShape;
    const example = isNew || required.length > 0 ? ((await stage.fresh(name, type, verb)) as Body) : {};
    const base = isNew ? example : Object.fromEntries(required.map((field) => [field, example[field]]));
    const path = type ? operation.path.replace(/\{\w+\}/, type).replace('{id}', String(id)) : pathWith(operation, id);
    return { id, path, base };
  };

  const outcomeOf = async (declaration: Declaration, operation: Operation, name: string, value: unknown) => {
    const { id, path, base } = await prepare(declaration, operation);
    const needed = fixtures.get(declaration.name)?.needs?.[name];
    const reply = await admin.post(path, { ...base, ...needed, [name]: value });
    if (reply.code >= 500) throw new Error(`${operation.operationId} with ${name}: ${reply.text}`);
    if (reply.code >= 400) return { outcome: 'refused', why: reply.body.errorMessage! } as const;
    const saved = id || Number(String(reply.headers.location).split('/').at(-1));
    const { access } = declaration.fields[name]!;
    const shown = access === 'secret' ? undefined : (await readRecord(declaration, saved))[name];
    const isStored = access === 'secret' ? await isKept(declaration, saved, name, value) : isShown(value, shown);
    const isServices = access === 'computed' || (access === 'readOnly' && operation.success === 201);
    if (!id || !isServices) await discard(declaration, saved);
    if (isStored) return { outcome: 'stored', why: '' } as const;
    const why = `sent ${JSON.stringify(value)}, shown ${JSON.stringify(shown)}`;
    return { outcome: isServices ? 'ignored' : 'dropped', why } as const;
  };

  /** Sends values until one is stored. A dropped value counts, even if a later one is stored. */
  const send = async (declaration: Declaration, operation: Operation, name: string, shape: Shape, current: Body) => {
    const field = `${operation.operationId} ${name}`;
    const fixtureValues = fixtures.get(declaration.name)?.values?.[name] ?? [];
    const values = [...fixtureValues, ...(await valuesFor(declaration, name, shape, current[name], targets))];
    let result: Sent = { field, outcome: 'refused', why: 'no value could be created' };
    for (const value of values) {
      result = { field, ...(await outcomeOf(declaration, operation, name, value)) };
      if (result.outcome !== 'refused') break;
    }
    sentFields.push(result);
    return result;
  };

  const groups = catalogue.map(({ declaration }) => declaration).filter(({ path }) => path !== undefined);
  for (const declaration of groups) {
    const operations = service.operations.filter(({ operationId, body }) => {
      const [noun, verb] = operationId.split('.');
      return noun === declaration.name && body?.kind === 'object' && saving.test(verb!);
    });
    for (const operation of operations) {
      test(`${operation.operationId} stores or refuses each field`, async () => {
        const { id, path, base } = await prepare(declaration, operation);
        const reply = await admin.post(path, base);
        expect(reply.code, reply.text).toBeLessThan(300);
        const recordId = id || Number(String(reply.headers.location).split('/').at(-1));
        const current = await readRecord(declaration, recordId);
        await discard(declaration, recordId);
        const dropped: Sent[] = [];
        for (const [name, shape] of Object.entries((operation.body as ObjectShape).properties)) {
          // The identity selects the record; on create it makes an upsert, which the conformance tests of collections
          // cover.
          const isUpsert = name === declaration.identity && operation.success === 201;
          if (!(name in declaration.fields) || isUpsert) continue;
          const result = await send(declaration, operation, name, shape, current);
          if (result.outcome === 'dropped') dropped.push(result);
        }
        expect(dropped).toEqual([]);
      }, 120_000);
    }
  }

  test('is stored, refused or computed by the service, and never dropped', () => {
    const count = (outcome: Outcome) => sentFields.filter((result) => result.outcome === outcome).length;
    console.info(
      `${sentFields.length - count('ignored')} fields sent, ${count('stored')} stored, ${count('refused')} refused, ${count('dropped')} dropped; ${count('ignored')} that the service computes were ignored`,
    );
    expect(count('dropped')).toBe(0);
    expect(count('stored')).toBeGreaterThan(300);
  });
});
