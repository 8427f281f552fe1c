import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Client } from '../../test/world/client.ts';
import { rightPassword, signInWorld, tally } from '../../test/world/sign-in.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import { setPassword } from './account.ts';

const { service, other: otherNode, pool, account, logIn, countOf } = await signInWorld();

describe('a token with scopes', () => {
  const tokenOf = async (client: Client, desired: object) => {
    const reply = await client.post('/auth/tokens', { name: randomUUID(), ...desired });
    const { id, token } = reply.body.results![0] as { id: number; token: string };
    return { id, token, client: new Client(service.app, token) };
  };

  test('can rotate and revoke itself, but no other token of its owner', async () => {
    const { client } = await account();
    const [limitedToken, unlimitedToken] = [
      await tokenOf(client, { scopes: { devices: ['view'] } }),
      await tokenOf(client, {}),
    ];
    expect((await limitedToken.client.delete(`/auth/tokens/${unlimitedToken.id}`)).code).toBe(403);
    expect((await limitedToken.client.post(`/auth/tokens/${unlimitedToken.id}/rotate`)).code).toBe(403);
    expect((await unlimitedToken.client.get('/auth/tokens')).code).toBe(200);
    const rotated = await limitedToken.client.post(`/auth/tokens/${limitedToken.id}/rotate`, { graceMinutes: 5 });
    expect(rotated).toMatchObject({ code: 201, body: { results: [{ scopes: { devices: ['view'] } }] } });
    expect((await limitedToken.client.delete(`/auth/tokens/${limitedToken.id}`)).code).toBe(200);
  });

  test('cannot end a session of its owner', async () => {
    const { client, userID } = await account();
    const { session } = await logIn(userID, rightPassword, '10.50.1.1');
    const narrow = await tokenOf(client, { scopes: { devices: ['view'] } });
    const { id } = (await client.get('/auth/sessions')).body.results![0] as { id: number };
    expect((await narrow.client.delete(`/auth/sessions/${id}`)).code).toBe(403);
    expect((await new Client(service.app, session!).get('/auth/sessions')).code).toBe(200);
    expect((await client.delete(`/auth/sessions/${id}`)).code).toBe(200);
  });

  test('cannot issue a token that expires after itself', async () => {
    const { client } = await account();
    const narrow = await tokenOf(client, { scopes: { devices: ['view'] }, expiresInDays: 2 });
    const issued = await narrow.client.post('/auth/tokens', { name: 'longer', expiresInDays: 365 });
    const { expiresAt } = issued.body.results![0] as { expiresAt: string };
    expect(Date.parse(expiresAt)).toBeLessThan(Date.now() + 3 * 86_400_000);
  });
});

describe('limits under concurrent requests', () => {
  test('an account has at most 50 tokens when 90 are requested at once on two nodes', async () => {
    const { client, accountId } = await account();
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::integer as count from api_token where account_id = $1',
      [accountId],
    );
    expect(rows[0]!.count).toBe(1);
    const { token } = (await client.post('/auth/tokens', { name: 'first' })).body.results![0] as { token: string };
    const clients = [new Client(service.app, token), new Client(otherNode.app, token)];
    // All requests wait for one lock. On a busy machine some exceed the wait limit, and the client must repeat them.
    const create = async (n: number, triesLeft = 10): ReturnType<Client['post']> => {
      const reply = await clients[n % 2]!.post('/auth/tokens', { name: `token ${n}` });
      return reply.code === 503 && triesLeft > 1 ? create(n, triesLeft - 1) : reply;
    };
    const replies = await Promise.all(Array.from({ length: 90 }, (_, n) => create(n)));
    expect(tally(replies.map(({ code }) => code))).toEqual({ 201: 48, 422: 42 });
    expect(await countOf('from api_token where account_id = $1', [accountId])).toBe(50);
  });

  test('an account has at most 20 sessions when 40 start at once', async () => {
    const { userID, accountId } = await account();
    await service.runtime.transact(systemOrigin('test'), (tx) => setPassword(tx, accountId, rightPassword));
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) => logIn(userID, rightPassword, `10.60.${n}.1`, n % 2 ? service : otherNode)),
    );
    expect(tally(replies.map(({ code }) => code))).toEqual({ 200: 40 });
    expect(await countOf('from login_session where account_id = $1', [accountId])).toBe(20);
  });
});
