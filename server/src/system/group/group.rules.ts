import type { Context } from '../../context.ts';
import { rules } from '../../context.ts';
import { protectedRecord, rejected } from '../../kernel/failure.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import type { SaveStep } from '../../kernel/write/engine.ts';
import { holdGraph, lockGraph } from './graph-lock.ts';
import { group } from './group.ts';
import { type HeldGroup, heldGroups, holdElements, refuseByHand, refuseRepeated, setMembers } from './membership.ts';
import { removeFromGraph, setChildren } from './nested-groups.ts';

export const groupRules = rules(group, {
  async beforeLock(sent, { tx }) {
    if (!sent || sent.childGroups !== undefined) await lockGraph(tx.client);
    else if (memberIds(sent)) await holdGraph(tx.client);
  },

  async beforeSave(step, context) {
    const { before, after } = step;
    if (before && after.name !== before.name) {
      refuseByHand(context.tx, String(before.name), String(before.source));
      if (!before.userGroup) throw protectedRecord(`${before.name} is built in and cannot be renamed.`);
    }
    refuseAging(after);
    if (before) await gather(step, context);
  },

  async afterSave(step, context) {
    if (step.before) return;
    // It is its own ancestor, so that one join finds direct and nested members alike.
    await context.tx.client.query('insert into group_closure (ancestor_id, descendant_id, depth) values ($1, $1, 0)', [
      step.id,
    ]);
    await gather(step, context);
  },

  async beforeDelete(record, context) {
    if (!record.userGroup) throw protectedRecord(`${record.name} is built in and cannot be deleted.`);
    refuseByHand(context.tx, String(record.name), String(record.source));
    await removeFromGraph(context, Number(record.dbid));
  },
});

/** The members that a body names by their ids. As they were read they mean nothing, and a list shows none at all: both may be sent back. */
function memberIds({ members }: Readonly<RecordValue>): number[] | undefined {
  const [first] = (members ?? []) as unknown[];
  return typeof first === 'number' ? (members as number[]) : undefined;
}

/** Members and children that a body names become the only ones. */
async function gather({ id, after, sent }: SaveStep, context: Context): Promise<void> {
  const members = memberIds(sent);
  const children = sent.childGroups as number[] | undefined;
  if (!members && !children) return;
  const [held] = (await heldGroups(context.tx, [id])) as [HeldGroup];
  if (members) {
    refuseRepeated({ members });
    refuseByHand(context.tx, String(after.name), held.source);
    await holdElements(context, held.type, members);
    await setMembers(context, held, members);
  }
  if (children) {
    refuseRepeated({ childGroups: children });
    await setChildren(context, held, children);
  }
}

const aged = ['HOST', 'USER'];

function refuseAging({ type, daysValid, daysInactive }: RecordValue): void {
  if ((daysValid === 0 && daysInactive === 0) || aged.includes(String(type))) return;
  const field = daysValid === 0 ? 'daysInactive' : 'daysValid';
  throw rejected(`${field}: only hosts and users age; a ${type} group takes 0.`, `/${field}`);
}
