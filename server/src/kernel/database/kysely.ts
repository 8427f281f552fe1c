import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Declaration } from '../declare.ts';
import type { Sight } from '../scope.ts';
import { FieldNamesPlugin } from './names-plugin.ts';
import { SeenRowsPlugin } from './seen-rows-plugin.ts';

/** Reads in actions and rules. Declared tables are written through `records`, so this offers nothing that writes. */
export type ReadDb<D> = Pick<Kysely<D>, 'selectFrom' | 'selectNoFrom' | 'with' | 'fn' | 'dynamic'>;

/** Whose eyes the reads have. */
export interface Eyes {
  sight: Sight;
  declarations: ReadonlyMap<string, Declaration>;
}

const pluginsFor = ({ sight, declarations }: Eyes) =>
  sight.isWhole ? [new FieldNamesPlugin()] : [new SeenRowsPlugin(sight, declarations), new FieldNamesPlugin()];

/** Kysely on one session: what it reads is what the open transaction sees, as far as the caller may see it. */
export function kyselyOn<D>(client: pg.PoolClient, eyes: Eyes): ReadDb<D> {
  const session = { query: client.query.bind(client), release: () => undefined };
  const pool = { connect: async () => session, end: async () => undefined };
  return new Kysely<D>({ dialect: new PostgresDialect({ pool: pool as never }), plugins: pluginsFor(eyes) });
}

/** Kysely on the pool, for actions that ask a part and therefore hold no session meanwhile. */
export const kyselyOnPool = <D>(pool: pg.Pool, eyes: Eyes): ReadDb<D> =>
  new Kysely<D>({ dialect: new PostgresDialect({ pool }), plugins: pluginsFor(eyes) });
