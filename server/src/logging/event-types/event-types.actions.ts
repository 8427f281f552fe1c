import { action, type Context, distinctIds } from '../../context.ts';
import { shapesOf } from '../../kernel/declare/declaration.ts';
import { loggingStrategies } from '../../kernel/declare/event-type.ts';
import type { Answer } from '../../kernel/declare/operation.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { invalid, notFound, rejected } from '../../kernel/failure.ts';
import { event } from '../event/event.ts';
import { eventThreshold } from '../event-threshold/event-threshold.ts';
import { eventTypes } from './event-types.ts';

const ids = { ...shapes.ids(5_000), doc: 'Identities of the event types.' } as const;

const countEvents = action(eventTypes, {
  name: 'count-events',
  method: 'GET',
  path: '/count/{id}',
  doc: 'Count the live events of a type',
  query: {
    from: { shape: { kind: 'time', doc: 'Only events at or after this time.' } },
    to: { shape: { kind: 'time', doc: 'Only events before this time.' } },
  },
  result: 'record',
  counted: true,
  errors: ['too-expensive'],
  async run({ id, query }, { db, list }) {
    const type = await db.selectFrom('event_type').select('id').where('id', '=', id).executeTakeFirst();
    if (!type) throw notFound('Event type', id);
    const bounds = [
      ...(query.from === undefined ? [] : [`timeOfEvent=ge="${query.from}"`]),
      ...(query.to === undefined ? [] : [`timeOfEvent=lt="${query.to}"`]),
    ];
    const { filtered, total } = await list(event, { filter: [`eventTypeID==${id}`, ...bounds], start: 0, count: 0 });
    return { results: [], filtered, total };
  },
});

/** Makes the same change to many types, all or none. In the order of their ids, to prevent deadlocks between requests. */
async function changeTypes({ tx }: Context, { id, ...set }: { id: number[] }): Promise<Answer> {
  for (const typeID of [...distinctIds(id)].sort((a, b) => a - b)) await tx.records.update(eventTypes, typeID, set);
  return {};
}

const setGroup = action(eventTypes, {
  name: 'group',
  method: 'POST',
  path: '/group',
  doc: 'Limit event types to the members of a group',
  body: {
    kind: 'object',
    name: 'EventTypeGroup',
    properties: {
      id: ids,
      groupID: {
        ...shapes.id,
        nullable: true,
        doc: 'Log only events of members of this group; null: log all events.',
      },
    },
    required: ['id', 'groupID'],
  },
  example: { id: [1], groupID: null },
  errors: ['not-found', 'protected', 'rejected'],
  run: ({ body }, context) => changeTypes(context, body),
});

const setStrategy = action(eventTypes, {
  name: 'logging-strategy',
  method: 'POST',
  path: '/logging-strategy',
  doc: 'Set where events of some types are logged',
  body: {
    kind: 'object',
    name: 'EventTypeStrategy',
    properties: { id: ids, loggingStrategy: { kind: 'choice', values: loggingStrategies } },
    required: ['id', 'loggingStrategy'],
  },
  example: { id: [1], loggingStrategy: 'INTERNAL' },
  errors: ['not-found', 'protected', 'rejected'],
  run: ({ body }, context) => changeTypes(context, body),
});

const shownFields = [
  'name',
  'metric',
  'unit',
  'warning',
  'critical',
  'forSeconds',
  'enabled',
  'current',
  'state',
] as const;

const thresholdShape = {
  kind: 'object',
  name: 'EventThreshold',
  properties: shapesOf(eventThreshold.fields, shownFields),
} as const satisfies ObjectShape;

const listThresholds = action(eventTypes, {
  name: 'list-thresholds',
  method: 'GET',
  path: '/thresholds',
  doc: 'List the self-monitoring thresholds and current values',
  result: thresholdShape,
  async run(_call, { list }) {
    const { records } = await list(eventThreshold, { filter: [], start: 0, count: 1_000 });
    return records.map((record) => Object.fromEntries(shownFields.map((name) => [name, record[name]])));
  },
});

const changeThresholds = action(eventTypes, {
  name: 'change-thresholds',
  method: 'POST',
  path: '/thresholds',
  doc: 'Change self-monitoring thresholds',
  body: {
    kind: 'list',
    item: { ...thresholdShape, name: 'EventThresholdChange', required: ['name'] },
    min: 1,
    max: 100,
  },
  example: [{ name: 'QUEUE_DEPTH', warning: 1_000, critical: 10_000 }],
  errors: ['rejected'],
  async run({ body: changes }, { db, tx }) {
    if (new Set(changes.map(({ name }) => name)).size < changes.length)
      throw invalid('name: contains a threshold twice.');
    const stored = await db.selectFrom('event_threshold').select(['id', 'name']).orderBy('id').limit(1_000).execute();
    for (const [index, { name }] of changes.entries()) {
      if (!stored.some((threshold) => threshold.name === name))
        throw rejected(`name: there is no threshold ${name}.`, `/${index}/name`);
    }
    // In the order of their ids, to prevent deadlocks between requests.
    for (const { id, name } of stored) {
      const { warning, critical, forSeconds, enabled } = changes.find((change) => change.name === name) ?? {};
      const set = Object.entries({ warning, critical, forSeconds, enabled }).filter(([, value]) => value !== undefined);
      if (set.length > 0) await tx.records.update(eventThreshold, id, Object.fromEntries(set));
    }
    return {};
  },
});

export const eventTypesActions = [countEvents, setGroup, setStrategy, listThresholds, changeThresholds];
