import type pg from 'pg';
import type { KeptEvent } from '../../kernel/embedded-event.ts';
import type { EventEntry, Origin } from '../../kernel/write/sinks.ts';

const insertSql = `
insert into event (name, element_type, element_id, element_name, message, event_format_string, request_id)
select e.name, e."elementType", e."elementId", left(e."elementName", 300), left(e.message, 4000), left(e.text, 4000), $2
from jsonb_to_recordset($1::jsonb) e(name text, "elementType" integer, "elementId" bigint, "elementName" text, message text, text text)
returning id, name, element_type, element_id, element_name, message, event_format_string, (extract(epoch from at) * 1000)::bigint as time`;

interface Inserted {
  id: number;
  name: string;
  element_type: number;
  element_id: number;
  element_name: string;
  message: string | null;
  event_format_string: string;
  time: number;
}

/** Writes events in the transaction that causes them; those that a record embeds are also kept at hand for it. */
export const eventWriter =
  (embedded: ReadonlySet<string>) =>
  async (client: pg.PoolClient, origin: Origin, entries: readonly EventEntry[]): Promise<void> => {
    const { rows } = await client.query<Inserted>({
      name: 'event.write',
      text: insertSql,
      values: [JSON.stringify(entries), origin.requestId],
    });
    const kept = rows.filter(({ name }) => embedded.has(name));
    if (kept.length > 0) await keepAtHand(client, kept);
  };

const keepSql = `
insert into latest_event (element_type, element_id, name, event)
select k."elementType", k."elementId", k.name, k.event
from jsonb_to_recordset($1::jsonb) k("elementType" integer, "elementId" bigint, name text, event jsonb)
on conflict (element_type, element_id, name) do update set event = excluded.event`;

async function keepAtHand(client: pg.PoolClient, rows: readonly Inserted[]): Promise<void> {
  // Of one name for one element the newest, which comes last.
  const newest = new Map(rows.map((row) => [`${row.element_type} ${row.element_id} ${row.name}`, row]));
  const kept = [...newest.values()].map((row) => ({
    elementType: row.element_type,
    elementId: row.element_id,
    name: row.name,
    event: {
      id: row.id,
      elementName: row.element_name,
      message: row.message,
      time: row.time,
      text: row.event_format_string,
    } satisfies KeptEvent,
  }));
  await client.query({ name: 'event.keep', text: keepSql, values: [JSON.stringify(kept)] });
}
