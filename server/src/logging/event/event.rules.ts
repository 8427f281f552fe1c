import { rules } from '../../context.ts';
import { protectedRecord } from '../../kernel/failure.ts';
import { event } from './event.ts';

export const eventRules = rules(event, {
  /** Rejects the deletion of mandatory events. Deletes the notes with an event. */
  async beforeDelete({ id, name, eventTypeID }, { tx }) {
    const { rows } = await tx.client.query<{ mandatory: boolean }>(
      'select t.mandatory from event_type t where t.id = $1',
      [eventTypeID],
    );
    if (rows[0]?.mandatory)
      throw protectedRecord(
        `Event ${id} is a ${name}, which is mandatory: such events cannot be deleted, they only expire.`,
      );
    await tx.client.query('delete from event_note where event_id = $1', [id]);
  },
});
