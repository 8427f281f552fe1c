import { resource } from '../../context.ts';
import { connectionLogActions } from './connection-log.actions.ts';
import { accountingStaleSessionsClosed } from './connection-log.events.ts';
import { lostSessions } from './connection-log.jobs.ts';
import { connectionLog } from './connection-log.ts';

export const connectionLogModule = resource('Connection log', connectionLog, {
  actions: connectionLogActions,
  events: [accountingStaleSessionsClosed],
  jobs: [lostSessions],
});
