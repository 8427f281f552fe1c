import type pg from 'pg';
import { inTransaction } from '../../context.ts';
import type { EventType } from '../../kernel/declare/event-type.ts';

/** An event type with its number, which is its identity in every cell. */
export interface NumberedEventType extends EventType {
  id: number;
}

/** First number of the types that are registered at run time. */
export const runtimeTypesFrom = 100_000;

/**
 * Adds to every type its number from the checked-in list. `npm run generate` only appends new names to the list, so a number never changes
 * its meaning.
 */
export function numbered(
  types: readonly EventType[],
  numbers: Readonly<Record<string, number>>,
): readonly NumberedEventType[] {
  const declaredNames = new Set<string>();
  return types.map((type) => {
    if (declaredNames.has(type.name)) throw new Error(`The event type ${type.name} is declared twice.`);
    declaredNames.add(type.name);
    const id = numbers[type.name];
    if (id === undefined) throw new Error(`The event type ${type.name} has no number; run npm run generate.`);
    return { ...type, id };
  });
}

/** Updates names and texts from the code; keeps the strategy and group of existing rows. Unchanged rows are not written. */
const upsertSql = `
insert into event_type as t (id, name, display_name, description, category, element_type, format, logging_strategy, clear_event_type_id,
  mandatory, droppable, postable, syslog_severity, note)
select n.id, n.name, n."displayName", n.description, n.category, n."elementType", n.format, n."loggingStrategy", n."clearId",
  n.mandatory, n.droppable, n.postable, n."syslogSeverity", ''
from jsonb_to_recordset($1::jsonb) n(id bigint, name text, "displayName" text, description text, category text, "elementType" integer,
  format text, "loggingStrategy" text, "clearId" bigint, mandatory boolean, droppable boolean, postable boolean, "syslogSeverity" integer)
order by n.id
on conflict (id) do update set name = excluded.name, display_name = excluded.display_name, description = excluded.description,
  category = excluded.category, element_type = excluded.element_type, format = excluded.format,
  clear_event_type_id = excluded.clear_event_type_id, mandatory = excluded.mandatory, droppable = excluded.droppable,
  postable = excluded.postable, syslog_severity = excluded.syslog_severity
where (t.name, t.display_name, t.description, t.category, t.element_type, t.format, t.clear_event_type_id, t.mandatory, t.droppable,
    t.postable, t.syslog_severity)
  is distinct from (excluded.name, excluded.display_name, excluded.description, excluded.category, excluded.element_type, excluded.format,
    excluded.clear_event_type_id, excluded.mandatory, excluded.droppable, excluded.postable, excluded.syslog_severity)`;

/** Stores the event types of this release. Nodes that start at the same time wait for each other. */
export async function upsertEventTypes(pool: pg.Pool, types: readonly NumberedEventType[]): Promise<void> {
  const ids = new Map(types.map(({ name, id }) => [name, id]));
  const rows = types.map((type) => ({ ...type, clearId: type.clear === null ? null : clearId(type, ids) }));
  await inTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('event-types'))`);
    await client.query(upsertSql, [JSON.stringify(rows)]);
  });
}

function clearId({ name, clear }: EventType, ids: ReadonlyMap<string, number>): number {
  const id = ids.get(clear!);
  if (id === undefined) throw new Error(`The event type ${name} ends with ${clear}, which is declared nowhere.`);
  return id;
}
