import { type EventType, eventType } from '../declare/event-type.ts';

const common = {
  category: 'LOGGING',
  elementType: 11,
  format: 'Slice {slice} of {log}: {outcome}.',
} as const;

export const logArchiveCreated = eventType({
  ...common,
  name: 'LOG_ARCHIVE_CREATED',
  description: 'A closed slice of a log was archived to a file and verified.',
});

export const logArchiveFailed = eventType({
  ...common,
  name: 'LOG_ARCHIVE_FAILED',
  description: 'A closed slice of a log could not be written to a file; it stays where it is.',
  clear: 'LOG_ARCHIVE_CREATED',
  syslogSeverity: 3,
});

export const logArchiveImported = eventType({
  ...common,
  name: 'LOG_ARCHIVE_IMPORTED',
  description: 'Rows of an archive were imported into their log.',
  syslogSeverity: 5,
});

export const logPurged = eventType({
  ...common,
  name: 'LOG_PURGED',
  description: 'An expired slice of a log was removed from the database.',
  mandatory: true,
  syslogSeverity: 5,
});

export const logOverload = eventType({
  name: 'LOG_OVERLOAD',
  description: 'A log received more rows than it could store, and droppable rows were dropped.',
  category: 'LOGGING',
  elementType: 11,
  format: 'The log {element} was overloaded: dropped {counts}.',
  syslogSeverity: 4,
});

export type LogEventType = typeof logArchiveCreated;

/** Event types of the log engine. */
export const logEventTypes: readonly EventType[] = [
  logArchiveCreated,
  logArchiveFailed,
  logArchiveImported,
  logPurged,
  logOverload,
];
