import { deletes, log } from '../../kernel/declare/declaration.ts';
import { elementTypes, eventCategories } from '../../kernel/declare/event-type.ts';
import { choice, computed, field, identity, landscape, list, map, text } from '../../kernel/declare/field.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import type { AnswerOf, ValueOf } from '../../kernel/declare/value-of.ts';
import { instantSql } from '../../kernel/values/time.ts';

const id = shapes.count;

/** A note that was added to an event. */
const note = {
  kind: 'object',
  name: 'EventNote',
  properties: {
    user: { kind: 'text', max: 120 },
    date: { kind: 'time' },
    text: { kind: 'text', max: 2_000 },
  },
} as const satisfies ObjectShape;

const notesSql = `coalesce((select jsonb_agg(jsonb_build_object('user', n."user", 'date', ${instantSql('n.at')}, 'text', n.text) order by n.id)
  from event_note n where n.event_id = r.id), '[]'::jsonb)`;

/** The log of events of the network and the service. */
export const event = log({
  name: 'event',
  title: 'Event',
  path: '/logging/event',
  permission: 'events-alarms',
  doc: 'Log of events, each written in the transaction that caused it.',
  columns: ['timeOfEvent', 'name', 'elementName', 'eventFormatString', 'userName', 'id'],
  patterns: ['list', 'fetch', 'count', 'countAll', ...deletes, 'monitor', 'archive'],
  archivesOf: ['audit-record', 'security-event', 'security-alarm'],
  slice: 'day',
  age: { setting: 'eventDays', days: 30 },
  identity: 'id',
  label: 'name',
  timeField: 'timeOfEvent',
  indexes: [['elementType', 'elementID'], ['eventTypeID']],
  sections: {
    Event: ['name', 'category', 'eventTypeID', 'timeOfEvent', 'eventFormatString', 'message', 'attributes', 'notes'],
    Element: ['elementType', 'elementID', 'elementName', 'hostID', 'mac', 'ip', 'userName', 'location'],
    Request: ['requestID'],
  },
  units: { time: 'ms' },
  fields: {
    landscape,
    id: identity('Identity of the event; it contains the time.'),
    state: computed<number>(
      shapes.code(['logged', 'raised or joined an alarm', 'that alarm is cleared', 'cleared an alarm']),
      '0',
    ),
    name: text({ max: 80, search: true, doc: 'Name of the event type.' }),
    elementType: field<number>(
      { kind: 'integer', min: 0, max: elementTypes.length - 1 },
      { doc: `Type of the element it concerns: ${elementTypes.map((name, code) => `${code} ${name}`).join(', ')}.` },
    ),
    elementID: field<number>(id, { doc: 'Identity of the element that the event concerns.' }),
    elementName: text({ max: 300, nullable: true, search: true, doc: 'Name of the element at that time.' }),
    message: text({ max: 4_000, nullable: true, search: true, doc: 'Additional text from the source of the event.' }),
    timeOfEvent: computed<string>({ kind: 'time' }, 'r.at'),
    version: computed<number>({ kind: 'decimal', min: 0, max: 1_000 }, '1', { doc: 'Version of the event format.' }),
    time: computed<number>(id, '(r.id / 8192 + 1577836800000)', { doc: 'Epoch milliseconds.' }),
    empty: computed<boolean>({ kind: 'flag' }, 'false::boolean', {
      doc: 'True only in a record that embeds an event which never happened.',
    }),
    eventFormatString: text({ max: 4_000, search: true, doc: 'Formatted text of the event.' }),
    eventTypeID: field<number>(id, { doc: 'Identity of its event type.' }),
    category: choice(eventCategories, { doc: 'Part of the network or the service that it concerns.' }),
    hostID: field<number | null>({ ...id, nullable: true }, { doc: 'Host that the event concerns.' }),
    mac: field<string | null>({ kind: 'mac', nullable: true }),
    ip: field<string | null>(
      { kind: 'address', nullable: true },
      { doc: 'IP address of the host, or of the client that caused it.' },
    ),
    userName: text({ max: 120, nullable: true, doc: 'User that the event concerns, or who caused it.' }),
    location: text({ max: 300, nullable: true, doc: 'Location as text.' }),
    attributes: map<string>({ value: { kind: 'text', max: 1_000 }, max: 50 }, { doc: 'Additional values by name.' }),
    notes: {
      ...list<AnswerOf<typeof note>, ValueOf<typeof note>>(
        { item: note, max: 1_000 },
        { sql: notesSql, doc: 'Notes added later.' },
      ),
      access: 'computed',
      stored: false,
    },
    alarmIDs: computed<number[]>({ kind: 'list', item: id, max: 1_000 }, `'[]'::jsonb`, {
      doc: 'Alarms it raised, joined or cleared.',
    }),
    requestID: text({ max: 80, nullable: true, doc: 'Request or job that caused the event.' }),
  },
});
