import { describe, expect, test } from 'vitest';
import { checksum, issueCredential } from '../../src/auth/credential.ts';
import { Client } from '../world/client.ts';
import { type World, world } from '../world/world.ts';
import { attempt, footprint, isGuarded, tokenIssuer } from './rights-matrix.ts';
import { runScript } from './schema-drift.ts';

describe('strangers', async () => {
  const shared = await world();
  const { admin, service, database } = shared;
  const client = (token: string) => new Client(service.app, token);
  const { operations } = service;
  const issue = tokenIssuer(shared);

  test('without a valid token no operation answers anything but 401', async () => {
    const [revoked, expired] = [await issue(), await issue()];
    expect((await attempt(revoked.client, operations.find(isGuarded)!)).code).toBe(400);
    await revoked.end();
    await runScript(database, `update api_token set expires_at = now() - interval '1 second' where id = ${expired.id}`);
    const strangers = {
      none: client(''),
      malformed: client('prt_nonsense'),
      'with a wrong checksum': client(`${issueCredential('token').text.slice(0, -1)}!`),
      wrong: client(issueCredential('token').text),
      'with the public id of another': client(forged(admin.token)),
      'a session nobody opened': client(issueCredential('session').text),
      revoked: revoked.client,
      expired: expired.client,
    };
    const [probe] = operations.filter(isGuarded);
    // Every node forgets what it remembered of a token within a second; here within a moment.
    for (const stranger of [revoked.client, expired.client])
      await expect.poll(async () => (await attempt(stranger, probe!)).code).toBe(401);
    // Refused tokens are reported once a minute, after the answer.
    for (const stranger of Object.values(strangers)) await attempt(stranger, probe!);
    await expect
      .poll(() => reasonsOf(shared), { timeout: 60_000 })
      .toEqual(['it has expired', 'it was revoked', 'its secret is wrong']);
    const before = await footprint(shared);
    const texts = new Set<string>();
    for (const operation of operations.filter(({ access }) => access.kind !== 'open')) {
      for (const [who, stranger] of Object.entries(strangers)) {
        const reply = await attempt(stranger, operation);
        expect(reply, `${who} at ${operation.operationId}`).toMatchObject({
          code: 401,
          body: { status: 'unauthenticated' },
        });
        texts.add(reply.text);
      }
    }
    expect(texts.size, 'one text for all').toBe(1);
    expect(await footprint(shared)).toEqual(before);
  });
});

/** Why tokens were refused, as events report it. */
async function reasonsOf({ service }: World): Promise<string[]> {
  const { rows } = await service.runtime.pool.query<{ reason: string }>(
    `select e.attributes ->> 'reason' as reason from event e where e.name = 'API_TOKEN_REJECTED' order by 1`,
  );
  return rows.map(({ reason }) => reason);
}

/** The public id is right, and the secret behind it is not. */
function forged(token: string): string {
  const [kind, publicId] = token.split('_');
  const body = `${kind}_${publicId}_${'A'.repeat(43)}`;
  return body + checksum(body);
}
