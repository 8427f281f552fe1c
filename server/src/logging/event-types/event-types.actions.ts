import { action } from '../../context.ts';
import { loggingStrategies } from '../../kernel/event-type.ts';
import { invalid, notFound, rejected } from '../../kernel/failure.ts';
import { distinctIds } from '../../kernel/runtime.ts';
import { integerMax, type ObjectShape } from '../../kernel/shape.ts';
import { event } from '../event/event.ts';
import { eventThreshold } from '../event-threshold/event-threshold.ts';
import { eventTypes } from './event-types.ts';

const ids = {
  kind: 'list',
  item: { kind: 'integer', min: 1, max: integerMax },
  min: 1,
  max: 5_000,
  doc: 'Identities of the event types.',
} as const;

const countEvents = action(eventTypes, {
  name: 'count-events',
  method: 'GET',
  path: '/count/{id}',
  doc: 'Count the live events of a type',
  query: {
    from: { shape: { kind: 'time', doc: 'Only events from here on.' } },
    to: { shape: { kind: 'time', doc: 'Only events before this.' } },
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

/** The same change of many types: all or none, in the order of their ids, so that two lists cannot wait for each other. */
const change = (particular: { name: string; doc: string; body: ObjectShape; example: object }) =>
  action(eventTypes, {
    ...particular,
    method: 'POST',
    path: `/${particular.name}`,
    errors: ['not-found', 'protected', 'rejected'],
    async run({ body }, { tx }) {
      const { id, ...set } = body as { id: number[] };
      for (const each of [...distinctIds(id)].sort((a, b) => a - b)) await tx.records.update(eventTypes, each, set);
      return {};
    },
  });

const setGroup = change({
  name: 'group',
  doc: 'Limit event types to the members of a group',
  body: {
    kind: 'object',
    name: 'EventTypeGroup',
    properties: {
      id: ids,
      groupID: {
        kind: 'integer',
        min: 1,
        max: integerMax,
        nullable: true,
        doc: 'A group of what the events happen to; null: log all.',
      },
    },
    required: ['id', 'groupID'],
  },
  example: { id: [1], groupID: null },
});

const setStrategy = change({
  name: 'logging-strategy',
  doc: 'Say where events of some types are logged; every node acts on it within a second',
  body: {
    kind: 'object',
    name: 'EventTypeStrategy',
    properties: { id: ids, loggingStrategy: { kind: 'choice', values: loggingStrategies } },
    required: ['id', 'loggingStrategy'],
  },
  example: { id: [1], loggingStrategy: 'INTERNAL' },
});

const shown = ['name', 'metric', 'unit', 'warning', 'critical', 'forSeconds', 'enabled', 'current', 'state'] as const;
const shapeOf = (name: string) => eventThreshold.fields[name as (typeof shown)[number]].shape;

const thresholdShape: ObjectShape = {
  kind: 'object',
  name: 'EventThreshold',
  properties: Object.fromEntries(shown.map((name) => [name, shapeOf(name)])),
};

const listThresholds = action(eventTypes, {
  name: 'list-thresholds',
  method: 'GET',
  path: '/thresholds',
  doc: 'List the limits that the service watches itself by, with what was measured last',
  result: thresholdShape,
  async run(_call, { list }) {
    const { records } = await list(eventThreshold, { filter: [], start: 0, count: 1_000 });
    return records.map((record) => Object.fromEntries(shown.map((name) => [name, record[name]])));
  },
});

interface SentThreshold {
  name: string;
  warning?: number | null;
  critical?: number | null;
  forSeconds?: number;
  enabled?: boolean;
}

const changeThresholds = action(eventTypes, {
  name: 'change-thresholds',
  method: 'POST',
  path: '/thresholds',
  doc: 'Change limits that the service watches itself by; absent fields keep their value',
  body: {
    kind: 'list',
    item: { ...thresholdShape, name: 'EventThresholdChange', required: ['name'] },
    min: 1,
    max: 100,
  },
  example: [{ name: 'QUEUE_DEPTH', warning: 1_000, critical: 10_000 }],
  errors: ['rejected'],
  async run({ body }, { db, tx }) {
    const sent = body as SentThreshold[];
    if (new Set(sent.map(({ name }) => name)).size < sent.length) throw invalid('name: names a threshold twice.');
    const stored = await db.selectFrom('event_threshold').select(['id', 'name']).orderBy('id').limit(1_000).execute();
    for (const [index, { name }] of sent.entries()) {
      if (!stored.some((each) => each.name === name))
        throw rejected(`/${index}/name: no threshold is called ${name}.`, `/${index}/name`);
    }
    // In the order of their ids, so that two lists cannot wait for each other.
    for (const { id, name } of stored) {
      const { warning, critical, forSeconds, enabled } = sent.find((each) => each.name === name) ?? {};
      const set = Object.entries({ warning, critical, forSeconds, enabled }).filter(([, value]) => value !== undefined);
      if (set.length > 0) await tx.records.update(eventThreshold, id, Object.fromEntries(set));
    }
    return {};
  },
});

export const eventTypesActions = [countEvents, setGroup, setStrategy, listThresholds, changeThresholds];
