import { deletes, log } from '../../kernel/declare.ts';
import { elementTypes, eventCategories, eventType } from '../../kernel/event-type.ts';
import { choice, computed, field, identity, landscape, list, map, text } from '../../kernel/field.ts';
import { integerMax, type ObjectShape } from '../../kernel/shape.ts';
import { instantSql } from '../../kernel/time.ts';

const id = { kind: 'integer', min: 0, max: integerMax } as const;

/** What somebody said about an event later. */
const note: ObjectShape = {
  kind: 'object',
  name: 'EventNote',
  properties: {
    user: { kind: 'text', max: 120 },
    date: { kind: 'time' },
    text: { kind: 'text', max: 2_000 },
  },
};

const notesSql = `coalesce((select jsonb_agg(jsonb_build_object('user', n."user", 'date', ${instantSql('n.at')}, 'text', n.text) order by n.id)
  from event_note n where n.event_id = r.id), '[]'::jsonb)`;

/** A word in the shift log: "maintenance in hall A started". */
export const adminNote = eventType({
  name: 'ADMIN_NOTE',
  description: 'An administrator wrote something down for those who read the log.',
  category: 'ADMIN',
  elementType: 0,
  format: '{user}: {message}',
  postable: true,
});

/** Everything noteworthy that happened. */
export const event = log({
  name: 'event',
  title: 'Event',
  path: '/logging/event',
  permission: 'events-alarms',
  doc: 'Everything noteworthy that happened, written in the transaction that caused it.',
  columns: ['timeOfEvent', 'name', 'elementName', 'eventFormatString', 'userName', 'id'],
  patterns: ['list', 'fetch', 'count', 'countAll', ...deletes, 'monitor', 'archive'],
  archivesOf: ['audit-record', 'security-event', 'security-alarm'],
  slice: 'day',
  age: { setting: 'eventDays', days: 30 },
  identity: 'id',
  label: 'name',
  timeField: 'timeOfEvent',
  indexes: [['elementType', 'elementID'], ['eventTypeID']],
  fields: {
    landscape,
    id: identity('Identity of the event; it tells the time too.'),
    state: computed<number>({ kind: 'integer', min: 0, max: 3 }, '0', {
      doc: '0 logged, 1 raised or joined an alarm, 2 that alarm is cleared, 3 cleared an alarm.',
    }),
    name: text({ max: 80, search: true, doc: 'The name of its event type.' }),
    elementType: field<number>(
      { kind: 'integer', min: 0, max: elementTypes.length - 1 },
      { doc: `What it happened to: ${elementTypes.map((name, code) => `${code} ${name}`).join(', ')}.` },
    ),
    elementID: field<number>(id, { doc: 'Identity of what it happened to.' }),
    elementName: text({ max: 300, nullable: true, search: true, doc: 'Its name at that time.' }),
    message: text({ max: 4_000, nullable: true, search: true, doc: 'More, in the words of whoever told it.' }),
    timeOfEvent: computed<string>({ kind: 'time' }, 'r.at'),
    version: computed<number>({ kind: 'decimal', min: 0, max: 1_000 }, '1', { doc: 'Version of the form of events.' }),
    time: computed<number>(id, '(r.id / 8192 + 1577836800000)', { doc: 'Epoch milliseconds.' }),
    empty: computed<boolean>({ kind: 'flag' }, 'false::boolean', {
      doc: 'True only where a record embeds an event that has never happened.',
    }),
    eventFormatString: text({ max: 4_000, search: true, doc: 'The readable text.' }),
    eventTypeID: field<number>(id, { doc: 'Identity of its event type.' }),
    category: choice(eventCategories, { doc: 'What part of the network or the service it is about.' }),
    hostID: field<number | null>({ ...id, nullable: true }, { doc: 'The host it is about.' }),
    mac: field<string | null>({ kind: 'mac', nullable: true }),
    ip: field<string | null>({ kind: 'address', nullable: true }, { doc: 'Address of the host, or of who caused it.' }),
    userName: text({ max: 120, nullable: true, doc: 'Whom it is about, or who caused it.' }),
    location: text({ max: 300, nullable: true, doc: 'Where it happened, in words.' }),
    attributes: map<string>(
      { value: { kind: 'text', max: 1_000 }, max: 50 },
      { doc: 'Facts beyond the fields, by name.' },
    ),
    notes: {
      ...list<object>({ item: note, max: 1_000 }, { sql: notesSql, doc: 'What was said about it later.' }),
      access: 'computed',
      stored: false,
    },
    alarmIDs: computed<number[]>({ kind: 'list', item: id, max: 1_000 }, `'[]'::jsonb`, {
      doc: 'Alarms it raised, joined or cleared.',
    }),
    requestID: text({ max: 80, nullable: true, doc: 'The request or job that caused it.' }),
  },
});
