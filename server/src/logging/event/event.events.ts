import { eventType } from '../../kernel/declare/event-type.ts';

/** A note in the event log, such as "maintenance in hall A started". */
export const adminNote = eventType({
  name: 'ADMIN_NOTE',
  description: 'An administrator added a note to the log.',
  category: 'ADMIN',
  elementType: 0,
  format: '{user}: {message}',
  postable: true,
});
