import { rules } from '../../context.ts';
import { elementTypes } from '../../kernel/declare/event-type.ts';
import { protectedRecord, rejected } from '../../kernel/failure.ts';
import { group } from '../../system/group/group.ts';
import { eventTypes } from './event-types.ts';

const notInTheLog = ['DISABLED', 'EXTERNAL'];

export const eventTypesRules = rules(eventTypes, {
  async beforeSave({ after }, { tx }) {
    if (after.mandatory && notInTheLog.includes(String(after.loggingStrategy)))
      throw protectedRecord(
        `${after.name} is mandatory, so its events are always logged; use INTERNAL or INTERNAL_AND_EXTERNAL.`,
      );
    if (after.groupID === null || after.groupID === undefined) return;
    const { rows } = await tx.client.query<{ name: string; type: string }>(
      `select g.name, g.type from ${tx.visible(group)} g where g.id = $1`,
      [after.groupID],
    );
    // The kernel rejects a group that does not exist or is hidden.
    if (rows[0] && elementTypes.indexOf(rows[0].type.toLowerCase() as never) !== after.elementType)
      throw rejected(
        `groupID: ${rows[0].name} is a group of type ${rows[0].type}, but events of type ${after.name} concern ${elementTypes[Number(after.elementType)]}.`,
        '/groupID',
      );
  },

  /** Invalidates the event types cached by every node. */
  async afterSave(_step, { tx }) {
    await tx.client.query(`select pg_notify('event_types_changed', '')`);
  },
});
