import { expect } from 'vitest';
import { quoted } from '../../src/kernel/declare/names.ts';
import type { Access, Operation } from '../../src/kernel/declare/operation.ts';
import { Client, type Reply } from '../world/client.ts';
import { pathWith } from '../world/paths.ts';
import type { World } from '../world/world.ts';

export type Permission = Extract<Access, { kind: 'permission' }>;
type Guarded = Operation & { access: Permission };

export const isGuarded = (operation: Operation): operation is Guarded => operation.access.kind === 'permission';

/** Sends a call that fails after the check of permissions: no operation has this parameter. */
export const attempt = (client: Client, operation: Operation): Promise<Reply> =>
  client.call(operation.method, `${pathWith(operation, 999_999_999)}?noSuchParameter=1`);

/**
 * Returns what a call could have changed: a hash of every declared table, and the number of audit, event and feed rows.
 */
export async function footprint({ service }: World): Promise<object> {
  const { pool, engine } = service.runtime;
  const tables = engine.model.tables.filter(({ declaration }) => declaration.kind === 'collection');
  const parts = [
    ...tables.map(
      ({ name }) => `(select md5(string_agg(t::text, ',' order by t.id)) from ${quoted(name)} t) as ${quoted(name)}`,
    ),
    ...['audit_record', 'event', 'change_feed', 'monitor', 'api_token', 'login_session', 'idempotency_key'].map(
      (name) => `(select count(*) from ${name}) as ${quoted(`rows of ${name}`)}`,
    ),
  ];
  return (await pool.query(`select ${parts.join(', ')}`)).rows[0];
}

/** Returns a function that issues tokens of the administrator, with the ids of their rows. */
export const tokenIssuer =
  ({ admin, service }: World) =>
  async (desired: object = {}) => {
    const reply = await admin.post('/auth/tokens', { name: 'test', ...desired });
    expect(reply, reply.text).toMatchObject({ code: 201 });
    const { id, token } = reply.body.results![0] as { id: number; token: string };
    return { id, client: new Client(service.app, token), end: () => admin.delete(`/auth/tokens/${id}`) };
  };
