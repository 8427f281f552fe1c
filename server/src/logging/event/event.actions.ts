import { action, type Context } from '../../context.ts';
import { container, containerElementType } from '../../device/container/container.ts';
import { inputShape } from '../../kernel/declare.ts';
import { type EventType, elementTypes, eventCategories, eventType } from '../../kernel/event-type.ts';
import { notFound, protectedRecord, rejected } from '../../kernel/failure.ts';
import { usageShape } from '../../kernel/patterns.ts';
import { allows } from '../../kernel/permissions.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import { distinctIds, type WriteTx } from '../../kernel/runtime.ts';
import { integerMax, type Shape } from '../../kernel/shape.ts';
import { same } from '../../kernel/write/changes.ts';
import { eventTypes } from '../event-types/event-types.ts';
import { adminNote, event } from './event.ts';

const externalMax = 200;
const notesMax = 1_000;
const noteText: Shape = { kind: 'text', min: 1, max: 2_000, doc: 'What there is to say.' };

interface PostedEvent {
  name: string;
  elementType: number;
  elementID?: number;
  elementName?: string;
  message: string;
  attributes?: Record<string, string>;
}

/** A script or another system tells something. It takes the same path as what the service tells itself. */
const create = action(event, {
  name: 'create',
  method: 'POST',
  path: '',
  doc: 'Log an event from outside; a type EXT_… is registered when it is first used',
  verb: 'add',
  success: 201,
  body: {
    kind: 'object',
    name: 'PostedEvent',
    properties: {
      name: {
        kind: 'text',
        max: 64,
        pattern: { source: '^[A-Z][A-Z0-9_]*$', words: 'the name of an event type, in capitals' },
        doc: 'A postable event type, or EXT_ and up to 60 capitals, digits and underscores.',
        example: 'EXT_UPS_ON_BATTERY',
      },
      elementType: { kind: 'integer', min: 0, max: elementTypes.length - 1, doc: 'Code of what it happened to.' },
      elementID: { kind: 'integer', min: 0, max: integerMax, doc: 'Identity of that; 0 unless said otherwise.' },
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
  async run({ body }, { tx, admitEvent }) {
    admitEvent();
    const posted = body as PostedEvent;
    const type = await postedType(tx, posted);
    const id = await tx.emit({
      type,
      element: { type: posted.elementType, id: posted.elementID ?? 0, name: posted.elementName ?? '' },
      message: posted.message,
      attributes: posted.attributes ?? {},
    });
    // What its type does not log is taken, counted, and nowhere to be found.
    return id === undefined ? { httpCode: 200 } : { location: `/api/v2${event.path}/${id}` };
  },
});

/** The type of a posted event; one that only others know is registered when it is first used. */
async function postedType(tx: WriteTx, { name, elementType }: PostedEvent): Promise<EventType> {
  const known = await storedType(tx, name);
  const external = externalType(name, elementType);
  if (known?.postable) return external;
  if (known || !/^EXT_[A-Z0-9_]{1,60}$/.test(name))
    throw rejected(`name: ${name} cannot be posted; use EXT_ and a name of your own.`, '/name');
  // Two who post the same new name at once: the second waits, and finds it.
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
    description: 'Told by something outside this service.',
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
    throw rejected(`name: there are ${externalMax} types EXT_… already; use one of those.`, '/name');
}

interface Note {
  user?: string;
  date?: string;
  text?: string;
}

/** An event is history: only notes can be added. */
const update = action(event, {
  name: 'update',
  method: 'POST',
  path: '/{id}',
  doc: 'Add notes to an event; nothing else of it can change',
  body: inputShape(event),
  example: { notes: [{ text: 'Seen; the UPS is being replaced.' }] },
  errors: ['protected', 'rejected'],
  async run({ id, body }, { tx }) {
    const { notes = [], ...sent } = body as RecordValue & { notes?: Note[] };
    const stored = await tx.records.fetch(event, id);
    if (!stored) throw notFound('Event', id);
    const changed = Object.keys(sent).find((field) => !same(sent[field], stored[field]));
    if (changed) throw protectedRecord(`${changed}: events are immutable; only notes can be added.`);
    for (const note of notes) {
      if ((stored.notes as Note[]).some((each) => same(each, note))) continue;
      if (note.date !== undefined || note.user !== undefined)
        throw protectedRecord(
          'notes: events are immutable, and so is what was said about them; add a note by its text.',
        );
      if (!note.text) throw rejected('notes: a new note needs a text.', '/notes');
      await addNote(tx, id, stored, note.text);
    }
    return {};
  },
});

/** Without events it is a line of the shift log. */
const note = action(event, {
  name: 'note',
  method: 'POST',
  path: '/note',
  doc: 'Add a note to events, or without any log it as an event of its own',
  body: {
    kind: 'object',
    name: 'EventNoteRequest',
    properties: {
      id: { kind: 'list', item: { kind: 'integer', min: 1, max: integerMax }, max: 5_000, doc: 'The events.' },
      text: noteText,
    },
    required: ['text'],
  },
  example: { text: 'Maintenance in hall A started' },
  errors: ['not-found', 'rejected'],
  async run({ body }, { tx }) {
    const { id = [], text } = body as { id?: number[]; text: string };
    if (id.length === 0) await tx.emit({ type: adminNote, element: { id: 0, name: tx.origin.user }, message: text });
    for (const each of distinctIds(id)) {
      const stored = await tx.records.fetch(event, each);
      if (!stored) throw notFound('Event', each);
      await addNote(tx, each, stored, text);
    }
    return {};
  },
});

async function addNote(tx: WriteTx, id: number, stored: RecordValue, text: string): Promise<void> {
  const { rowCount } = await tx.client.query(
    `insert into event_note (event_id, "user", text)
     select $1, $2, $3 where (select count(*) from event_note n where n.event_id = $1) < $4`,
    [id, tx.origin.user, text, notesMax],
  );
  if (rowCount === 0) throw rejected(`Event ${id} has ${notesMax} notes; more are not kept.`);
  await tx.engine.sinks.audit(tx.client, tx.origin, [
    {
      action: 'MODIFY',
      table: 'event',
      recordId: id,
      recordName: String(stored.name),
      eventTag: '',
      summary: `note: ${text}`.slice(0, 4_000),
      changes: [{ field: 'notes', before: null, after: text }],
    },
  ]);
}

/** Containers show the newest of some events: this says whether this one is. */
const usage = action(event, {
  name: 'usage',
  method: 'GET',
  path: '/{id}/usage',
  doc: 'List what shows or follows from an event',
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
  const [found] = records;
  if (!found) throw notFound('Event', id);
  if (found.elementType !== containerElementType) return undefined;
  const shown = await db
    .selectFrom('latest_event')
    .innerJoin('container', 'container.id', 'latest_event.element_id')
    .select(['container.name', 'latest_event.event'])
    .where('latest_event.element_type', '=', containerElementType)
    .where('latest_event.element_id', '=', Number(found.elementID))
    .where('latest_event.name', '=', String(found.name))
    .executeTakeFirst();
  return shown?.event.id === id ? shown.name : undefined;
}

const time: Shape = { kind: 'time', nullable: true };
const count: Shape = { kind: 'integer', min: 0, max: integerMax };

/** What a page about events offers to choose from, and how much there is. */
const supportingInfo = action(event, {
  name: 'supporting-info',
  method: 'GET',
  path: '/supporting-info',
  doc: 'Read what events can be filtered by, and how many there were on each of the last 30 days',
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
      oldestLive: { ...time, doc: 'The oldest event that is still here; null: there is none.' },
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

/** From the counters that each slice of the log has: nothing is counted for this. */
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
