import { collection } from '../../kernel/declare.ts';
import { elementTypes, eventCategories, loggingStrategies } from '../../kernel/event-type.ts';
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
} from '../../kernel/field.ts';

/** What kinds of events there are, and how each is logged. Code says what they are; a row is upserted when a node starts. */
export const eventTypes = collection({
  name: 'event-type',
  title: 'Event type',
  path: '/logging/event-types',
  permission: 'events-alarms',
  doc: 'The kinds of events there are, and how each is logged. They are defined by code: only strategy and group can be changed.',
  columns: ['id', 'name', 'category', 'loggingStrategy', 'groupID', 'mandatory', 'displayName'],
  patterns: ['list', 'count', 'countAll'],
  fields: {
    id: identity('Stable number of the type; those registered at run time begin at 100000.'),
    landscape,
    version,
    ...modified,
    guid: managed.guid,
    globalModifiedDate: managed.globalModifiedDate,
    note: text({ max: 2_000, default: '' }),
    name: text({ min: 1, max: 80, unique: true, search: true, doc: 'The name that events of this type carry.' }),
    displayName: text({ max: 120, search: true }),
    description: text({ max: 500, search: true, doc: 'What has happened when such an event is logged.' }),
    category: choice(eventCategories, { doc: 'What part of the network or the service it is about.' }),
    elementType: integer({
      min: 0,
      max: elementTypes.length - 1,
      doc: `Code of what it happens to: ${elementTypes.map((name, code) => `${code} ${name}`).join(', ')}.`,
    }),
    format: text({ max: 500, doc: 'The readable text of its events, with {placeholders}.' }),
    loggingStrategy: choice(loggingStrategies, {
      default: 'INTERNAL',
      doc: 'Where its events go: nowhere, into the event log, to log receivers, or both. Only counted when not into the log.',
    }),
    groupID: reference('group', 'set null', {
      nullable: true,
      doc: 'Only events of members of this group are logged; null: all.',
    }),
    clearEventTypeID: reference('event-type', 'restrict', {
      nullable: true,
      doc: 'The type of the event that tells the end of what this one tells.',
    }),
    mandatory: flag({ doc: 'Always logged, and its events cannot be deleted.' }),
    droppable: flag({ doc: 'May be dropped, counted, when bulk rows come faster than they can be written.' }),
    postable: flag({ doc: 'Can be posted from outside.' }),
    syslogSeverity: integer({ min: 0, max: 7, doc: 'RFC 5424: 0 emergency … 7 debug.' }),
    mapped: computed<boolean>({ kind: 'flag' }, 'false::boolean', {
      doc: 'Whether a mapping makes alarms of its events.',
    }),
  },
});
