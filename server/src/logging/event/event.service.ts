import type pg from 'pg';
import { type Counter, everyRow, type Sinks } from '../../context.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import type { Origin } from '../../kernel/declare/caller.ts';
import type { KeptEvent } from '../../kernel/declare/embedded-event.ts';
import { type EventEntry, fillFormat } from '../../kernel/declare/event-type.ts';
import type { KnownEventType, KnownEventTypes } from '../event-types/event-types.service.ts';

const everyAdapter = everyRow(adapter, 'an event of a host has its MAC address, independently of who views it');

/** MAC address for an event of a host without one: that of the first connected adapter, otherwise of the oldest. */
const macOfHost = `case when e."elementType" = 4 then (select a.physical_address from ${everyAdapter} a
    where a.host_id = e."elementId"
    order by not exists (select from connection_active c where c.mac = a.physical_address), a.id limit 1) end`;

const insertSql = `
insert into event (name, element_type, element_id, element_name, message, event_format_string, event_type_id, category,
  host_id, mac, ip, user_name, location, attributes, request_id)
select e.name, e."elementType", e."elementId", left(e."elementName", 300), left(e.message, 4000), left(e.text, 4000), e."typeId", e.category,
  e."hostId", coalesce(e.mac, ${macOfHost}), e.ip, left(e."userName", 120), left(e.location, 300), e.attributes, $2
from jsonb_array_elements($1::jsonb) with ordinality j(event, place),
  lateral jsonb_to_record(j.event) e(name text, "elementType" integer, "elementId" bigint, "elementName" text, message text, text text,
    "typeId" integer, category text, "hostId" bigint, mac text, ip inet, "userName" text, location text, attributes jsonb)
order by j.place
returning id, name, element_type, element_id, element_name, message, event_format_string, (extract(epoch from at) * 1000)::bigint as time`;

const memberSql = `select exists (select from group_closure c
  join group_member m on m.group_id = c.descendant_id
  where c.ancestor_id = $1 and m.element_type = $2 and m.member_id = $3) as "isMember"`;

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

const host = 4;
const attributeCharacters = 1_000;

/**
 * Returns a function that writes events in the transaction that causes them. Events that their type does not log here, or that concern no
 * member of the type's group, are only counted. Events that records embed are also stored in `latest_event`.
 */
export const eventWriter = (options: {
  types: KnownEventTypes;
  embedded: ReadonlySet<string>;
  counter: Counter;
}): Sinks['events'] => {
  const { types, embedded, counter } = options;
  return async (client, origin, entries) => {
    const logged: object[] = [];
    for (const entry of entries) {
      const type = await types.byName(client, entry.type.name);
      const outcome = await outcomeOf(client, type, entry);
      counter.add({ type: type.name, outcome });
      if (outcome === 'logged') logged.push(rowOf(type, entry, origin));
    }
    if (logged.length === 0) return [];
    const { rows } = await client.query<Inserted>({
      name: 'event.write',
      text: insertSql,
      values: [JSON.stringify(logged), origin.requestId],
    });
    const embeddedRows = rows.filter(({ name }) => embedded.has(name));
    if (embeddedRows.length > 0) await storeLatest(client, embeddedRows);
    return rows.map(({ id }) => id);
  };
};

async function outcomeOf(
  client: pg.PoolClient,
  { loggingStrategy, groupID, elementType }: KnownEventType,
  { element }: EventEntry,
): Promise<'logged' | 'disabled' | 'external' | 'outside-group'> {
  if (loggingStrategy === 'DISABLED') return 'disabled';
  if (loggingStrategy === 'EXTERNAL') return 'external';
  if (groupID === null) return 'logged';
  const { rows } = await client.query<{ isMember: boolean }>(memberSql, [
    groupID,
    element.type ?? elementType,
    element.id,
  ]);
  return rows[0]!.isMember ? 'logged' : 'outside-group';
}

/** Returns the row of an event, with the filled format of its type as text. */
function rowOf(type: KnownEventType, entry: EventEntry, origin: Origin): object {
  const { element, message = null, attributes = {} } = entry;
  const elementType = element.type ?? type.elementType;
  const causedBy = origin.credential.kind === 'system' ? null : origin.user;
  return {
    name: type.name,
    elementType,
    elementId: element.id,
    elementName: element.name,
    message,
    text: fillFormat(type.format, { ...attributes, element: element.name, user: origin.user, message }),
    typeId: type.id,
    category: type.category,
    hostId: entry.hostID ?? (elementType === host ? element.id : null),
    mac: entry.mac ?? null,
    ip: entry.ip ?? null,
    userName: entry.userName ?? causedBy,
    location: entry.location ?? null,
    attributes: shortened(attributes),
  };
}

const shortened = (attributes: NonNullable<EventEntry['attributes']>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, String(value).slice(0, attributeCharacters)]),
  );

const storeLatestSql = `
insert into latest_event (element_type, element_id, name, event)
select k."elementType", k."elementId", k.name, k.event
from jsonb_to_recordset($1::jsonb) k("elementType" integer, "elementId" bigint, name text, event jsonb)
on conflict (element_type, element_id, name) do update set event = excluded.event`;

async function storeLatest(client: pg.PoolClient, rows: readonly Inserted[]): Promise<void> {
  // Keeps the last, newest event per element and name.
  const newest = new Map(rows.map((row) => [`${row.element_type} ${row.element_id} ${row.name}`, row]));
  const latestEvents = [...newest.values()].map((row) => ({
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
  await client.query({ name: 'event.keep', text: storeLatestSql, values: [JSON.stringify(latestEvents)] });
}
