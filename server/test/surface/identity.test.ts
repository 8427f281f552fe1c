import { describe, expect, test } from 'vitest';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import { adminProfile } from '../../src/user/admin-profile/admin-profile.ts';
import { userAccount } from '../../src/user/user-account/user-account.ts';
import { Client, type Reply } from '../world/client.ts';
import { world } from '../world/world.ts';

describe('authentication', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const { runtime, app } = service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const password = 'correct-horse-battery';
  let addresses = 0;
  const freshAddress = () => `198.51.100.${++addresses}`;

  interface LoggedIn {
    sessionKey: string;
    securityKey: string;
  }

  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    options: { headers?: Record<string, string>; body?: unknown; from?: string } = {},
  ) => {
    const reply = await app.inject({
      method,
      url: url.startsWith('/auth') ? url : `/api/v2${url}`,
      headers: { ...options.headers, ...(options.body !== undefined && { 'content-type': 'application/json' }) },
      ...(options.body !== undefined && { payload: JSON.stringify(options.body) }),
      ...(options.from && { remoteAddress: options.from }),
    });
    return { code: reply.statusCode, headers: reply.headers, body: reply.json() as Reply['body'], text: reply.body };
  };
  const logIn = (userID: string, word = password, address = freshAddress()) =>
    send('POST', '/auth/login', { body: { userID, password: word }, from: address });
  const session = async (userID: string): Promise<LoggedIn & { cookie: string }> => {
    const reply = await logIn(userID);
    expect(reply, reply.text).toMatchObject({ code: 200 });
    const answered = reply.body.results![0] as unknown as LoggedIn;
    return { ...answered, cookie: `__Host-session=${answered.sessionKey}` };
  };
  const account = async (rights: Record<string, string[]>) => {
    const caller = await shared.caller(rights);
    const { rows } = await runtime.pool.query<{ userID: string }>(
      'select user_id as "userID" from user_account where id = $1',
      [caller.accountId],
    );
    return { ...caller, caller, userID: rows[0]!.userID };
  };
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

  describe('sessions', () => {
    test('a login returns a session and a strict cookie, and is audited', async () => {
      const { userID } = await account({ devices: ['view'] });
      const reply = await logIn(userID.toUpperCase());
      expect(reply.code).toBe(200);
      expect(reply.headers['set-cookie']).toMatch(
        /^__Host-session=prs_\S+; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      );
      expect(reply.headers['cache-control']).toBe('no-store');
      const audit = await admin.get(`/logging/audit?filter=requestID=="${reply.headers['x-request-id']}"`);
      expect(audit.body.results).toMatchObject([{ action: 'LOGIN', user: userID }]);
      const { sessionKey } = reply.body.results![0] as unknown as LoggedIn;
      const listed = await send('GET', '/auth/sessions', { headers: bearer(sessionKey) });
      expect(listed.body.results).toMatchObject([{ owner: userID, current: true }]);
      expect(listed.text).not.toContain(sessionKey);
    });

    test('a login does not invalidate cached callers of the nodes, unless it replaces an older session', async () => {
      const { userID, accountId } = await account({});
      const epoch = async () => (await runtime.pool.query('select e.epoch from auth_epoch e')).rows[0].epoch;
      const before = await epoch();
      await session(userID);
      expect(await epoch()).toBe(before);
      await runtime.pool.query(
        `insert into login_session (public_id, hash, account_id, expires_at)
         select 'older-' || n, '', $1, now() + interval '1 hour' from generate_series(1, 25) n`,
        [accountId],
      );
      await session(userID);
      expect(await epoch()).toBeGreaterThan(before);
      const { rows } = await runtime.pool.query(
        'select s.public_id as id from login_session s where s.account_id = $1 order by s.id',
        [accountId],
      );
      expect(rows.map(({ id }) => id).slice(0, -1)).toEqual(Array.from({ length: 19 }, (_, n) => `older-${n + 7}`));
    });

    test('with the cookie a write needs the security key, and a read does not', async () => {
      const { userID } = await account({ devices: ['view', 'add'], 'authentication-servers': ['modify'] });
      const { cookie, securityKey, sessionKey } = await session(userID);
      const body = { name: 'made with a cookie' };
      expect((await send('GET', '/device/container', { headers: { cookie } })).code).toBe(200);
      for (const key of [{}, { 'x-security-key': 'x'.repeat(securityKey.length) }, { 'x-security-key': '' }] as Record<
        string,
        string
      >[])
        expect(await send('POST', '/device/container', { headers: { cookie, ...key }, body })).toMatchObject({
          code: 403,
          body: { status: 'forbidden' },
        });
      // A GET that changes something, here the audit log, counts as a write.
      expect((await send('GET', '/settings/integration/aaa/1/secret', { headers: { cookie } })).code).toBe(403);
      const withKey = { cookie, 'x-security-key': securityKey };
      expect((await send('GET', '/settings/integration/aaa/1/secret', { headers: withKey })).code).toBe(404);
      expect((await send('POST', '/device/container', { headers: withKey, body })).code).toBe(201);
      const asBearer = await send('POST', '/device/container', {
        headers: bearer(sessionKey),
        body: { name: 'as a bearer' },
      });
      expect(asBearer.code).toBe(201);
    });

    test('a logout ends its session, and a new password ends the others', async () => {
      const { userID } = await account({ devices: ['view'] });
      const [first, second, third] = [await session(userID), await session(userID), await session(userID)];
      const isIn = async ({ sessionKey }: LoggedIn) =>
        (await send('GET', '/auth/sessions', { headers: bearer(sessionKey) })).code;
      expect((await send('POST', '/auth/logout', { headers: bearer(first.sessionKey) })).code).toBe(200);
      await expect.poll(() => isIn(first)).toBe(401);
      const change = (currentPassword: string, newPassword: string) =>
        send('POST', '/auth/password', { headers: bearer(second.sessionKey), body: { currentPassword, newPassword } });
      expect((await change('wrong', 'a-new-long-password')).code).toBe(422);
      expect((await change(password, 'short')).code).toBe(422);
      expect((await change(password, 'a-new-long-password')).code).toBe(200);
      await expect.poll(() => isIn(third)).toBe(401);
      expect(await isIn(second)).toBe(200);
      expect((await logIn(userID, password)).code).toBe(401);
      expect((await logIn(userID, 'a-new-long-password')).code).toBe(200);
    });

    test('a session ends after its idle time without requests', async () => {
      const { userID } = await account({});
      const { sessionKey } = await session(userID);
      await runtime.pool.query(
        `update login_session set used_at = now() - interval '16 minutes', expires_at = expires_at where public_id = $1`,
        [sessionKey.split('_')[1]],
      );
      await expect
        .poll(async () => (await send('GET', '/auth/sessions', { headers: bearer(sessionKey) })).code)
        .toBe(401);
    });

    test('an account that must change its password can do nothing else, not with a token either', async () => {
      const { userID, accountId } = await account({ devices: ['view'] });
      await transact(({ records }) => records.update(userAccount, accountId, { mustChangePassword: true }));
      const { sessionKey } = await session(userID);
      const headers = bearer(sessionKey);
      expect((await send('GET', '/device/container', { headers })).code).toBe(403);
      const minted = await send('POST', '/auth/tokens', { headers, body: { name: 'a way around' } });
      const { token } = minted.body.results![0] as { token: string };
      expect((await send('GET', '/device/container', { headers: bearer(token) })).code).toBe(403);
      const change = { currentPassword: password, newPassword: 'a-new-long-password' };
      expect((await send('POST', '/auth/password', { headers, body: change })).code).toBe(200);
      const again = await logIn(userID, change.newPassword);
      const { sessionKey: free } = again.body.results![0] as unknown as LoggedIn;
      expect((await send('GET', '/device/container', { headers: bearer(free) })).code).toBe(200);
    });

    test('an API token cannot log out', async () => {
      expect((await admin.post('/auth/logout')).code).toBe(422);
    });
  });

  describe('refused logins', () => {
    test('have equal responses for a wrong password, an unknown name and a disabled account', async () => {
      const [existing, disabled] = [await account({}), await account({})];
      await transact(({ records }) => records.update(userAccount, disabled.accountId, { state: 'DISABLED' }));
      const replies = [
        await logIn(existing.userID, 'wrong-password'),
        await logIn('no such account'),
        await logIn(disabled.userID),
      ];
      for (const reply of replies) expect(reply).toMatchObject({ code: 401, text: replies[0]!.text });
      const { rows } = await runtime.pool.query(
        `select from event where name = 'ADMIN_LOGIN_FAILED' and event_format_string like $1`,
        [`%${existing.userID}%`],
      );
      expect(rows).toHaveLength(1);
    });

    test('lock the account after five, even for the right password, but end no session', async () => {
      const { userID } = await account({});
      const running = await session(userID);
      for (let n = 0; n < 5; n++) expect((await logIn(userID, 'wrong-password')).code).toBe(401);
      expect((await logIn(userID)).code).toBe(401);
      expect((await send('GET', '/auth/sessions', { headers: bearer(running.sessionKey) })).code).toBe(200);
      const { rows } = await runtime.pool.query(`select from event where name = 'ADMIN_LOCKED' and element_name = $1`, [
        userID,
      ]);
      expect(rows).toHaveLength(1);
      await runtime.pool.query(`update login_failure set at = at - interval '6 minutes' where user_id = lower($1)`, [
        userID,
      ]);
      expect((await logIn(userID)).code).toBe(200);
    });

    test('block an address after ten within a minute, and no other address', async () => {
      const address = freshAddress();
      const { userID } = await account({});
      for (let n = 0; n < 10; n++) expect((await logIn(`guess ${n}`, 'wrong-password', address)).code).toBe(401);
      const stopped = await logIn(userID, password, address);
      expect(stopped).toMatchObject({ code: 429, body: { status: 'throttled' }, headers: { 'retry-after': '60' } });
      expect((await logIn(userID)).code).toBe(200);
    });
  });

  describe('tokens', () => {
    const issue = async (issuer: Client, desired: object) => {
      const reply = await issuer.post('/auth/tokens', { name: 'narrow', ...desired });
      const issued = reply.body.results?.[0] as
        | { id: number; token: string; scopes: unknown; allowedNetworks: unknown }
        | undefined;
      return { code: reply.code, text: reply.text, ...issued!, client: new Client(app, issued?.token ?? '') };
    };

    test('a token is returned once and not stored as plain text', async () => {
      const { token } = await issue(admin, {});
      expect((await admin.get('/auth/tokens')).text).not.toContain(token);
      const rows = await runtime.pool.query<{ row: string }>(
        'select t::text as row from api_token t union all select a::text from audit_record a union all select e::text from event e',
      );
      expect(rows.rows.some(({ row }) => row.includes(token.slice('prt_'.length + 13)))).toBe(false);
      expect(shared.logged.join('')).not.toContain(token);
    });

    test('a dry run issues no token and returns none', async () => {
      const count = async () => (await admin.get('/auth/tokens')).body.results!.length;
      const before = await count();
      const reply = await admin.post('/auth/tokens?dryRun=true', { name: 'rehearsed' });
      expect(reply).toMatchObject({ code: 200, body: { results: [] } });
      expect(await count()).toBe(before);
    });

    test('a scope narrows the permissions of the owner and never widens them', async () => {
      const { caller } = await account({ devices: ['view', 'add'] });
      const { client } = await issue(caller, { scopes: { devices: ['view'] } });
      expect((await client.get('/device/container')).code).toBe(200);
      expect((await client.post('/device/container', { name: 'x' })).code).toBe(403);
      expect((await issue(caller, { scopes: { devices: ['delete'] } })).code).toBe(403);
      expect((await issue(caller, { scopes: { hosts: ['view'] } })).code).toBe(403);
      expect((await issue(caller, { scopes: { 'no-such-key': ['view'] } })).code).toBe(400);
      expect((await issue(caller, { scopes: { devices: ['fly'] } })).code).toBe(400);
    });

    test('a narrow token cannot create a wide one', async () => {
      const narrow = await issue(admin, { scopes: { devices: ['view'] } });
      expect((await issue(narrow.client, { scopes: { devices: ['view', 'modify'] } })).code).toBe(403);
      for (const scopes of [undefined, null]) {
        const child = await issue(narrow.client, { scopes });
        expect(child.scopes).toEqual({ devices: ['view'] });
        expect((await child.client.get('/settings/integration/aaa')).code).toBe(403);
      }
      const none = await issue(narrow.client, { scopes: {} });
      expect((await none.client.get('/device/container')).code).toBe(403);
      const wide = await issue(admin, {});
      expect((await narrow.client.post(`/auth/tokens/${wide.id}/rotate`)).code).toBe(403);
    });

    test('a token works from its networks only, and can only pass on these', async () => {
      const here = await issue(admin, { allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'] });
      const sendFrom = (address: string) =>
        send('GET', '/device/container', { headers: bearer(here.token), from: address });
      expect((await sendFrom('192.0.2.7')).code).toBe(200);
      expect((await sendFrom('::ffff:192.0.2.7')).code).toBe(200);
      expect((await sendFrom('2001:db8::7')).code).toBe(200);
      for (const address of ['127.0.0.1', '192.0.3.7', '2001:db9::7'])
        expect((await sendFrom(address)).code, address).toBe(401);
      const mint = (body: object) =>
        send('POST', '/auth/tokens', {
          headers: bearer(here.token),
          body: { name: 'child', ...body },
          from: '192.0.2.7',
        });
      expect((await mint({})).body.results).toMatchObject([{ allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'] }]);
      expect((await mint({ allowedNetworks: ['192.0.2.128/25'] })).code).toBe(201);
      expect((await mint({ allowedNetworks: ['192.0.0.0/16'] })).code).toBe(403);
      const rotated = await send('POST', `/auth/tokens/${here.id}/rotate`, {
        headers: bearer(here.token),
        from: '192.0.2.7',
      });
      expect(rotated.body.results).toMatchObject([{ allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'] }]);
      for (const network of ['10.0.0.1/8', '10.0.0.0/33', '10.0.0.0', 'fe80::1%eth0/128', '2001:db8::1/32'])
        expect((await issue(admin, { allowedNetworks: [network] })).code, network).toBe(400);
    });

    test('a rotation ends the old token, at once or after its grace time', async () => {
      const [abrupt, graceful] = [await issue(admin, {}), await issue(admin, {})];
      expect((await admin.post(`/auth/tokens/${abrupt.id}/rotate`)).code).toBe(201);
      expect((await admin.post(`/auth/tokens/${graceful.id}/rotate`, { graceMinutes: 5 })).code).toBe(201);
      await expect.poll(async () => (await abrupt.client.get('/device/container')).code).toBe(401);
      expect((await graceful.client.get('/device/container')).code).toBe(200);
    });

    test('a revoked permission applies from the next request, and a disabled account has none', async () => {
      const { caller, accountId } = await account({ devices: ['view'] });
      expect((await caller.get('/device/container')).code).toBe(200);
      const { rows } = await runtime.pool.query<{ profile: number }>(
        'select admin_profile_dbid as profile from user_account where id = $1',
        [accountId],
      );
      await transact(({ records }) => records.update(adminProfile, rows[0]!.profile, { permissions: {} }));
      await expect.poll(async () => (await caller.get('/device/container')).code).toBe(403);
      await transact(({ records }) => records.update(userAccount, accountId, { state: 'DISABLED' }));
      await expect.poll(async () => (await caller.get('/device/container')).code).toBe(401);
      await transact(({ records }) => records.update(userAccount, accountId, { state: 'ENABLED' }));
      await expect.poll(async () => (await caller.get('/device/container')).code).toBe(401);
    });
  });
});

describe('the throttle', async () => {
  let now = 1_000;
  const { admin, caller } = await world({
    limits: { requestsPerSecond: 2, burst: 3, testsPerMinute: 10 },
    monotonicMs: () => now,
  });

  test('delays one token that sends too many requests, and no other', async () => {
    const otherCaller = await caller({ devices: ['view'] });
    for (let n = 0; n < 3; n++) expect((await admin.get('/device/container')).code).toBe(200);
    const stopped = await admin.get('/device/container');
    expect(stopped).toMatchObject({ code: 429, body: { status: 'throttled' }, headers: { 'retry-after': '1' } });
    expect(stopped.headers.ratelimit).toBeTruthy();
    expect((await otherCaller.get('/device/container')).code).toBe(200);
    now += 500;
    expect((await admin.get('/device/container')).code).toBe(200);
    expect((await admin.get('/device/container')).code).toBe(429);
  });
});
