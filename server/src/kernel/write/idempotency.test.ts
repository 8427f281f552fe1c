import { describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { aaaServer } from '../../integration/aaa-server/aaa-server.ts';

describe('an Idempotency-Key', async () => {
  const { admin, caller, service } = await world();
  const post = (body: unknown, key: string, path = container.path!) =>
    admin.post(path, body, { 'idempotency-key': key });
  const count = async (name: string) => (await admin.get(`${container.path}?filter=name==${name}`)).body.filtered;

  test('makes eight concurrent twins one effect and one answer', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => post({ name: 'twin' }, 'twins-1')));
    expect(replies.map((reply) => reply.code)).toEqual(Array(8).fill(201));
    expect(new Set(replies.map((reply) => reply.headers.location)).size).toBe(1);
    expect(await count('twin')).toBe(1);
    const { rows } = await service.runtime.pool.query(`select from audit_record where audit_object_name = 'twin'`);
    expect(rows).toHaveLength(1);
  });

  test('refuses another request under the same key', async () => {
    await post({ name: 'first' }, 'reused');
    const reply = await post({ name: 'second' }, 'reused');
    expect(reply.body.status).toBe('rejected');
    expect(reply.code).toBe(422);
    expect(await count('second')).toBe(0);
  });

  test('remembers only what was committed: a failed call may be tried again', async () => {
    const wrong = await post({ name: 'late', parent: 'Nowhere' }, 'again');
    expect(wrong.code).toBe(422);
    await admin.create(container, { name: 'Nowhere' });
    expect((await post({ name: 'late', parent: 'Nowhere' }, 'again')).code).toBe(201);
  });

  test('belongs to its owner', async () => {
    const otherCaller = await caller({ devices: ['view', 'add'] });
    await post({ name: 'mine' }, 'same-word');
    const reply = await otherCaller.post(container.path!, { name: 'theirs' }, { 'idempotency-key': 'same-word' });
    expect(reply.code).toBe(201);
  });

  test('does not keep an answer that carries a secret', async () => {
    const first = await post({ name: 'script' }, 'token-1', '/auth/tokens');
    expect(first.code).toBe(201);
    const twin = await post({ name: 'script' }, 'token-1', '/auth/tokens');
    expect(twin.body.status).toBe('duplicate');
    const { rows } = await service.runtime.pool.query<{ kept: string }>(
      `select coalesce(answer::text, '') as kept from idempotency_key where key = 'token-1'`,
    );
    expect(rows[0]!.kept).toBe('');
  });

  test('is not taken by a dry run', async () => {
    const path = `${aaaServer.path}?dryRun=true`;
    const body = { name: 'rehearsed', netId: 'rehearsed.example', secret: 'a-long-shared-secret' };
    expect((await post(body, 'dry', path)).body.results).toHaveLength(1);
    expect((await post(body, 'dry', aaaServer.path!)).code).toBe(201);
  });

  test('must be something one can print', async () => {
    expect((await post({ name: 'x' }, 'a b')).code).toBe(400);
  });
});
