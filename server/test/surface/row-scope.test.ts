import { describe, expect, test } from 'vitest';
import { type Collection, type Declaration, isCollection } from '../../src/kernel/declare/declaration.ts';
import { quoted } from '../../src/kernel/declare/names.ts';
import type { Operation } from '../../src/kernel/declare/operation.ts';
import type { ObjectShape } from '../../src/kernel/declare/shape.ts';
import type { Table } from '../../src/kernel/model/model.ts';
import { Client, type Reply } from '../world/client.ts';
import { fixtures } from '../world/fixtures.ts';
import { pathWith } from '../world/paths.ts';
import { everyVerb, type LimitedClient, Limiter, selecting } from '../world/restricted-admins.ts';
import { world } from '../world/world.ts';

/** An id that no record has. */
const unusedId = 987_654_321;

type Scoped = Declaration & Collection & { scopedBy: NonNullable<Collection['scopedBy']> };

const isScoped = (declaration: Declaration): declaration is Scoped =>
  isCollection(declaration) && declaration.scopedBy !== undefined;

/** Rows of one collection, some of them visible to a caller, and the way in which the caller is limited. */
interface Scene {
  title: string;
  declaration: Scoped;
  table: Table;
  caller: LimitedClient;
  visible: number[];
  hidden: number[];
  /** A container that the caller sees. */
  containerID: number;
}

/**
 * Operations that take ids of several kinds, or in several places; `group-visibility.test.ts` tests them. The first
 * creates a host for any id.
 */
const testedElsewhere = [
  'host.create-with-adapters',
  'group.add-members',
  'group.remove-members',
  'group.membership',
  'group.add-to-parents',
  'group.remove-from-parent',
  'group.manages',
];

describe('a scoped administrator', async () => {
  const shared = await world({ jobs: 'enqueue' });
  const { admin, service } = shared;
  const { model } = service.runtime.engine;
  const limiter = new Limiter(shared);
  const served = model.tables.filter(({ declaration }) => isScoped(declaration) && declaration.path);
  let recordCount = 0;

  /**
   * Creates a record of a collection: by its fixture if that has a function for it, otherwise from its example under an
   * unused name.
   */
  async function make(declaration: Scoped, place: string): Promise<number> {
    const { restricted } = fixtures.get(declaration.name) ?? {};
    if (restricted) return restricted(limiter, place);
    const { example, fields, uniqueTogether = [] } = declaration;
    if (!example) throw new Error(`${declaration.name} has no example, and its fixture does not create one`);
    const fresh = Object.entries(example).filter(
      ([name, value]) => typeof value === 'string' && (fields[name]?.unique || uniqueTogether.flat().includes(name)),
    );
    const body = {
      ...example,
      ...Object.fromEntries(fresh.map(([name, value]) => [name, `${value} ${++recordCount}`])),
    };
    return (await limiter.transact(({ records }) => records.create(declaration, body))).id;
  }

  /** Returns a scene for each way in which a collection is limited. */
  async function scenesOf(table: Table): Promise<Scene[]> {
    const declaration = table.declaration as Scoped;
    const { elementType, selected, descendantsBy, seenWith } = declaration.scopedBy;
    const key = declaration.permission;
    const scenes: Scene[] = [];
    const add = async (
      title: string,
      profile: Record<string, unknown>,
      visible: number[],
      hidden: number[],
      containerID = 1,
    ) => {
      const caller = await limiter.caller(profile);
      scenes.push({ title: `${declaration.name} ${title}`, declaration, table, caller, visible, hidden, containerID });
      return caller;
    };
    const records = async (place = 'Network') => [
      await make(declaration, place),
      await make(declaration, place),
      await make(declaration, place),
    ];
    if (elementType !== undefined) {
      const type = { 3: 'PORT', 4: 'HOST', 5: 'ADAPTER', 6: 'USER' }[elementType]!;
      const [outer, inner, otherGroup] = [
        await limiter.group(type),
        await limiter.group(type),
        await limiter.group(type),
      ];
      await limiter.nest([outer, inner]);
      const [visible, hidden] = [await records(), await records()];
      await limiter.join(outer, elementType, visible[0]!);
      await limiter.join(inner, elementType, visible[1]!, visible[2]!);
      await limiter.join(otherGroup, elementType, hidden[0]!);
      const caller = await add(
        'by groups',
        { manageByGroups: true, permissions: { [key]: everyVerb } },
        visible,
        hidden,
      );
      await limiter.manage(caller.accountId, outer);
    }
    if (selected) {
      const [visible, hidden] = [await records(), await records()];
      const lower =
        descendantsBy &&
        (await limiter.sql<{ id: number }>(
          `update ${quoted(table.name)} set ${quoted(table.links.find(({ field }) => field === descendantsBy)!.column)} = $1 where id = $2 returning id`,
          [visible[0], visible[2]],
        ));
      const ids = lower ? visible.slice(0, 2) : visible;
      await add('by selection', { permissions: { [key]: selecting(...ids) } }, visible, hidden);
    }
    if (seenWith) {
      const [top, otherContainer] = [await limiter.container(), await limiter.container()];
      const low = await limiter.container(top.name);
      const [first, second, third] = [
        await make(declaration, top.name),
        await make(declaration, low.name),
        await make(declaration, low.name),
      ];
      const profile = { permissions: { [key]: selecting(top.id) } };
      await add('by the container', profile, [first, second, third], await records(otherContainer.name), top.id);
    }
    return scenes;
  }

  const scenes: Scene[] = [];
  for (const table of served) scenes.push(...(await scenesOf(table)));

  const operationsOf = ({ declaration }: Scene): Operation[] =>
    service.operations.filter(({ operationId }) => operationId.startsWith(`${declaration.name}.`));

  /** Returns everything that is stored about rows: the rows, and their entries in the feed. */
  const traces = async ({ table }: Scene, ids: readonly number[]): Promise<object> => ({
    rows: await limiter.sql(`select md5(r::text) from ${quoted(table.name)} r where r.id = any($1) order by r.id`, [
      ids,
    ]),
    feed: await limiter.sql('select count(*) from change_feed where table_name = $1 and record_id = any($2)', [
      table.name,
      ids,
    ]),
  });

  /** Returns the parts of a reply to compare, with the requested id replaced. */
  const alike = (reply: Reply, id: number): object => ({
    code: reply.code,
    text: reply.text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '#'),
    location: String(reply.headers.location ?? '').replace(/\d+$/, '#'),
    etag: reply.headers.etag,
  });

  test('is tested with every way to limit rows, and with every served collection that has one', () => {
    expect(scenes.length).toBeGreaterThanOrEqual(4);
    expect(new Set(scenes.map(({ declaration }) => declaration.name)).size).toBe(served.length);
  });

  describe.each(scenes.map((scene) => [scene.title, scene] as const))('%s', (_, scene) => {
    const { declaration, caller, visible: seen, hidden: visible, containerID } = scene;
    const { path, identity } = declaration;
    const byIds = (ids: readonly number[]) => `filter=${encodeURIComponent(`${identity}=in=(${ids.join(',')})`)}`;
    const has = (suffix: string) =>
      operationsOf(scene).find(({ operationId }) => operationId === `${declaration.name}.${suffix}`);

    /** Returns a call with this id, or undefined if the operation takes none. */
    function naming(operation: Operation, id: number): (() => Promise<Reply>) | undefined {
      const { method, operationId, example, body } = operation;
      if (operationId.includes('.monitor-') || testedElsewhere.includes(operationId)) return undefined;
      const url = pathWith(operation, id);
      const properties = (body as ObjectShape | undefined)?.properties ?? {};
      const placed = 'containerID' in properties && { containerID };
      // Immutable fields are not sent again.
      const changeable = Object.entries((example ?? {}) as object).filter(
        ([name]) => !declaration.fields[name]?.immutable,
      );
      const bodyWith = (extraFields: object) => ({ ...Object.fromEntries(changeable), ...placed, ...extraFields });
      const least = (body as ObjectShape | undefined)?.required ? example : {};
      if (operation.path.includes('{id}')) return () => caller.call(method, url, body && least);
      if (properties.id?.kind === 'list') return () => caller.call(method, url, bodyWith({ id: [seen[0]!, id] }));
      if (body && (identity in properties || 'id' in properties))
        return () =>
          caller.call(method, `${url}?dryRun=true`, bodyWith({ [identity in properties ? identity : 'id']: id }));
      return undefined;
    }

    test('sees and counts the visible rows, and no other', async () => {
      const { body } = await caller.get(path!);
      expect(body).toMatchObject({ filtered: seen.length, total: seen.length });
      expect(body.results!.map((record) => record[identity]).sort()).toEqual([...seen].sort());
      expect((await caller.get(`${path}?${byIds([...seen, ...visible])}`)).body).toMatchObject({
        filtered: seen.length,
      });
      expect((await caller.get(`${path}?${byIds(visible)}`)).body).toMatchObject({ filtered: 0, results: [] });
      expect((await caller.get(`${path}?start=1&count=1`)).body).toMatchObject({
        filtered: seen.length,
        total: seen.length,
      });
      const walked: unknown[] = [];
      for (let url: string | undefined = `${path}?count=1&sortDir=desc`; url; ) {
        const page: Reply = await caller.get(url);
        walked.push(...page.body.results!.map((record) => record[identity]));
        url = /^<(.*)>/.exec(String(page.headers.link ?? ''))?.[1];
      }
      expect(walked.toSorted()).toEqual([...seen].sort());
      if (has('count'))
        expect((await caller.get(`${path}/count?${byIds([seen[0]!, visible[0]!])}`)).body).toMatchObject({
          filtered: 1,
          total: seen.length,
        });
      if (has('count-all')) expect((await caller.get(`${path}/count/all`)).body).toMatchObject({ total: seen.length });
      const unlimitedReply = await admin.get(`${path}?${byIds([...seen, ...visible])}`);
      expect(unlimitedReply.body.filtered).toBe(seen.length + visible.length);
    });

    test('gets for a hidden record the response of one that does not exist, from every operation that takes an id', async () => {
      const before = await traces(scene, visible);
      const tried: string[] = [];
      for (const operation of operationsOf(scene)) {
        const [about, unknown] = [naming(operation, visible[0]!), naming(operation, unusedId)];
        if (!about || !unknown) continue;
        tried.push(operation.operationId);
        const [reply, unknownReply] = [await about(), await unknown()];
        // A POST on the path of the resource creates a record for an unknown identity; every other operation returns
        // 404.
        if (/\.create-/.test(operation.operationId)) {
          expect([reply.code, unknownReply.code], operation.operationId).toEqual([200, 200]);
          continue;
        }
        expect(alike(reply, visible[0]!), operation.operationId).toEqual(alike(unknownReply, unusedId));
        if (!operation.operationId.endsWith('.create'))
          expect(reply.code, `${operation.operationId}: ${reply.text}`).toBe(404);
      }
      if (has('fetch')) expect(tried).toContain(`${declaration.name}.fetch`);
      expect(await traces(scene, visible)).toEqual(before);
      const rows = await admin.get(`${path}?${byIds(visible)}`);
      expect(rows.body.filtered).toBe(visible.length);
    });

    test('can use the operations on visible records', async () => {
      for (const operation of operationsOf(scene)) {
        const about = naming(operation, seen[1]!);
        if (!about || /\.(delete|rank)/.test(operation.operationId)) continue;
        const [noun, verb] = operation.operationId.split('.') as [string, string];
        const refused = fixtures.get(noun)?.refused?.[verb];
        const code = refused ?? (operation.success === 202 ? 202 : 200);
        expect((await about()).code, operation.operationId).toBe(code);
      }
    });

    test('gets the stored response for a repeated idempotency key, and a call that found no record stores none', async () => {
      const update = has('update') ?? has('create');
      if (!update) return;
      const id = seen[1]!;
      const send = (target: number, key: string) =>
        caller.post(pathWith(update, target), { [identity]: target }, { 'idempotency-key': key });
      const key = `${declaration.name}-${++recordCount}`;
      const hiddenReply = await send(visible[1]!, key);
      expect(hiddenReply.code).toBeGreaterThanOrEqual(400);
      expect(await limiter.sql('select from idempotency_key where key = $1', [key])).toEqual([]);
      const first = await send(id, `${key}-seen`);
      expect(first.code, first.text).toBe(200);
      expect((await send(id, `${key}-seen`)).text).toBe(first.text);
    });

    test('sees the same rows with a narrower token', async () => {
      const issued = await caller.post('/auth/tokens', {
        name: 'narrow',
        scopes: { [declaration.permission]: ['view'] },
      });
      const narrow = new Client(service.app, String(issued.body.results![0]!.token));
      expect((await narrow.get(`${path}?count=0`)).body).toMatchObject({ total: seen.length });
      expect((await narrow.get(`${path}/${visible[0]}`)).code).toBe(404);
    });

    test('cannot create a record that would be hidden from them', async () => {
      const create = has('create');
      if (!create) return;
      const before = (await admin.get(`${path}?count=0`)).body.total;
      const reply = await caller.post(pathWith(create, 0), {
        ...(create.example as object),
        ...(declaration.fields[declaration.label]!.shape.kind === 'text' && {
          [declaration.label]: `hidden record ${++recordCount}`,
        }),
      });
      expect([403, 422], reply.text).toContain(reply.code);
      expect((await admin.get(`${path}?count=0`)).body.total).toBe(before);
    });

    // Deletes the records that the tests above use, so it comes last.
    test('deletes all records of a list or none, and their last visible record without affecting hidden ones', async () => {
      if (!has('delete-many')) return;
      expect((await caller.post(`${path}/delete`, { id: [seen[2]!, visible[2]!] })).code).toBe(404);
      expect((await caller.get(`${path}?count=0`)).body.total).toBe(seen.length);
      expect((await caller.post(`${path}/delete`, { id: [seen[2]!] })).code).toBe(200);
      expect((await caller.get(`${path}?count=0`)).body.total).toBe(seen.length - 1);
      expect((await admin.get(`${path}?${byIds(visible)}`)).body.filtered).toBe(visible.length);
    });
  });
});
