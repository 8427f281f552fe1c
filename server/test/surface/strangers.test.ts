import { describe, expect, test } from 'vitest';
import { checksum, issueCredential } from '../../src/auth/credential.ts';
import { Client } from '../world/client.ts';
import { type World, world } from '../world/world.ts';
import { attempt, footprint, isGuarded, tokenIssuer } from './rights-matrix.ts';
import { runScript } from './schema-drift.ts';

describe('invalid tokens', async () => {
  const shared = await world();
  const { admin, service, database } = shared;
  const client = (token: string) => new Client(service.app, token);
  const { operations } = service;
  const issue = tokenIssuer(shared);

  test('get 401 from every operation', async () => {
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
      'a session that does not exist': client(issueCredential('session').text),
      revoked: revoked.client,
      expired: expired.client,
    };
    const [probe] = operations.filter(isGuarded);
    // Every node drops its cached entry for a token within a second.
    for (const stranger of [revoked.client, expired.client])
      await expect.poll(async () => (await attempt(stranger, probe!)).code).toBe(401);
    // Rejected tokens are reported once a minute, after the response.
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

/** Returns the reasons for rejected tokens that the events report. */
async function reasonsOf({ service }: World): Promise<string[]> {
  const { rows } = await service.runtime.pool.query<{ reason: string }>(
    `select e.attributes ->> 'reason' as reason from event e where e.name = 'API_TOKEN_REJECTED' order by 1`,
  );
  return rows.map(({ reason }) => reason);
}

/** Returns a token with the right public id and a wrong secret. */
function forged(token: string): string {
  const [kind, publicId] = token.split('_');
  const body = `${kind}_${publicId}_${'A'.repeat(43)}`;
  return body + checksum(body);
}
