import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { FieldNamesPlugin } from './names-plugin.ts';

/** Reads in actions and rules. Declared tables are written through `records`, so this offers nothing that writes. */
export type ReadDb<D> = Pick<Kysely<D>, 'selectFrom' | 'selectNoFrom' | 'with' | 'fn' | 'dynamic'>;

/** Kysely on one session: what it reads is what the open transaction sees. */
export function kyselyOn<D>(client: pg.PoolClient): ReadDb<D> {
  const session = { query: client.query.bind(client), release: () => undefined };
  const pool = { connect: async () => session, end: async () => undefined };
  return new Kysely<D>({ dialect: new PostgresDialect({ pool: pool as never }), plugins: [new FieldNamesPlugin()] });
}

/** Kysely on the pool, for actions that ask a part and therefore hold no session meanwhile. */
export const kyselyOnPool = <D>(pool: pg.Pool): ReadDb<D> =>
  new Kysely<D>({ dialect: new PostgresDialect({ pool }), plugins: [new FieldNamesPlugin()] });
