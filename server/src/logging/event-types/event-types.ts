import { collection, type RowOf } from '../../kernel/declare/declaration.ts';
import { elementTypes, eventCategories, loggingStrategies } from '../../kernel/declare/event-type.ts';
import {
  choice,
  computed,
  flag,
  identity,
  integer,
  landscape,
  managed,
  modified,
  reference,
  text,
  version,
} from '../../kernel/declare/field.ts';

/** The event types and how each is logged. They are declared in code; each node upserts their rows when it starts. */
export const eventTypes = collection({
  name: 'event-type',
  title: 'Event type',
  path: '/logging/event-types',
  permission: 'events-alarms',
  doc: 'Event types and how each is logged. They are defined in code; only strategy and group can be changed.',
  columns: ['id', 'name', 'category', 'loggingStrategy', 'groupID', 'mandatory', 'displayName'],
  patterns: ['list', 'count', 'countAll'],
  sections: {
    Type: ['name', 'displayName', 'description', 'category', 'elementType', 'format', 'note'],
    Logging: ['loggingStrategy', 'groupID', 'clearEventTypeID', 'mandatory', 'droppable', 'postable', 'syslogSeverity'],
  },
  fields: {
    id: identity('Stable number of the type; types registered at run time start at 100000.'),
    landscape,
    version,
    ...modified,
    guid: managed.guid,
    globalModifiedDate: managed.globalModifiedDate,
    note: text({ max: 2_000, default: '' }),
    name: text({ min: 1, max: 80, unique: true, search: true, doc: 'Name of the events of this type.' }),
    displayName: text({ max: 120, search: true }),
    description: text({ max: 500, search: true, doc: 'Meaning of the event.' }),
    category: choice(eventCategories, { doc: 'Part of the network or the service that it concerns.' }),
    elementType: integer({
      min: 0,
      max: elementTypes.length - 1,
      doc: `Code of the element type it concerns: ${elementTypes.map((name, code) => `${code} ${name}`).join(', ')}.`,
    }),
    format: text({ max: 500, doc: 'Text of its events, with {placeholders}.' }),
    loggingStrategy: choice(loggingStrategies, {
      default: 'INTERNAL',
      doc: 'Destination of its events: none, the event log, log receivers, or both. Events that are not logged are only counted.',
    }),
    groupID: reference('group', 'set null', {
      nullable: true,
      doc: 'Only events of members of this group are logged; null: all.',
    }),
    clearEventTypeID: reference('event-type', 'restrict', {
      nullable: true,
      doc: 'Type of the event that ends the condition this one reports.',
    }),
    mandatory: flag({ doc: 'Always logged, and its events cannot be deleted.' }),
    droppable: flag({ doc: 'May be dropped (and counted) when rows arrive faster than they can be stored.' }),
    postable: flag({ doc: 'Clients can post it.' }),
    syslogSeverity: integer({ min: 0, max: 7, doc: 'RFC 5424: 0 emergency … 7 debug.' }),
    mapped: computed<boolean>({ kind: 'flag' }, 'false::boolean', {
      doc: 'Whether a mapping raises alarms from its events.',
    }),
  },
});

declare module '../../database.ts' {
  interface Database {
    event_type: RowOf<typeof eventTypes>;
  }
}
