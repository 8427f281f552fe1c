import { action, type Context, distinctIds, type RecordValue, same, usageShape, type WriteTx } from '../../context.ts';
import { container, containerElementType } from '../../device/container/container.ts';
import { inputShape } from '../../kernel/declare/declaration.ts';
import { type EventType, elementTypes, eventCategories, eventType } from '../../kernel/declare/event-type.ts';
import { allows } from '../../kernel/declare/permissions.ts';
import type { Shape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { notFound, protectedRecord, rejected } from '../../kernel/failure.ts';
import { eventTypes } from '../event-types/event-types.ts';
import { adminNote } from './event.events.ts';
import { event } from './event.ts';

const externalMax = 200;
const notesMax = 1_000;
const noteText = { kind: 'text', min: 1, max: 2_000, doc: 'Text of the note.' } as const satisfies Shape;

/** Logs an event from a script or another system, like an event of the service. */
const create = action(event, {
  name: 'create',
  method: 'POST',
  path: '',
  doc: 'Log an external event',
  verb: 'add',
  success: 201,
  saves: true,
  body: {
    kind: 'object',
    name: 'PostedEvent',
    properties: {
      name: {
        kind: 'text',
        max: 64,
        pattern: { source: '^[A-Z][A-Z0-9_]*$', words: 'the name of an event type, in capitals' },
        doc: 'A postable event type, or EXT_ followed by up to 60 capitals, digits and underscores.',
        example: 'EXT_UPS_ON_BATTERY',
      },
      elementType: {
        kind: 'integer',
        min: 0,
        max: elementTypes.length - 1,
        doc: 'Code of the element type it concerns.',
      },
      elementID: { ...shapes.count, doc: 'Identity of the element. Default: 0.' },
      elementName: { kind: 'text', max: 300 },
      message: { kind: 'text', min: 1, max: 4_000 },
      attributes: event.fields.attributes.shape,
    },
    required: ['name', 'elementType', 'message'],
  },
  example: {
    name: 'EXT_UPS_ON_BATTERY',
    elementType: 0,
    elementName: 'UPS hall A',
    message: 'Running on battery, 42 minutes left',
    attributes: { load: '38 %' },
  },
  errors: ['rejected'],
  async run({ body, dryRun }, { tx, admitEvent }) {
    admitEvent();
    const { name, elementType, elementID = 0, elementName = '', message, attributes = {} } = body;
    const type = await postedType(tx, name, elementType);
    const id = await tx.emit({
      type,
      element: { type: elementType, id: elementID, name: elementName },
      message,
      attributes,
    });
    // An event that its type does not log is accepted and counted, but has no record.
    if (id === undefined) return { httpCode: 200 };
    return { location: `/api/v2${event.path}/${id}`, ...(dryRun && { results: [await tx.records.fetch(event, id)] }) };
  },
});

/** Returns the type of a posted event. A new EXT_ type is registered when it is first used. */
async function postedType(tx: WriteTx, name: string, elementType: number): Promise<EventType> {
  const existingType = await storedType(tx, name);
  const external = externalType(name, elementType);
  if (existingType?.postable) return external;
  if (existingType || !/^EXT_[A-Z0-9_]{1,60}$/.test(name))
    throw rejected(`name: ${name} cannot be posted; use a name that starts with EXT_.`, '/name');
  // Of two concurrent requests with the same new name, the second waits and finds the type.
  await tx.client.query(`select pg_advisory_xact_lock(hashtext('event-types'))`);
  if (await storedType(tx, name)) return external;
  await refuseTooMany(tx);
  const { clear: _none, ...record } = external;
  await tx.records.create(eventTypes, record as unknown as RecordValue);
  return external;
}

const externalType = (name: string, elementType: number) =>
  eventType({
    name,
    description: 'Posted by an external system.',
    category: 'EXTERNAL',
    elementType,
    format: '{message}',
    postable: true,
  });

async function storedType(tx: WriteTx, name: string): Promise<{ postable: boolean } | undefined> {
  const { rows } = await tx.client.query<{ postable: boolean }>(
    'select t.postable from event_type t where t.name = $1',
    [name],
  );
  return rows[0];
}

async function refuseTooMany(tx: WriteTx): Promise<void> {
  const { rows } = await tx.client.query<{ count: number }>(
    `select count(*)::integer as count from event_type t where t.category = 'EXTERNAL'`,
  );
  if (rows[0]!.count >= externalMax)
    throw rejected(`name: the limit of ${externalMax} EXT_… types is reached; use an existing one.`, '/name');
}

/** Adds notes to an event, whose other fields never change. */
const update = action(event, {
  name: 'update',
  method: 'POST',
  path: '/{id}',
  doc: 'Add notes to an event',
  saves: true,
  body: inputShape(event),
  example: { notes: [{ text: 'Seen; the UPS is being replaced.' }] },
  errors: ['protected', 'rejected'],
  async run({ id, body, dryRun }, { tx }) {
    const { notes = [], ...changes } = body;
    const stored = await tx.records.fetch(event, id);
    if (!stored) throw notFound('Event', id);
    const changed = Object.entries(changes).find(([name, value]) => !same(value, (stored as RecordValue)[name]))?.[0];
    if (changed) throw protectedRecord(`${changed}: events are immutable; only notes can be added.`);
    for (const note of notes) {
      if (stored.notes.some((storedNote) => same(storedNote, note))) continue;
      if (note.date !== undefined || note.user !== undefined)
        throw protectedRecord('notes: existing notes cannot be changed; add a note with only its text.');
      if (!note.text) throw rejected('notes: a new note needs a text.', '/notes');
      await addNote(tx, id, stored, note.text);
    }
    return dryRun ? { results: [await tx.records.fetch(event, id)] } : {};
  },
});

/** Adds a note to events. Without events, logs it as an event of its own, for a shift log. */
const note = action(event, {
  name: 'note',
  method: 'POST',
  path: '/note',
  doc: 'Add a note to events, or log it as a separate event',
  body: {
    kind: 'object',
    name: 'EventNoteRequest',
    properties: {
      id: { kind: 'list', item: shapes.id, max: 5_000, doc: 'The events.' },
      text: noteText,
    },
    required: ['text'],
  },
  example: { text: 'Maintenance in hall A started' },
  errors: ['not-found', 'rejected'],
  async run({ body }, { tx }) {
    const { id = [], text } = body;
    if (id.length === 0) await tx.emit({ type: adminNote, element: { id: 0, name: tx.origin.user }, message: text });
    for (const eventID of distinctIds(id)) {
      const stored = await tx.records.fetch(event, eventID);
      if (!stored) throw notFound('Event', eventID);
      await addNote(tx, eventID, stored, text);
    }
    return {};
  },
});

async function addNote(tx: WriteTx, id: number, { name }: { name: string }, text: string): Promise<void> {
  const { rowCount } = await tx.client.query(
    `insert into event_note (event_id, "user", text)
     select $1, $2, $3 where (select count(*) from event_note n where n.event_id = $1) < $4`,
    [id, tx.origin.user, text, notesMax],
  );
  if (rowCount === 0) throw rejected(`Event ${id} has ${notesMax} notes; no more can be added.`);
  await tx.engine.sinks.audit(tx.client, tx.origin, [
    {
      action: 'MODIFY',
      table: 'event',
      recordId: id,
      recordName: name,
      eventTag: '',
      summary: `note: ${text}`.slice(0, 4_000),
      changes: [{ field: 'notes', before: null, after: text }],
    },
  ]);
}

/** Lists the container that shows this event as the latest of its type, if any. */
const usage = action(event, {
  name: 'usage',
  method: 'GET',
  path: '/{id}/usage',
  doc: 'List what refers to an event',
  result: usageShape,
  async run({ id, caller }, context) {
    const name = await embeddingContainer(context, id);
    if (name === undefined) return [];
    const isVisible = allows(caller.rights, container.permission, 'view');
    return [{ name: container.title, children: [isVisible ? name : '1 hidden'] }];
  },
});

async function embeddingContainer({ db, list }: Context, id: number): Promise<string | undefined> {
  const { records } = await list(event, { filter: [`id==${id}`], start: 0, count: 1 });
  const [eventRecord] = records;
  if (!eventRecord) throw notFound('Event', id);
  if (eventRecord.elementType !== containerElementType) return undefined;
  const shown = await db
    .selectFrom('latest_event')
    .innerJoin('container', 'container.id', 'latest_event.element_id')
    .select(['container.name', 'latest_event.event'])
    .where('latest_event.element_type', '=', containerElementType)
    .where('latest_event.element_id', '=', eventRecord.elementID)
    .where('latest_event.name', '=', eventRecord.name)
    .executeTakeFirst();
  return shown?.event.id === id ? shown.name : undefined;
}

const time = { kind: 'time', nullable: true } as const satisfies Shape;
const { count } = shapes;

/** Returns the values that events can be filtered by, and the numbers of events per day. */
const supportingInfo = action(event, {
  name: 'supporting-info',
  method: 'GET',
  path: '/supporting-info',
  doc: 'Return the filter values of events and counts per day',
  result: {
    kind: 'object',
    name: 'EventSupportingInfo',
    properties: {
      eventTypes: {
        kind: 'list',
        max: 10_000,
        item: {
          kind: 'object',
          properties: {
            id: eventTypes.fields.id.shape,
            name: eventTypes.fields.name.shape,
            displayName: eventTypes.fields.displayName.shape,
            category: eventTypes.fields.category.shape,
          },
        },
      },
      categories: { kind: 'list', item: { kind: 'text', max: 40 }, max: 40 },
      elementTypes: {
        kind: 'list',
        max: 40,
        item: { kind: 'object', properties: { code: count, name: { kind: 'text', max: 40 } } },
      },
      oldestLive: { ...time, doc: 'Time of the oldest event in the log; null: none.' },
      newest: time,
      perDay: {
        kind: 'list',
        max: 31,
        doc: 'By UTC day; days without events are left out.',
        item: { kind: 'object', properties: { day: { kind: 'text', max: 10, example: '2026-01-31' }, events: count } },
      },
    },
  },
  async run({ nowMs }, { db, list }) {
    const types = await db
      .selectFrom('event_type')
      .select(['id', 'name', 'displayName', 'category'])
      .orderBy('id')
      .limit(10_000)
      .execute();
    const bound = async (sortDir: 'asc' | 'desc') => {
      const { records } = await list(event, { filter: [], start: 0, count: 1, sortKey: 'id', sortDir });
      return records[0]?.timeOfEvent ?? null;
    };
    return [
      {
        eventTypes: types,
        categories: eventCategories,
        elementTypes: elementTypes.map((name, code) => ({ code, name })),
        oldestLive: await bound('asc'),
        newest: await bound('desc'),
        perDay: await eventsPerDay(db, nowMs),
      },
    ];
  },
});

/** Reads the number of events per day from the row counters of the log's slices. */
const eventsPerDay = (db: Context['db'], nowMs: number) =>
  db
    .selectFrom('log_slice_count')
    .select(['day', 'rows as events'])
    .where('log', '=', 'event')
    .where('day', '>', new Date(nowMs - 30 * 86_400_000).toISOString().slice(0, 10))
    .where('rows', '>', 0)
    .orderBy('day')
    .limit(31)
    .execute();

export const eventActions = [create, update, note, usage, supportingInfo];
