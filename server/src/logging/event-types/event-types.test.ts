import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runScript } from '../../../test/surface/schema-drift.ts';
import { Client } from '../../../test/world/client.ts';
import { openNode } from '../../../test/world/open-world.ts';
import { type World, world } from '../../../test/world/world.ts';
import { catalogue } from '../../catalogue.ts';
import { container } from '../../device/container/container.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { eventType, fillFormat } from '../../kernel/declare/event-type.ts';
import { storedEventTypeNumbers } from '../../node/event-type-numbers.ts';
import { declaredEventTypes } from '../../node/number-event-types.ts';
import { modelFor } from '../../node/start-service.ts';
import { group } from '../../system/group/group.ts';
import { numbered } from './upsert-event-types.ts';

const path = '/logging/event-types';
/** Generous timeout; `npm run trial -- two-nodes` measures the actual delay of such notifications. */
const patient = { timeout: 60_000, interval: 50 };
const numbers = storedEventTypeNumbers();
const declared = declaredEventTypes(catalogue, modelFor(catalogue));

describe('the declared event types', () => {
  test('events of each connection are off until an administrator turns them on', () => {
    const off = declared.filter(({ loggingStrategy }) => loggingStrategy === 'DISABLED');
    const names = [
      'ADAPTER_IP_CHANGED',
      'HOST_CONNECTED',
      'HOST_DISCONNECTED',
      'USER_AUTHENTICATED',
      'USER_AUTHENTICATION_FAILED',
    ];
    expect(off.map(({ name }) => name).toSorted()).toEqual(names);
    expect(off.every(({ droppable }) => droppable)).toBe(true);
  });

  test('each have a unique number in the checked-in list', () => {
    expect(
      declared.map(({ name }) => name).filter((name) => !(name in numbers)),
      'npm run generate',
    ).toEqual([]);
    const assignedNumbers = Object.values(numbers);
    expect(new Set(assignedNumbers).size).toBe(assignedNumbers.length);
    expect(Math.max(...assignedNumbers)).toBeLessThan(90_000);
  });

  test('include all types that the code declares', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    );
    const namesInCode = sources.flatMap((file) =>
      [...readFileSync(`${root}/${file}`, 'utf8').matchAll(/= eventType\(\{[^}]*?name: '(\w+)'/g)].map(
        ([, name]) => name!,
      ),
    );
    expect(namesInCode.length).toBeGreaterThan(10);
    const declaredNames = new Set(declared.map(({ name }) => name));
    expect(namesInCode.filter((name) => !declaredNames.has(name))).toEqual([]);
  });

  test('throw if one is declared twice or has no number', () => {
    const sampleType = eventType({ name: 'ONE', description: '', category: 'SYSTEM', elementType: 0, format: 'One.' });
    expect(() => numbered([sampleType, sampleType], { ONE: 1 })).toThrow('ONE is declared twice');
    expect(() => numbered([sampleType], {})).toThrow('npm run generate');
  });

  test('fill their formats once, without expanding the values again', () => {
    expect(fillFormat('{element} by {user}', { element: '{user}', user: 'alice' })).toBe('{user} by alice');
    expect(fillFormat('{constructor}{missing}.', {})).toBe('.');
  });
});

/** Returns the events of a name from the API, newest first. */
const eventsOf = async ({ admin }: Pick<World, 'admin'>, name: string) =>
  (await admin.get(`/logging/event?filter=name==${name}`)).body.results!;

const idOf = async ({ admin }: Pick<World, 'admin'>, name: string): Promise<number> =>
  (await admin.get<{ id: number }>(`${path}?filter=name==${name}`)).body.results![0]!.id;

describe('event types', async () => {
  const shared = await world();
  const { admin, service, database } = shared;
  const set = (id: number[], loggingStrategy: string) =>
    admin.post(`${path}/logging-strategy`, { id, loggingStrategy });

  test('are listed with their declared properties, and counted', async () => {
    const reply = await admin.get(`${path}?filter=name==CONTACT_LOST`);
    expect(reply.body.results).toMatchObject([
      {
        id: numbers.CONTACT_LOST,
        category: 'DEVICE',
        elementType: 2,
        loggingStrategy: 'INTERNAL',
        groupID: null,
        clearEventTypeID: numbers.CONTACT_ESTABLISHED,
        mandatory: false,
        mapped: false,
      },
    ]);
    expect(reply.body.total).toBe(declared.length);
    expect((await admin.get(`${path}/count?filter=mandatory==true`)).body).toMatchObject({
      results: [],
      filtered: declared.filter(({ mandatory }) => mandatory).length,
      total: declared.length,
    });
    expect((await admin.get(`${path}/count/all`)).body).toMatchObject({ filtered: declared.length });
  });

  test('that are not logged write no row and are counted; mandatory ones cannot be disabled', async () => {
    const id = await idOf(shared, 'DOMAIN_MODIFIED');
    const create = () => admin.create(container, { name: `not logged ${Math.random()}` });
    const modify = async () =>
      expect((await admin.post(container.path!, { id: await create(), notes: 'x' })).code).toBe(200);
    const logged = async () => {
      const before = (await eventsOf(shared, 'DOMAIN_MODIFIED')).length;
      await modify();
      return (await eventsOf(shared, 'DOMAIN_MODIFIED')).length - before;
    };
    for (const strategy of ['DISABLED', 'EXTERNAL']) {
      expect((await set([id], strategy)).code).toBe(200);
      // Takes effect when the node receives the notification; until then events are handled as before.
      const counted = `portreeve_events_total{type="DOMAIN_MODIFIED",outcome="${strategy.toLowerCase()}"} 1`;
      const isInEffect = async () => (await logged()) === 0 && (await service.metrics.page()).includes(counted);
      await expect.poll(isInEffect, patient).toBe(true);
    }
    expect((await set([id], 'INTERNAL_AND_EXTERNAL')).code).toBe(200);
    await expect.poll(logged, patient).toBe(1);
    const mandatory = await idOf(shared, 'ADMIN_LOGIN_FAILED');
    expect(await set([id, mandatory], 'DISABLED')).toMatchObject({ code: 409, body: { status: 'protected' } });
    expect(await set([id, 99_999], 'DISABLED')).toMatchObject({ code: 404, body: { status: 'not-found' } });
    expect(await set([id, id], 'DISABLED')).toMatchObject({ code: 400 });
    expect((await admin.get(`${path}?filter=id==${id}`)).body.results).toMatchObject([
      { loggingStrategy: 'INTERNAL_AND_EXTERNAL', lastModifiedBy: 'system-administrator-1' },
    ]);
  });

  test('take effect on every node after its notification, and not if the change is rolled back', async () => {
    const node = await openNode({ database });
    const clientOfNode = new Client(node.app, admin.token);
    try {
      const id = await idOf(shared, 'API_TOKEN_ISSUED');
      const issue = async () => {
        const count = (await eventsOf(shared, 'API_TOKEN_ISSUED')).length;
        await clientOfNode.post('/auth/tokens', { name: 'of another node' });
        return (await eventsOf(shared, 'API_TOKEN_ISSUED')).length - count;
      };
      expect(await issue()).toBe(1);
      expect(
        (await admin.post(`${path}/logging-strategy?dryRun=true`, { id: [id], loggingStrategy: 'DISABLED' })).code,
      ).toBe(200);
      expect(await issue()).toBe(1);
      await set([id], 'DISABLED');
      await expect.poll(issue, patient).toBe(0);
      await set([id], 'INTERNAL');
      await expect.poll(issue, patient).toBe(1);
    } finally {
      await node.close();
    }
  });

  test('can be limited to the members of a group, nested ones too', async () => {
    const id = await idOf(shared, 'API_TOKEN_ISSUED');
    const [member, stranger] = [await shared.caller({}), await shared.caller({})];
    const [outer, hosts] = await service.runtime.transact(systemOrigin('test'), async ({ records, client }) => {
      const groupIDs: number[] = [];
      for (const [name, type] of [
        ['outer', 'ADMINISTRATOR'],
        ['hosts', 'HOST'],
        ['inner', 'ADMINISTRATOR'],
      ])
        groupIDs.push((await records.create(group, { name, type })).id);
      await client.query('insert into group_member (group_id, element_type, member_id) values ($1, 7, $2)', [
        groupIDs[2],
        member.accountId,
      ]);
      await client.query('insert into group_closure (ancestor_id, descendant_id, depth) values ($1, $2, 1)', [
        groupIDs[0],
        groupIDs[2],
      ]);
      return groupIDs as [number, number];
    });
    const limit = (groupID: number | null) => admin.post(`${path}/group`, { id: [id], groupID });
    expect(await limit(hosts)).toMatchObject({ code: 422, body: { errorMessage: expect.stringContaining('HOST') } });
    expect((await limit(999_999)).code).toBe(422);
    expect((await limit(outer)).code).toBe(200);
    const before = (await eventsOf(shared, 'API_TOKEN_ISSUED')).length;
    for (const caller of [member, stranger])
      expect((await caller.post('/auth/tokens', { name: 'of a group' })).code).toBe(201);
    const reported = await eventsOf(shared, 'API_TOKEN_ISSUED');
    expect(reported.length - before).toBe(1);
    expect(reported[0]).toMatchObject({ elementID: member.accountId });
    expect(await service.metrics.page()).toContain('type="API_TOKEN_ISSUED",outcome="outside-group"} 1');
    expect((await limit(null)).code).toBe(200);
  });

  test('count their live events, optionally in a time range', async () => {
    const id = await idOf(shared, 'DOMAIN_CREATED');
    const count = async (query = '') => (await admin.get(`${path}/count/${id}${query}`)).body;
    const all = await eventsOf(shared, 'DOMAIN_CREATED');
    expect(await count()).toMatchObject({ results: [], filtered: all.length });
    expect((await count()).total).toBe((await admin.get('/logging/event/count/all')).body.total);
    const [newest] = all;
    expect((await count(`?from=${newest!.timeOfEvent}`)).filtered).toBeGreaterThan(0);
    expect((await count(`?to=2021-01-01T00:00:00Z`)).filtered).toBe(0);
    expect((await admin.get(`${path}/count/99999`)).code).toBe(404);
    expect((await admin.get(`${path}/count/${id}?from=yesterday`)).code).toBe(400);
  });

  test('keep the settings of administrators when a node starts, and update their texts from the code', async () => {
    const id = await idOf(shared, 'DOMAIN_CREATED');
    await set([id], 'INTERNAL_AND_EXTERNAL');
    await runScript(database, `update event_type set description = 'forged', mandatory = true where id = ${id}`);
    const nodes = await Promise.all([openNode({ database }), openNode({ database })]);
    await Promise.all(nodes.map((node) => node.close()));
    expect((await admin.get(`${path}?filter=id==${id}`)).body).toMatchObject({
      results: [
        {
          loggingStrategy: 'INTERNAL_AND_EXTERNAL',
          mandatory: false,
          description: expect.stringContaining('Container'),
        },
      ],
      total: declared.length,
    });
  });
});
