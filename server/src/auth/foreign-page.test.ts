import { expect, test } from 'vitest';
import { rightPassword } from '../../test/world/sign-in.ts';
import { world } from '../../test/world/world.ts';

const publicOrigin = 'https://portal.example.net';
const { service, caller } = await world({ publicOrigin });
const address = '198.51.100.20';

/** Sends a sign-in with the headers of a browser. Fastify's inject sets the host to localhost:80. */
async function signIn(userID: string, headers: Record<string, string>, password = 'not-the-password') {
  const reply = await service.app.inject({
    method: 'POST',
    url: '/auth/login',
    headers,
    payload: JSON.stringify({ userID, password }),
    remoteAddress: address,
  });
  return { code: reply.statusCode, text: reply.body };
}

async function countAttempts(): Promise<number> {
  const { rows } = await service.runtime.pool.query<{ count: number }>(
    'select count(*)::integer as count from login_failure where address = $1',
    [address],
  );
  return rows[0]!.count;
}

const json = { 'content-type': 'application/json' };
const { accountId } = await caller({ devices: ['view'] });
const { rows } = await service.runtime.pool.query<{ userID: string }>(
  'select user_id as "userID" from user_account where id = $1',
  [accountId],
);
const { userID } = rows[0]!;

test.each([
  ['a body without a type, which a page may send without a preflight request', {}, 415],
  ['a page of another site', { ...json, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
  [
    'another host of the same site',
    { ...json, 'sec-fetch-site': 'same-site', origin: 'https://evil.example.net' },
    403,
  ],
  ['a browser that sends only Origin', { ...json, origin: 'https://evil.example' }, 403],
  ['a page without an origin', { ...json, origin: 'null' }, 403],
] as [string, Record<string, string>, number][])('does not count sign-in attempts of %s', async (_, headers, code) => {
  for (let attempt = 0; attempt < 6; attempt++) expect(await signIn(userID, headers)).toMatchObject({ code });
  expect(await countAttempts()).toBe(0);
  expect((await signIn(userID, headers, rightPassword)).code).toBe(code);
  expect((await signIn(userID, json, rightPassword)).code).toBe(200);
});

test.each([
  ['the console', { ...json, 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }],
  [
    'the console behind a proxy that changes the host',
    { ...json, 'sec-fetch-site': 'same-origin', origin: publicOrigin },
  ],
  ['the console in a browser that sends only Origin', { ...json, origin: 'http://localhost:80' }],
  ['the console at the public URL in such a browser', { ...json, origin: publicOrigin }],
  ['a client that is no browser', json],
] as [string, Record<string, string>][])('signs in from %s', async (_, headers) => {
  expect((await signIn(userID, headers, rightPassword)).code).toBe(200);
});
