import type pg from 'pg';
import type { CacheInvalidation, InvalidationState, Sql } from '../../context.ts';
import type { EventCategory, LoggingStrategy } from '../../kernel/declare/event-type.ts';

/** A stored event type, with the logging settings of administrators. */
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
      // Types are never deleted and versions only grow, so each change raises their sum.
      sql: 'select coalesce(sum(t.version), 0)::bigint from event_type t',
      forget: () => {
        this.#byName = undefined;
        return this.#load();
      },
    });
  }

  /** Returns a type by name. Without a cached one, reads it in the transaction and does not cache it, because it may be rolled back. */
  async byName(client: pg.PoolClient, name: string): Promise<KnownEventType> {
    const cachedType = this.#followed.isTrusted() ? this.#byName?.get(name) : undefined;
    const eventTypeOfName = cachedType ?? (await read(client)).get(name);
    if (!eventTypeOfName) throw new Error(`no event type is called ${name}`);
    return eventTypeOfName;
  }

  async #load(): Promise<void> {
    const generation = this.#followed.generation();
    try {
      const types = await read(this.#pool);
      if (generation === this.#followed.generation()) this.#byName = types;
    } catch {
      // Until the next change, each transaction reads the types itself.
    }
  }
}

async function read(sql: Sql): Promise<ReadonlyMap<string, KnownEventType>> {
  const { rows } = await sql.query<KnownEventType>(readSql);
  return new Map(rows.map((type) => [type.name, type]));
}
