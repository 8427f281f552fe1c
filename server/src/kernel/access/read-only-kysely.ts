import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Declaration } from '../declare/declaration.ts';
import { FieldNamesPlugin } from './names-plugin.ts';
import type { Visibility } from './visibility.ts';
import { VisibleRowsPlugin } from './visible-rows-plugin.ts';

/** Reads in actions and rules. Declared tables are written through `records`, so this has no methods that write. */
export type ReadDb<D> = Pick<Kysely<D>, 'selectFrom' | 'selectNoFrom' | 'with' | 'fn' | 'dynamic'>;

/** The visibility of the reads. */
export interface ReadScope {
  visibility: Visibility;
  declarations: ReadonlyMap<string, Declaration>;
}

const pluginsFor = ({ visibility, declarations }: ReadScope) =>
  visibility.isUnrestricted
    ? [new FieldNamesPlugin()]
    : [new VisibleRowsPlugin(visibility, declarations), new FieldNamesPlugin()];

/** Returns Kysely on one session: it reads what the open transaction sees, limited to what the caller sees. */
export function kyselyOn<D>(client: pg.PoolClient, readScope: ReadScope): ReadDb<D> {
  const session = { query: client.query.bind(client), release: () => undefined };
  const pool = { connect: async () => session, end: async () => undefined };
  return new Kysely<D>({ dialect: new PostgresDialect({ pool: pool as never }), plugins: pluginsFor(readScope) });
}

/** Returns Kysely on the pool, for actions that run without a transaction and hold no session. */
export const kyselyOnPool = <D>(pool: pg.Pool, readScope: ReadScope): ReadDb<D> =>
  new Kysely<D>({ dialect: new PostgresDialect({ pool }), plugins: pluginsFor(readScope) });
