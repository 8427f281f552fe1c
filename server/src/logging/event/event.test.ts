import { describe, expect, test } from 'vitest';
import { testLog } from '../../../test/conformance/conformance.ts';
import { Client } from '../../../test/world/client.ts';
import { world } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { event } from './event.ts';

const path = event.path!;

describe('events', async () => {
  const shared = await world({
    limits: { requestsPerSecond: 1_000_000, burst: 1_000_000, testsPerMinute: 1_000, eventsPerSecond: 1_000_000 },
  });
  const { admin, service } = shared;
  const newest = async (filter: string) =>
    (await admin.get(`${path}?count=1&filter=${encodeURIComponent(filter)}`)).body.results![0]!;
  const sample = {
    name: 'EXT_UPS_ON_BATTERY',
    elementType: 0,
    elementName: 'UPS hall A',
    message: 'Running on battery',
    attributes: { load: '38 %' },
  };

  testLog(event, { sample: (n) => ({ ...sample, message: `Running on battery for ${n} minutes` }), world: shared });

  test('have every field of the specification, in its order', async () => {
    const id = await admin.create(container, { name: 'Ordered' });
    const record = await newest(`elementType==1;elementID==${id}`);
    expect(Object.keys(record)).toEqual(
      `landscape id state name elementType elementID elementName message timeOfEvent version time empty eventFormatString
       eventTypeID category hostID mac ip userName location attributes notes alarmIDs requestID`.split(/\s+/),
    );
    expect(record).toMatchObject({
      state: 0,
      name: 'DOMAIN_CREATED',
      elementName: 'Ordered',
      message: expect.stringContaining('ADD Ordered by system-administrator-1'),
      version: 1,
      time: Date.parse(String(record.timeOfEvent)),
      empty: false,
      eventFormatString: 'Container Ordered created.',
      category: 'DEVICE',
      userName: 'system-administrator-1',
      attributes: {},
      notes: [],
      alarmIDs: [],
    });
    expect(await admin.fetch(event, record.id as number)).toEqual(record);
  });

  test('can be posted: a new EXT_ type is registered when it is first used, once', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => admin.post(path, sample)));
    expect(replies.map(({ code }) => code)).toEqual(Array(8).fill(201));
    const id = Number(String(replies[0]!.headers.location).split('/').at(-1));
    expect(await admin.fetch(event, id)).toMatchObject({
      ...sample,
      elementID: 0,
      category: 'EXTERNAL',
      eventFormatString: 'Running on battery',
      requestID: replies[0]!.headers['x-request-id'],
    });
    const { results } = (await admin.get('/logging/event-types?filter=category==EXTERNAL')).body;
    expect(results).toMatchObject([{ name: sample.name, postable: true, mandatory: false, elementType: 0 }]);
    expect(results![0]!.id).toBeGreaterThanOrEqual(100_000);
    expect((await newest('name==EVENT_TYPE_CREATED')).elementName).toBe(sample.name);
  });

  test('are returned by a dry run, and not logged', async () => {
    const message = 'Tried only';
    const reply = await admin.post(`${path}?dryRun=true`, { ...sample, message });
    expect(reply).toMatchObject({ code: 200, body: { results: [{ name: sample.name, message }] } });
    expect((await admin.get(`${path}?filter=${encodeURIComponent(`message=="${message}"`)}`)).body.filtered).toBe(0);
  });

  test('are rejected if their type belongs to the service, or the limit of types is reached', async () => {
    const post = (body: object) => admin.post(path, { ...sample, ...body });
    for (const name of ['ADMIN_LOGIN_FAILED', 'NO_SUCH_TYPE', 'EXT_'])
      expect(await post({ name }), name).toMatchObject({ code: 422, body: { status: 'rejected' } });
    for (const body of [
      { name: 'ext_lower' },
      { name: `EXT_${'A'.repeat(61)}` },
      { elementType: 12 },
      { message: '' },
      { state: 1 },
    ])
      expect((await post(body)).code, JSON.stringify(body)).toBe(400);
    expect((await post({ name: 'ADMIN_NOTE' })).code).toBe(201);
    await service.runtime.pool.query(
      `insert into event_type (name, display_name, description, category, element_type, format, logging_strategy, mandatory, droppable, postable,
         syslog_severity, note)
       select 'EXT_FULL_' || n, '', '', 'EXTERNAL', 0, '{message}', 'INTERNAL', false, false, true, 6, '' from generate_series(1, 199) n`,
    );
    expect(await post({ name: 'EXT_ONE_TOO_MANY' })).toMatchObject({ code: 422 });
    expect((await post({ name: 'EXT_FULL_7' })).code).toBe(201);
    expect((await post({ name: sample.name })).code).toBe(201);
  });

  test('that their type does not log are accepted and cannot be found', async () => {
    const [type] = (await admin.get('/logging/event-types?filter=name==EXT_FULL_8')).body.results!;
    await admin.post('/logging/event-types/logging-strategy', { id: [type!.id], loggingStrategy: 'DISABLED' });
    // Nodes cache event types; also the node that changed one reloads it on a notification.
    await service.catchUp();
    const reply = await admin.post(path, { ...sample, name: 'EXT_FULL_8' });
    expect(reply.code).toBe(200);
    expect(reply.headers.location).toBeUndefined();
    expect((await admin.get(`${path}?filter=name==EXT_FULL_8`)).body.filtered).toBe(0);
  });

  test('of mandatory types cannot be deleted, alone or among others; notes are deleted with their event', async () => {
    await new Client(service.app, '').post('/auth/login', { userID: 'nobody', password: 'wrong' });
    const mandatory = (await newest('name==ADMIN_LOGIN_FAILED')).id;
    const otherID = await admin.create(event, sample);
    await admin.post(`${path}/note`, { id: [otherID], text: 'goes with it' });
    for (const reply of [
      await admin.delete(`${path}/${mandatory}`),
      await admin.post(`${path}/${mandatory}/delete`),
      await admin.post(`${path}/delete`, { id: [otherID, mandatory] }),
    ])
      expect(reply).toMatchObject({ code: 409, body: { status: 'protected' } });
    expect((await admin.delete(`${path}/${otherID}`)).code).toBe(200);
    const { rows } = await service.runtime.pool.query('select from event_note where event_id = $1', [otherID]);
    expect(rows).toEqual([]);
    const audit = await admin.get(
      `/logging/audit?count=1&filter=${encodeURIComponent(`auditObjectType.dbTableName==event;liveDBID==${otherID};action==DELETE`)}`,
    );
    expect(audit.body.results![0]!.changes).toContainEqual({
      field: 'message',
      before: sample.message,
      after: null,
      changed: true,
    });
  });

  test('accept new notes and no other change', async () => {
    const id = await admin.create(event, sample);
    const record = await admin.fetch(event, id);
    expect((await admin.post(`${path}/${id}`, record)).code).toBe(200);
    expect((await admin.post(`${path}/${id}`, { ...record, notes: [{ text: 'Seen' }] })).code).toBe(200);
    const noted = await admin.fetch(event, id);
    expect(noted).toEqual({
      ...record,
      notes: [{ user: 'system-administrator-1', date: expect.stringMatching(/Z$/), text: 'Seen' }],
    });
    expect(
      (await admin.post(`${path}/${id}`, { ...noted, notes: [...(noted.notes as object[]), { text: 'Done' }] })).code,
    ).toBe(200);
    expect((await admin.fetch(event, id)).notes).toMatchObject([{ text: 'Seen' }, { text: 'Done' }]);
    for (const body of [{ message: 'forged' }, { notes: [{ user: 'bob', text: 'forged' }] }])
      expect(await admin.post(`${path}/${id}`, body)).toMatchObject({ code: 409, body: { status: 'protected' } });
    expect((await admin.post(`${path}/${id}`, { notes: [{}] })).code).toBe(422);
    expect((await admin.post(`${path}/999`, { notes: [] })).code).toBe(404);
    const audit = await admin.get(
      `/logging/audit?sortKey=auditDBID&filter=${encodeURIComponent(`auditObjectType.dbTableName==event;liveDBID==${id}`)}`,
    );
    expect(audit.body.results).toMatchObject([{ summary: 'note: Seen' }, { summary: 'note: Done' }]);
  });

  test('accept one note for several events, and a note without events is an event itself', async () => {
    const ids = [await admin.create(event, sample), await admin.create(event, sample)];
    expect((await admin.post(`${path}/note`, { id: ids, text: 'Power is back' })).code).toBe(200);
    for (const id of ids) expect((await admin.fetch(event, id)).notes).toMatchObject([{ text: 'Power is back' }]);
    expect((await admin.post(`${path}/note`, { id: [...ids, 999], text: 'nobody' })).code).toBe(404);
    for (const id of ids) expect((await admin.fetch(event, id)).notes).toHaveLength(1);
    expect((await admin.post(`${path}/note`, { text: 'Maintenance in hall A started' })).code).toBe(200);
    expect(await newest('name==ADMIN_NOTE')).toMatchObject({
      message: 'Maintenance in hall A started',
      eventFormatString: 'system-administrator-1: Maintenance in hall A started',
    });
  });

  test('report which container shows them, to callers who may view containers', async () => {
    const id = await admin.create(container, { name: 'Shown' });
    const created = await newest(`elementType==1;elementID==${id}`);
    const usage = async (client: Client) => (await client.get(`${path}/${created.id}/usage`)).body.results;
    expect(await usage(admin)).toEqual([{ name: 'Container', children: ['Shown'] }]);
    expect(await usage(await shared.caller({ 'events-alarms': ['view'] }))).toEqual([
      { name: 'Container', children: ['1 hidden'] },
    ]);
    const otherID = await admin.create(event, sample);
    expect((await admin.get(`${path}/${otherID}/usage`)).body.results).toEqual([]);
    expect((await admin.get(`${path}/999/usage`)).code).toBe(404);
  });

  test('report their filter values and their number per day', async () => {
    const [info] = (await admin.get(`${path}/supporting-info`)).body.results! as [Record<string, unknown>];
    expect(Object.keys(info)).toEqual(['eventTypes', 'categories', 'elementTypes', 'oldestLive', 'newest', 'perDay']);
    expect(info.eventTypes).toContainEqual(expect.objectContaining({ name: 'CONTACT_LOST', category: 'DEVICE' }));
    expect(info.elementTypes).toContainEqual({ code: 4, name: 'host' });
    const { total } = (await admin.get(`${path}/count/all`)).body;
    const perDay = info.perDay as { day: string; events: number }[];
    expect(perDay.reduce((sum, { events }) => sum + events, 0)).toBe(total);
    expect(perDay.at(-1)!.day).toBe(String(info.newest).slice(0, 10));
    expect(Date.parse(String(info.oldestLive))).toBeLessThanOrEqual(Date.parse(String(info.newest)));
  });

  test('are emitted for logins, logouts and tokens', async () => {
    const anybody = new Client(service.app, '');
    const logIn = async (userID: string, password: string) => anybody.post('/auth/login', { userID, password });
    await logIn('nobody-at-all', 'wrong');
    expect(await newest('name==ADMIN_LOGIN_FAILED')).toMatchObject({
      elementType: 7,
      elementName: 'nobody-at-all',
      ip: '127.0.0.1',
      eventFormatString: 'Login of nobody-at-all from 127.0.0.1 failed.',
    });
    const reply = await logIn('system-administrator-1', 'correct-horse-battery');
    const session = new Client(service.app, String(reply.body.results![0]!.sessionKey));
    expect(await newest('name==ADMIN_LOGIN_SUCCEEDED')).toMatchObject({
      userName: 'system-administrator-1',
      ip: '127.0.0.1',
    });
    expect((await session.post('/auth/logout')).code).toBe(200);
    expect((await newest('name==ADMIN_LOGOUT')).eventFormatString).toBe('system-administrator-1 logged out.');
    const { id, token } = (await admin.post<{ id: number; token: string }>('/auth/tokens', { name: 'short' })).body
      .results![0]!;
    expect(await newest('name==API_TOKEN_ISSUED')).toMatchObject({ attributes: { token: 'short' } });
    await admin.delete(`/auth/tokens/${id}`);
    expect((await newest('name==API_TOKEN_REVOKED')).eventFormatString).toBe(
      'API token short revoked by system-administrator-1.',
    );
    const revoked = new Client(service.app, token);
    await expect.poll(async () => (await revoked.get(path)).code).toBe(401);
    for (let n = 0; n < 5; n++) await revoked.get(path);
    const refusals = async () => (await admin.get(`${path}?filter=name==API_TOKEN_REJECTED`)).body.results!;
    await expect.poll(async () => (await refusals()).length, { timeout: 60_000 }).toBe(1);
    expect((await refusals())[0]).toMatchObject({
      attributes: { token: 'short', reason: 'it was revoked', address: '127.0.0.1' },
      userName: 'system-administrator-1',
    });
  });
});

describe('a token that posts events', async () => {
  let now = 1_000;
  const { admin: script } = await world({ monotonicMs: () => now });

  test('is limited to fifty events per second', async () => {
    const post = async () => (await script.post(path, { name: 'EXT_TICK', elementType: 0, message: 'tick' })).code;
    const codes: number[] = [];
    for (let n = 0; n < 52; n++) codes.push(await post());
    expect(codes).toEqual([...Array(50).fill(201), 429, 429]);
    now += 1_000;
    expect(await post()).toBe(201);
  });
});
