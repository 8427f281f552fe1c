export { type KnownEventType, KnownEventTypes } from './known-event-types.ts';
export { type NumberedEventType, numbered, upsertEventTypes } from './upsert-event-types.ts';
