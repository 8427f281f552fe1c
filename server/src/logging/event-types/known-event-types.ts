import type pg from 'pg';
import type { CacheInvalidation, InvalidationState, Sql } from '../../context.ts';
import type { EventCategory, LoggingStrategy } from '../../kernel/declare/event-type.ts';

/** An event type as the table has it: code says what it is, administrators say how it is logged. */
export interface KnownEventType {
  id: number;
  name: string;
  category: EventCategory;
  elementType: number;
  format: string;
  loggingStrategy: LoggingStrategy;
  groupID: number | null;
}

const readSql = `select t.id, t.name, t.category, t.element_type as "elementType", t.format, t.logging_strategy as "loggingStrategy",
  t.group_id as "groupID"
from event_type t order by t.id limit 10000`;

/** The event types of the cell, cached while the node receives invalidations. */
export class KnownEventTypes {
  readonly #pool: pg.Pool;
  readonly #followed: InvalidationState;
  #byName: ReadonlyMap<string, KnownEventType> | undefined;

  constructor(pool: pg.Pool, generations: CacheInvalidation) {
    this.#pool = pool;
    this.#followed = generations.follow({
      channel: 'event_types_changed',
      // Types are never deleted and versions only grow, so their sum is another one after each change.
      sql: 'select coalesce(sum(t.version), 0)::bigint from event_type t',
      forget: () => {
        this.#byName = undefined;
        return this.#remember();
      },
    });
  }

  /** A transaction that finds nothing remembered looks for itself, and keeps it to itself: what it sees may be rolled back. */
  async named(client: pg.PoolClient, name: string): Promise<KnownEventType> {
    const known = this.#followed.isTrusted() ? this.#byName?.get(name) : undefined;
    const found = known ?? (await read(client)).get(name);
    if (!found) throw new Error(`no event type is called ${name}`);
    return found;
  }

  async #remember(): Promise<void> {
    const generation = this.#followed.generation();
    try {
      const types = await read(this.#pool);
      if (generation === this.#followed.generation()) this.#byName = types;
    } catch {
      // Until the next change everybody looks for themselves.
    }
  }
}

async function read(sql: Sql): Promise<ReadonlyMap<string, KnownEventType>> {
  const { rows } = await sql.query<KnownEventType>(readSql);
  return new Map(rows.map((type) => [type.name, type]));
}
