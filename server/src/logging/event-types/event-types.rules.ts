import { rules } from '../../context.ts';
import { elementTypes } from '../../kernel/event-type.ts';
import { protectedRecord, rejected } from '../../kernel/failure.ts';
import { eventTypes } from './event-types.ts';

const notInTheLog = ['DISABLED', 'EXTERNAL'];

export const eventTypesRules = rules(eventTypes, {
  async beforeSave({ after }, { tx }) {
    if (after.mandatory && notInTheLog.includes(String(after.loggingStrategy)))
      throw protectedRecord(
        `${after.name} is mandatory: its events always stand in the log; choose INTERNAL or INTERNAL_AND_EXTERNAL.`,
      );
    if (after.groupID === null || after.groupID === undefined) return;
    const { rows } = await tx.client.query<{ name: string; type: string }>(
      `select g.name, g.type from "group" g where g.id = $1`,
      [after.groupID],
    );
    // One that does not exist is the kernel's to refuse.
    if (rows[0] && elementTypes.indexOf(rows[0].type.toLowerCase() as never) !== after.elementType)
      throw rejected(
        `groupID: ${rows[0].name} is a group of type ${rows[0].type}, and ${after.name} happens to ${elementTypes[Number(after.elementType)]}.`,
        '/groupID',
      );
  },

  /** Every node forgets at once how events are logged, and reads it anew. */
  async afterSave(_step, { tx }) {
    await tx.client.query(`select pg_notify('event_types_changed', '')`);
  },
});
