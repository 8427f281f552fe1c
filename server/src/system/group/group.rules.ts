import { type Context, type RecordValue, rules, type SaveStep, same } from '../../context.ts';
import { protectedRecord, rejected } from '../../kernel/failure.ts';
import { lockGraph, lockGraphShared } from './graph-lock.ts';
import { group } from './group.ts';
import {
  type LockedGroup,
  lockElements,
  lockGroups,
  refuseDirectoryGroup,
  refuseRepeated,
  setMembers,
} from './membership.ts';
import { removeFromGraph, setChildren } from './nested-groups.ts';

export const groupRules = rules(group, {
  async beforeLock(requestBody, { tx }) {
    if (!requestBody || requestBody.childGroups !== undefined) await lockGraph(tx.client);
    else if (memberIds(requestBody)) await lockGraphShared(tx.client);
  },

  async beforeSave(step, context) {
    const { before, after } = step;
    if (before && after.name !== before.name) {
      refuseDirectoryGroup(context.tx, String(before.name), String(before.source));
      if (!before.userGroup) throw protectedRecord(`${before.name} is built in and cannot be renamed.`);
    }
    refuseAging(before, after);
    await refuseSetByService(step, context);
    if (before) await setRequestedMembers(step, context);
  },

  async afterSave(step, context) {
    if (step.before) return;
    // Each group is its own ancestor, so that one join finds direct and nested members.
    await context.tx.client.query('insert into group_closure (ancestor_id, descendant_id, depth) values ($1, $1, 0)', [
      step.id,
    ]);
    await setRequestedMembers(step, context);
  },

  async beforeDelete(record, context) {
    if (!record.userGroup) throw protectedRecord(`${record.name} is built in and cannot be deleted.`);
    refuseDirectoryGroup(context.tx, String(record.name), String(record.source));
    await removeFromGraph(context, Number(record.dbid));
  },
});

/** Returns members that are sent as ids. Members in the form of a fetch or a list are ignored, so that a record can be sent back. */
function memberIds({ members }: Readonly<RecordValue>): number[] | undefined {
  const [first] = (members ?? []) as unknown[];
  return typeof first === 'number' ? (members as number[]) : undefined;
}

/** Replaces the members and children of a group by those in the request. */
async function setRequestedMembers({ id, after, sent: requestBody }: SaveStep, context: Context): Promise<void> {
  const members = memberIds(requestBody);
  const children = requestBody.childGroups as number[] | undefined;
  if (!members && !children) return;
  const [lockedGroup] = (await lockGroups(context.tx, [id])) as [LockedGroup];
  if (members) {
    refuseRepeated({ members });
    refuseDirectoryGroup(context.tx, String(after.name), lockedGroup.source);
    await lockElements(context, lockedGroup.type, members);
    await setMembers(context, lockedGroup, members);
  }
  if (children) {
    refuseRepeated({ childGroups: children });
    await setChildren(context, lockedGroup, children);
  }
}

/** Fields that the service or another operation sets: their initial values, and the advice for callers who send another value. */
const setByService: Readonly<Record<string, { initially: unknown; instead: string }>> = {
  enforcement: { initially: 'NONE', instead: 'only built-in groups have one; make this group a child of such a group' },
  tag: { initially: null, instead: 'only built-in groups have one' },
  rank: { initially: null, instead: 'it follows from enforcement' },
  userGroup: { initially: true, instead: 'it distinguishes built-in groups from others' },
  source: { initially: 'LOCAL', instead: 'it shows the origin of the group' },
  directoryID: { initially: null, instead: 'it comes from the directory' },
  directoryKey: { initially: null, instead: 'it comes from the directory' },
  dn: { initially: null, instead: 'it comes from the directory' },
  parentIDs: { initially: [], instead: 'use POST /system/group/add-to-parents' },
  managesGroupIDs: { initially: [], instead: 'use POST /system/group/{id}/manages' },
};

/** Throws if the request changes fields that the service sets. Unchanged values are accepted, so that a record can be sent back. */
async function refuseSetByService({ id, before, sent: requestBody }: SaveStep, { tx }: Context): Promise<void> {
  const names = Object.keys(setByService).filter((name) => requestBody[name] !== undefined);
  if (names.length === 0) return;
  const current = before && (await tx.records.fetch(group, id));
  for (const name of names) {
    const { initially, instead } = setByService[name]!;
    if (!same(requestBody[name], current ? (current as RecordValue)[name] : initially))
      throw rejected(`${name}: cannot be set here; ${instead}.`, `/${name}`);
  }
}

/** Throws if a group whose members cannot expire gets an expiration: only hosts expire by their groups, accounts do not yet. */
function refuseAging(before: RecordValue | undefined, { type, daysValid, daysInactive }: RecordValue): void {
  if ((daysValid === 0 && daysInactive === 0) || type === 'HOST') return;
  if (before && before.daysValid === daysValid && before.daysInactive === daysInactive) return;
  const field = daysValid === 0 ? 'daysInactive' : 'daysValid';
  const why = type === 'USER' ? 'not supported yet for users' : 'only hosts and users expire';
  throw rejected(`${field}: ${why}; a ${type} group must have 0.`, `/${field}`);
}
