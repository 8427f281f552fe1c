import { log } from '../../kernel/declare.ts';
import { computed, field, identity, landscape, text } from '../../kernel/field.ts';
import { integerMax } from '../../kernel/shape.ts';

/** Everything noteworthy that happened. */
export const event = log({
  name: 'event',
  title: 'Event',
  permission: 'events-alarms',
  doc: 'Everything noteworthy that happened, written in the transaction that caused it.',
  patterns: [],
  slice: 'day',
  age: { setting: 'eventDays', days: 30 },
  identity: 'id',
  label: 'name',
  timeField: 'timeOfEvent',
  indexes: [['elementType', 'elementID'], ['name']],
  fields: {
    landscape,
    id: identity(),
    name: text({ max: 80, search: true }),
    elementType: field<number>({ kind: 'integer', min: 0, max: 11 }),
    elementID: field<number>({ kind: 'integer', min: 0, max: integerMax }),
    elementName: text({ max: 300, nullable: true }),
    message: text({ max: 4_000, nullable: true, search: true }),
    timeOfEvent: computed<string>({ kind: 'time' }, 'r.at'),
    eventFormatString: text({ max: 4_000, doc: 'The readable text.' }),
    requestID: text({ max: 80, nullable: true }),
  },
});
