import { writeInstant } from '../values/time.ts';
import { computed, type Field } from './field.ts';
import { literal } from './names.ts';
import type { ObjectShape } from './shape.ts';
import { integerMax } from './shape.ts';

const wholeNumber = { kind: 'integer', min: 0, max: integerMax } as const;

type Zone = 'Z' | '+0000';

/** An event embedded in a record, field for field as in the specification. */
const eventObject = (zone: Zone): ObjectShape => ({
  kind: 'object',
  name: zone === 'Z' ? 'EventOfRecord' : 'EventObject',
  properties: {
    landscape: wholeNumber,
    id: wholeNumber,
    state: wholeNumber,
    name: { kind: 'text', max: 80 },
    elementType: wholeNumber,
    elementID: wholeNumber,
    elementName: { kind: 'text', max: 300, nullable: true },
    message: { kind: 'text', max: 4_000, nullable: true },
    timeOfEvent: { kind: 'time', ...(zone !== 'Z' && { zone }) },
    version: { kind: 'decimal', min: 0, max: 1_000 },
    time: { kind: 'integer', min: 0, max: integerMax, doc: 'Epoch milliseconds.' },
    empty: { kind: 'flag', doc: 'True if this event has never happened.' },
    eventFormatString: { kind: 'text', max: 4_000 },
  },
});

/** The newest event of a name: stored by `emit`, read by a slot. */
export interface KeptEvent {
  id: number;
  elementName: string;
  message: string | null;
  time: number;
  text: string;
}

type Cell = Partial<KeptEvent> & { landscape: number; elementID: number };

/**
 * Returns a field with the newest event of a name for this element. If it never happened, the id is 0 and `empty` is set. Its time has
 * the zone of the record.
 */
export const eventSlot = (name: string, elementType: number, zone: Zone = 'Z'): Field<object> => ({
  embeds: name,
  propertySql: slotSql(name, elementType),
  ...computed<object>(
    { ...eventObject(zone), doc: `The newest ${name} of this record.` },
    `(jsonb_build_object('landscape', r.landscape, 'elementID', r.id) || coalesce((select e.event from latest_event e
      where e.element_type = ${elementType} and e.element_id = r.id and e.name = ${literal(name)}), '{}'::jsonb))`,
    { render: (cell) => slotObject(cell as Cell, name, elementType, zone) },
  ),
});

/** Returns SQL for each property, for filters and sorts: an event that never happened compares by the values that are shown. */
function slotSql(name: string, elementType: number): Readonly<Record<string, string>> {
  const latestSql = (expression: string) => `(select ${expression} from latest_event e
    where e.element_type = ${elementType} and e.element_id = r.id and e.name = ${literal(name)})`;
  const time = `coalesce(${latestSql(`(e.event ->> 'time')::bigint`)}, 0)`;
  return {
    landscape: 'r.landscape',
    id: `coalesce(${latestSql(`(e.event ->> 'id')::bigint`)}, 0)`,
    state: '0',
    name: literal(name),
    elementType: String(elementType),
    elementID: 'r.id',
    elementName: latestSql(`e.event ->> 'elementName'`),
    message: latestSql(`e.event ->> 'message'`),
    timeOfEvent: `('epoch'::timestamptz + ${time} * interval '1 millisecond')`,
    version: '1',
    time,
    empty: `(${latestSql('true')} is null)`,
    eventFormatString: `coalesce(${latestSql(`e.event ->> 'text'`)}, '')`,
  };
}

const slotObject = (cell: Cell, name: string, elementType: number, zone: Zone) => ({
  landscape: cell.landscape,
  id: cell.id ?? 0,
  state: 0,
  name,
  elementType,
  elementID: cell.elementID,
  elementName: cell.elementName ?? null,
  message: cell.message ?? null,
  timeOfEvent: writeInstant(cell.time ?? 0, zone),
  version: 1,
  time: cell.time ?? 0,
  empty: cell.id === undefined,
  eventFormatString: cell.text ?? '',
});
