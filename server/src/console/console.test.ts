import { describe, expect, test } from 'vitest';
import type { Reply } from '../../test/world/client.ts';
import { Limiter } from '../../test/world/restricted-admins.ts';
import { world } from '../../test/world/world.ts';
import { sessionExpiry } from '../auth/session-expiry.jobs.ts';
import { permissionKeys, verbs } from '../kernel/declare/permissions.ts';
import { areas, pages } from './pages.ts';

interface SignedIn {
  cookie: string;
  securityKey: string;
  sessionKey: string;
}

describe('the data of the current session', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const { app, runtime } = service;
  const limiter = new Limiter(shared);
  let addresses = 0;

  const send = async (
    method: 'GET' | 'POST',
    url: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Pick<Reply, 'code' | 'body' | 'text' | 'headers'>> => {
    const reply = await app.inject({
      method,
      url: url.startsWith('/auth') ? url : `/api/v2${url}`,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
      remoteAddress: `198.51.100.${++addresses % 250}`,
    });
    return { code: reply.statusCode, headers: reply.headers, body: reply.json(), text: reply.body };
  };
  const account = async (rights: Record<string, string[]>) => {
    const client = await shared.caller(rights);
    const [row] = await limiter.sql<{ userID: string }>('select user_id as "userID" from user_account where id = $1', [
      client.accountId,
    ]);
    return { client, accountId: client.accountId, userID: row!.userID };
  };
  const signIn = async (userID: string): Promise<SignedIn> => {
    const { body, code, text } = await send('POST', '/auth/login', {}, { userID, password: 'correct-horse-battery' });
    expect({ code }, text).toEqual({ code: 200 });
    const { sessionKey, securityKey } = body.results![0] as unknown as Omit<SignedIn, 'cookie'>;
    return { sessionKey, securityKey, cookie: `__Host-session=${sessionKey}` };
  };
  const resultsOf = async (url: string, headers: Record<string, string>) => {
    const { code, body } = await send('GET', url, headers);
    expect({ code, message: body.errorMessage }).toEqual({ code: 200, message: null });
    return body.results!;
  };
  const sessionRow = async ({ sessionKey }: SignedIn) =>
    (
      await limiter.sql<{ id: number; usedAt: string; isOver: boolean }>(
        `select id, used_at::text as "usedAt", revoked_at is not null as "isOver" from login_session where public_id = $1`,
        [sessionKey.split('_')[1]],
      )
    )[0]!;

  describe('the session', () => {
    test('returns the security key to a page that was loaded again, which can then write', async () => {
      const { userID } = await account({ devices: ['view', 'add'] });
      const { cookie, securityKey } = await signIn(userID);
      const reply = await send('GET', '/user/current-session/securityKey', { cookie });
      expect(reply.body.results).toEqual([securityKey]);
      expect(reply.headers['cache-control']).toBe('no-store');
      const headers = { cookie, 'x-security-key': String(reply.body.results![0]) };
      expect((await send('POST', '/device/container', headers, { name: 'after a reload' })).code).toBe(201);
      const otherSession = await signIn(userID);
      expect(otherSession.securityKey).not.toBe(securityKey);
      const foreign = { cookie, 'x-security-key': otherSession.securityKey };
      expect((await send('POST', '/device/container', foreign, { name: 'with the key of another' })).code).toBe(403);
    });

    test('refuses an API token, which has no session', async () => {
      for (const path of ['securityKey', 'timeout', 'cache?key=last-visited'])
        expect(await admin.get(`/user/current-session/${path}`)).toMatchObject({
          code: 400,
          body: { errorMessage: expect.stringContaining('no session') },
        });
    });

    test('returns the end of the session without extending it', async () => {
      const { userID } = await account({});
      const session = await signIn(userID);
      const row = await sessionRow(session);
      await limiter.sql(`update login_session set used_at = now() - interval '5 minutes' where id = $1`, [row.id]);
      const before = (await sessionRow(session)).usedAt;
      const [remaining] = await resultsOf('/user/current-session/timeout', { cookie: session.cookie });
      expect(remaining).toEqual({
        timeout: expect.toSatisfy((s) => s > 590 && s <= 600),
        absolute: expect.any(Number),
      });
      expect(Number(remaining!.absolute)).toBeGreaterThan(11 * 3_600);
      await service.catchUp();
      expect((await sessionRow(session)).usedAt).toBe(before);
      await resultsOf('/user/current-session/bookmark', { cookie: session.cookie });
      await expect.poll(async () => (await sessionRow(session)).usedAt).not.toBe(before);
    });

    test('ends an idle session with an event, and deletes its stored values but not those of others', async () => {
      const { userID } = await account({ devices: ['view'] });
      const [idle, old, used] = [await signIn(userID), await signIn(userID), await signIn(userID)];
      const storedValues = async (session: SignedIn) =>
        (await limiter.sql('select from session_value where session_id = $1', [(await sessionRow(session)).id])).length;
      await resultsOf('/device/container', { cookie: idle.cookie });
      await expect.poll(() => storedValues(idle)).toBeGreaterThan(0);
      await limiter.sql(`update login_session set used_at = now() - interval '16 minutes' where id = $1`, [
        (await sessionRow(idle)).id,
      ]);
      await limiter.sql(`update login_session set expires_at = now() - interval '1 second' where id = $1`, [
        (await sessionRow(old)).id,
      ]);
      await sessionExpiry(runtime).run(undefined as never, undefined as never);
      expect([(await sessionRow(idle)).isOver, (await sessionRow(old)).isOver]).toEqual([true, true]);
      expect((await sessionRow(used)).isOver).toBe(false);
      expect(await storedValues(idle)).toBe(0);
      const events = await admin.get(`/logging/event?filter=name==SESSION_EXPIRED;elementName=="${userID}"`);
      expect(events.body.results!.map(({ eventFormatString }) => eventFormatString)).toEqual(
        expect.arrayContaining([
          `A session of ${userID} expired: it was idle too long.`,
          `A session of ${userID} expired: it reached its maximum lifetime.`,
        ]),
      );
      const epoch = async () => (await limiter.sql<{ epoch: number }>('select epoch from auth_epoch', []))[0]!.epoch;
      const before = await epoch();
      await sessionExpiry(runtime).run(undefined as never, undefined as never);
      expect(await epoch()).toBe(before);
    });

    test('stores the last list and its filter, but not requests by timers or other clients', async () => {
      const { userID } = await account({ devices: ['view'], roles: ['view'] });
      const session = await signIn(userID);
      const { cookie } = session;
      const cached = (key: string) =>
        resultsOf(`/user/current-session/cache?key=${encodeURIComponent(key)}`, { cookie });
      expect(await cached('filter:container')).toEqual([]);
      await resultsOf('/policy/role', { cookie, 'x-unattended': '1' });
      await resultsOf('/policy/role', { authorization: `Bearer ${session.sessionKey}` });
      await resultsOf('/device/container?filter=name==Library&sortKey=name&count=5', { cookie });
      await expect
        .poll(() => cached('filter:container'))
        .toEqual([{ filter: ['name==Library'], sortKey: 'name', sortDir: null, start: null, count: 5, after: null }]);
      expect(await cached('last-visited')).toEqual([{ group: 'container', operation: 'container.list' }]);
      expect(await cached('filter:role')).toEqual([]);
      const otherSession = await signIn(userID);
      expect(await resultsOf('/user/current-session/cache?key=last-visited', { cookie: otherSession.cookie })).toEqual(
        [],
      );
    });
  });

  describe('attributes', () => {
    const post = (name: string, body: unknown, client = admin) => client.post(`/user/attributes/${name}`, body);

    test('stores, returns and removes any JSON, separately for each user', async () => {
      const [{ client: ann }, { client: ben }] = [await account({}), await account({})];
      for (const value of [{ order: ['a', 'ß'], deep: { n: 1.5, no: null } }, [1, 'x'], 'dark', 0, false]) {
        const simulation = await post('columns.host?dryRun=true', { value }, ann);
        expect(simulation).toMatchObject({ code: 200, body: { results: [{ value }] } });
        const stored = await post('columns.host', { value }, ann);
        expect([stored.code, stored.body]).toEqual([200, { status: 'success', errorMessage: null }]);
        const [attribute] = (await ann.get('/user/attributes/columns.host')).body.results!;
        expect(attribute).toEqual({ userDBID: ann.accountId, name: 'columns.host', value });
      }
      expect((await ben.get('/user/attributes/columns.host')).body.results).toEqual([]);
      expect((await post('columns.host', { value: null }, ann)).code).toBe(200);
      expect((await ann.get('/user/attributes/columns.host')).body.results).toEqual([]);
    });

    test('represents the value as JSON text in XML', async () => {
      const payload = '<request><value>{"a": [1, "&lt;b&gt;"]}</value></request>';
      const headers = { authorization: `Bearer ${admin.token}`, accept: 'application/xml' };
      const reply = await app.inject({
        method: 'POST',
        url: '/api/v2/user/attributes/in-xml',
        headers: { ...headers, 'content-type': 'application/xml' },
        payload,
      });
      expect(reply.statusCode, reply.body).toBe(200);
      const shown = await app.inject({ method: 'GET', url: '/api/v2/user/attributes/in-xml', headers });
      expect(shown.body).toContain('<value>{&quot;a&quot;:[1,&quot;&lt;b&gt;&quot;]}</value>');
      expect((await admin.get('/user/attributes/in-xml')).body.results).toMatchObject([{ value: { a: [1, '<b>'] } }]);
      const broken = await app.inject({
        method: 'POST',
        url: '/api/v2/user/attributes/in-xml',
        headers: { ...headers, 'content-type': 'application/xml' },
        payload: '<request><value>{"a": }</value></request>',
      });
      expect(broken.statusCode).toBe(400);
    });

    test('refuses values that are too large, too many attributes and invalid names', async () => {
      const { client, accountId } = await account({});
      expect((await post('large', { value: 'x'.repeat(65_534) }, client)).code).toBe(200);
      expect((await post('large', { value: 'x'.repeat(65_535) }, client)).code).toBe(400);
      expect((await post('nul', { value: { a: ['\u0000'] } }, client)).code).toBe(400);
      expect((await post('no%20name', { value: 1 }, client)).code).toBe(400);
      expect((await post('nothing', {}, client)).code).toBe(400);
      await limiter.sql(
        `insert into user_attribute (account_id, name, value) select $1, 'a' || n, '1' from generate_series(1, 199) n`,
        [accountId],
      );
      expect((await post('large', { value: 1 }, client)).code).toBe(200);
      expect(await post('one-more', { value: 1 }, client)).toMatchObject({ code: 422, body: { status: 'rejected' } });
    });

    test('requires the right to admin profiles for attributes of other users, and audits them', async () => {
      const { userID } = await account({});
      const [{ client: viewer }, { client: none }] = [
        await account({ 'admin-profiles': ['view'] }),
        await account({ hosts: ['view', 'modify'] }),
      ];
      const path = '/user/attributes/user/theme';
      const stored = await admin.post(path, { userID, value: 'dark' });
      expect([stored.code, stored.body]).toEqual([200, { status: 'success', errorMessage: null }]);
      expect((await viewer.get(`${path}?userID=${userID}`)).body.results).toMatchObject([{ value: 'dark' }]);
      expect((await viewer.post(path, { userID, value: 'light' })).code).toBe(403);
      expect((await none.get(`${path}?userID=${userID}`)).code).toBe(403);
      expect((await admin.get(`${path}?userID=nobody-at-all`)).code).toBe(404);
      const audit = await admin.get(`/logging/audit?filter=requestID=="${stored.headers['x-request-id']}"`);
      expect(audit.body.results).toMatchObject([{ action: 'MODIFY', summary: 'attribute theme stored' }]);
    });

    test('deletes the attributes of a deleted user', async () => {
      const { client, accountId } = await account({});
      await post('theme', { value: 'dark' }, client);
      await client.post('/user/current-session/bookmark/0', { label: 'Hosts', path: '/hosts' });
      expect((await admin.delete(`/auth/admins/${accountId}`)).code).toBe(200);
      const remainingAttributes =
        'select from user_attribute where account_id = $1 union all select from bookmark where account_id = $1';
      expect(await limiter.sql(remainingAttributes, [accountId])).toEqual([]);
    });
  });

  describe('bookmarks', () => {
    const path = '/user/current-session/bookmark';
    const save = (id: number, body: unknown, client = admin) => client.post(`${path}/${id}`, body);

    test('can be created, changed, ordered and removed', async () => {
      const { client, accountId } = await account({});
      const first = await save(0, { pageUUID: 'hosts', label: 'Hosts', path: '/hosts' }, client);
      expect([first.code, first.body]).toEqual([201, { status: 'success', errorMessage: null }]);
      const [createdBookmark] = (await client.get(path)).body.results!;
      expect(first.headers.location).toBe(`/api/v2${path}/${createdBookmark!.dbid}`);
      expect(createdBookmark).toEqual({
        dbid: expect.any(Number),
        userDBID: accountId,
        pageUUID: 'hosts',
        label: 'Hosts',
        path: '/hosts',
        position: 0,
      });
      const id = Number(createdBookmark!.dbid);
      await save(0, { label: 'Events', path: '/events?filter=a==b' }, client);
      const changes = { position: 7, label: 'All hosts' };
      const simulation = await client.post(`${path}/${id}?dryRun=true`, changes);
      expect(simulation.body.results).toMatchObject([{ label: 'All hosts', path: '/hosts', position: 7 }]);
      const changed = await save(id, changes, client);
      expect([changed.code, changed.body]).toEqual([200, { status: 'success', errorMessage: null }]);
      const labels = async () => (await client.get(path)).body.results!.map(({ label }) => label);
      expect(await labels()).toEqual(['Events', 'All hosts']);
      expect((await save(id, { remove: true }, client)).body).toEqual({ status: 'success', errorMessage: null });
      expect(await labels()).toEqual(['Events']);
      expect((await save(id, { remove: true }, client)).code).toBe(404);
    });

    test('are not visible to other users', async () => {
      const [{ client: ann }, { client: ben }] = [await account({}), await account({})];
      const id = await ann.create({ path: `${path}/0` }, { label: 'Mine', path: '/hosts' });
      for (const body of [{ label: 'Yours' }, { remove: true }]) expect((await save(id, body, ben)).code).toBe(404);
      expect((await ben.get(path)).body.results).toEqual([]);
      expect((await ann.get(path)).body.results).toMatchObject([{ label: 'Mine' }]);
    });

    test('cannot lead to another host, and are limited to a hundred', async () => {
      const { client, accountId } = await account({});
      for (const trap of [
        ...['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '/\t/evil.example'],
        ...[
          '/./\\evil',
          '/.//evil.example',
          '/../evil',
          '/hosts/..',
          '/hosts/%2E%2e/x',
          '/hosts\\evil',
          '/hosts//evil',
          '/a b',
        ],
      ])
        expect((await save(0, { label: 'Trap', path: trap }, client)).code, trap).toBe(400);
      for (const body of [{ label: 'No path' }, { path: '/hosts' }, { remove: true }])
        expect((await save(0, body, client)).code).toBe(400);
      for (const page of [
        '/',
        '/hosts/',
        '/hosts/12',
        '/hosts?filter=name==a\\*&x=//y',
        '/.well-known',
        '/größe?x=..',
        '/a#b',
      ])
        expect((await save(0, { label: 'Page', path: page }, client)).code, page).toBe(201);
      await limiter.sql(
        `insert into bookmark (account_id, page_uuid, label, path, position) select $1, '', 'b' || n, '/hosts', n from generate_series(1, 100) n`,
        [accountId],
      );
      expect((await save(0, { label: 'One more', path: '/hosts' }, client)).code).toBe(422);
    });
  });

  describe('navigation', () => {
    const navigation = async (client = admin) =>
      (await client.get('/user/current-session/navigation-settings')).body.results![0] as unknown as {
        landingPage: string | null;
        menu: { page: string; children: { page: string }[] }[];
        theme: string;
        pageSize: number;
      };
    const pagesOf = ({ menu }: Awaited<ReturnType<typeof navigation>>) =>
      menu.flatMap(({ children }) => children.map(({ page }) => page));

    test('has every page in exactly one area of the menu', () => {
      const placed = Object.values(areas).flat();
      expect(placed.toSorted()).toEqual([...pages.keys()].filter((page) => page !== 'own-session').toSorted());
    });

    test('returns the same landing page at sign-in and in the navigation settings', async () => {
      const profiles: Record<string, string[]>[] = [{ roles: ['view'], hosts: ['view'] }, {}];
      for (const grants of profiles) {
        const { client, accountId } = await account(grants);
        const { rows } = await service.runtime.pool.query<{ userID: string }>(
          'select user_id as "userID" from user_account where id = $1',
          [accountId],
        );
        const login = await client.post('/auth/login', { ...rows[0], password: 'correct-horse-battery' });
        expect(login.body.results).toMatchObject([{ landingPage: (await navigation(client)).landingPage }]);
      }
    });

    test('lists the pages that the caller may view and that are served', async () => {
      const { client } = await account({ roles: ['view'], hosts: ['view'], guests: ['view'] });
      const shown = await navigation(client);
      expect(pagesOf(shown)).toEqual(['hosts', 'adapters', 'role-mappings', 'roles']);
      expect(shown).toMatchObject({ landingPage: 'hosts', theme: 'system', pageSize: 60 });
      const { client: nobody } = await account({});
      expect(await navigation(nobody)).toMatchObject({ landingPage: null, menu: [] });
      const served = new Set(service.operations.map(({ group }) => group));
      const everything = [...pages.values()].filter(({ groups }) => groups.some((group) => served.has(group)));
      expect(pagesOf(await navigation()).toSorted()).toEqual(
        everything
          .map(({ view }) => view)
          .filter((page) => page !== 'own-session')
          .toSorted(),
      );
    });

    test('applies valid preferences of the user', async () => {
      const { client } = await account({});
      await client.post('/user/attributes/theme', { value: 'dark' });
      await client.post('/user/attributes/pageSize', { value: 200 });
      expect(await navigation(client)).toMatchObject({ theme: 'dark', pageSize: 200 });
      await client.post('/user/attributes/theme', { value: { evil: true } });
      await client.post('/user/attributes/pageSize', { value: 1e9 });
      expect(await navigation(client)).toMatchObject({ theme: 'system', pageSize: 60 });
    });

    test('returns a flag for each right and for each feature that must be set up', async () => {
      const { client } = await account({ hosts: ['modify'], radius: ['view'] });
      const features = async () =>
        (await client.get('/user/current-session/feature-visibility')).body.results![0] as Record<string, boolean>;
      const shown = await features();
      for (const key of permissionKeys)
        for (const verb of verbs) {
          const isHeld =
            key === 'own-session' ||
            (key === 'hosts' && (verb === 'view' || verb === 'modify')) ||
            (key === 'radius' && verb === 'view');
          expect(shown[`${key}.${verb}`], `${key}.${verb}`).toBe(isHeld);
        }
      for (const enabled of [false, true]) {
        await limiter.sql('update server_configuration set enabled = $1', [enabled]);
        const [there] = await limiter.sql<{ rows: number }>(
          'select count(*)::integer as rows from server_configuration',
        );
        expect((await features()).radius).toBe(enabled && there!.rows > 0);
      }
      expect(shown['log-archives']).toBe(false);
    });
  });
});
