/** What other resources use of the log of connections. */

export { closeMarked } from './close-marked.ts';
export { emitStaleSessions } from './connection-log.events.ts';
export type { DisconnectReason } from './connection-log.ts';
