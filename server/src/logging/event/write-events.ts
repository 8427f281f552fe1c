import type pg from 'pg';
import type { KeptEvent } from '../../kernel/embedded-event.ts';
import { type EventEntry, fillFormat } from '../../kernel/event-type.ts';
import type { Counter } from '../../kernel/metrics.ts';
import type { Origin, Sinks } from '../../kernel/write/sinks.ts';
import type { KnownEventType, KnownEventTypes } from '../event-types/known-event-types.ts';

const insertSql = `
insert into event (name, element_type, element_id, element_name, message, event_format_string, event_type_id, category,
  host_id, mac, ip, user_name, location, attributes, request_id)
values ($1, $2, $3, left($4, 300), left($5, 4000), left($6, 4000), $7, $8, $9, $10, $11, left($12, 120), left($13, 300), $14, $15)
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
 * Writes events in the transaction that causes them. Their type decides: what is not logged here, or happens outside the group that the
 * type is limited to, is only counted. Those that a record embeds are also kept at hand for it.
 */
export const eventWriter = (options: {
  types: KnownEventTypes;
  embedded: ReadonlySet<string>;
  counter: Counter;
}): Sinks['event'] => {
  const { types, embedded, counter } = options;
  return async (client, origin, entry) => {
    const type = await types.named(client, entry.type.name);
    const outcome = await outcomeOf(client, type, entry);
    counter.add({ type: type.name, outcome });
    if (outcome !== 'logged') return undefined;
    const { rows } = await client.query<Inserted>({
      name: 'event.write',
      text: insertSql,
      values: rowOf(type, entry, origin),
    });
    if (embedded.has(type.name)) await keepAtHand(client, rows[0]!);
    return rows[0]!.id;
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

/** The event as a row, in the order of the statement; its text is the format of its type, filled in. */
function rowOf(type: KnownEventType, entry: EventEntry, origin: Origin): unknown[] {
  const { element, message = null, attributes = {} } = entry;
  const elementType = element.type ?? type.elementType;
  const causedBy = origin.credential.kind === 'system' ? null : origin.user;
  return [
    type.name,
    elementType,
    element.id,
    element.name,
    message,
    fillFormat(type.format, { ...attributes, element: element.name, user: origin.user, message }),
    type.id,
    type.category,
    entry.hostID ?? (elementType === host ? element.id : null),
    entry.mac ?? null,
    entry.ip ?? null,
    entry.userName ?? causedBy,
    entry.location ?? null,
    JSON.stringify(shortened(attributes)),
    origin.requestId,
  ];
}

const shortened = (attributes: NonNullable<EventEntry['attributes']>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, String(value).slice(0, attributeCharacters)]),
  );

async function keepAtHand(client: pg.PoolClient, row: Inserted): Promise<void> {
  const kept: KeptEvent = {
    id: row.id,
    elementName: row.element_name,
    message: row.message,
    time: row.time,
    text: row.event_format_string,
  };
  await client.query(
    `insert into latest_event (element_type, element_id, name, event) values ($1, $2, $3, $4)
     on conflict (element_type, element_id, name) do update set event = excluded.event`,
    [row.element_type, row.element_id, row.name, JSON.stringify(kept)],
  );
}
