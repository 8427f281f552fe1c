import { type EventType, eventType } from '../event-type.ts';

const common = {
  category: 'LOGGING',
  elementType: 11,
  format: 'Slice {slice} of {log}: {outcome}.',
} as const;

export const logArchiveCreated = eventType({
  ...common,
  name: 'LOG_ARCHIVE_CREATED',
  description: 'A closed slice of a log was written to a file and read back.',
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
  description: 'Rows of an archive were brought back into their log.',
  syslogSeverity: 5,
});

export const logPurged = eventType({
  ...common,
  name: 'LOG_PURGED',
  description: 'A slice of a log was past its age and left the database.',
  mandatory: true,
  syslogSeverity: 5,
});

export const logOverload = eventType({
  name: 'LOG_OVERLOAD',
  description: 'More came than a log could take, and what may be dropped was.',
  category: 'LOGGING',
  elementType: 11,
  format: 'The log {element} could not take all that came: dropped were {counts}.',
  syslogSeverity: 4,
});

export type LogEventType = typeof logArchiveCreated;

/** What the log engine tells. */
export const logEventTypes: readonly EventType[] = [
  logArchiveCreated,
  logArchiveFailed,
  logArchiveImported,
  logPurged,
  logOverload,
];
