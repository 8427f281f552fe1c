import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Declaration } from '../declare/declaration.ts';
import { FieldNamesPlugin } from './names-plugin.ts';
import type { Visibility } from './visibility.ts';
import { VisibleRowsPlugin } from './visible-rows-plugin.ts';

/** Reads in actions and rules. Declared tables are written through `records`, so this offers nothing that writes. */
export type ReadDb<D> = Pick<Kysely<D>, 'selectFrom' | 'selectNoFrom' | 'with' | 'fn' | 'dynamic'>;

/** Visibility of the reads. */
export interface ReadScope {
  visibility: Visibility;
  declarations: ReadonlyMap<string, Declaration>;
}

const pluginsFor = ({ visibility, declarations }: ReadScope) =>
  visibility.isUnrestricted
    ? [new FieldNamesPlugin()]
    : [new VisibleRowsPlugin(visibility, declarations), new FieldNamesPlugin()];

/** Kysely on one session: what it reads is what the open transaction sees, as far as the caller may see it. */
export function kyselyOn<D>(client: pg.PoolClient, readScope: ReadScope): ReadDb<D> {
  const session = { query: client.query.bind(client), release: () => undefined };
  const pool = { connect: async () => session, end: async () => undefined };
  return new Kysely<D>({ dialect: new PostgresDialect({ pool: pool as never }), plugins: pluginsFor(readScope) });
}

/** Kysely on the pool, for actions that ask a part and therefore hold no session meanwhile. */
export const kyselyOnPool = <D>(pool: pg.Pool, readScope: ReadScope): ReadDb<D> =>
  new Kysely<D>({ dialect: new PostgresDialect({ pool }), plugins: pluginsFor(readScope) });
