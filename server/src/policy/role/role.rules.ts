import { type Context, type RecordValue, rules } from '../../context.ts';
import { invalid, protectedRecord, rejected } from '../../kernel/failure.ts';
import { refuseHiddenMembers } from '../../system/group/group.service.ts';
import { roleAssign } from './role.jobs.ts';
import { lockClaims, markRolesDue } from './role.service.ts';
import { defaultRole, role } from './role.ts';

export const roleRules = rules(role, {
  async beforeLock(changes, { tx }) {
    if (!changes || changes.rank !== undefined || changes.groupIDs !== undefined) await lockClaims(tx.client);
  },

  async beforeSave({ before, after, sent: changes }, context) {
    if (changes.groupIDs !== undefined) await refuseOtherGroups(context, after.groupIDs as number[]);
    await refuseHiddenMembers(context, claimsChanged(before, after), 'rejected');
    if (before?.name === defaultRole) {
      if (after.name !== before.name)
        throw protectedRecord(`${defaultRole} cannot be renamed: the service refers to it by name.`);
      if (after.rank !== before.rank)
        throw protectedRecord(`${defaultRole} is always the last role and cannot be moved.`);
    } else if (after.rank !== before?.rank) {
      await keepAboveDefault(context, before, after);
    }
  },

  /** Marks the members of its groups as due, because they may get this role or lose it. */
  async afterSave({ before, after }, context) {
    if (before?.rank === after.rank && sameIds(before?.groupIDs, after.groupIDs)) return;
    const groups = new Set([...((before?.groupIDs ?? []) as number[]), ...(after.groupIDs as number[])]);
    if (await markRolesDue(context.tx.client, [...groups])) context.tx.notify(roleAssign.name);
  },

  async beforeDelete(record, context) {
    if (record.builtIn) throw protectedRecord(`${record.name} is built in and cannot be deleted.`);
    await refuseHiddenMembers(context, record.groupIDs as number[], 'in-use');
  },
});

/** Returns the groups whose members may get another role by this save: added and removed ones, or all if the rank changes. */
function claimsChanged(before: RecordValue | undefined, after: RecordValue): number[] {
  const [was, is] = [(before?.groupIDs ?? []) as number[], (after.groupIDs ?? []) as number[]];
  if (before && before.rank !== after.rank) return [...was, ...is];
  return [...was.filter((id) => !is.includes(id)), ...is.filter((id) => !was.includes(id))];
}

const sameIds = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Rejects groups other than those of hosts and users. The kernel rejects a group that does not exist. */
async function refuseOtherGroups({ db }: Context, ids: readonly number[]): Promise<void> {
  if (new Set(ids).size < ids.length)
    throw invalid([{ pointer: '/groupIDs', message: 'groupIDs: contains a group twice.' }]);
  if (ids.length === 0) return;
  const otherGroup = await db
    .selectFrom('group')
    .select(['name', 'type'])
    .where('id', 'in', ids)
    .where('type', 'not in', ['HOST', 'USER'])
    .executeTakeFirst();
  if (otherGroup)
    throw rejected(
      `groupIDs: ${otherGroup.name} is a ${otherGroup.type} group; use host and user groups.`,
      '/groupIDs',
    );
}

/** Places a new role without a rank directly above the default role, and rejects ranks below it. */
async function keepAboveDefault({ db }: Context, before: RecordValue | undefined, after: RecordValue): Promise<void> {
  const { rank: last } = await db
    .selectFrom('role')
    .select('rank')
    .where('name', '=', defaultRole)
    .executeTakeFirstOrThrow();
  if (!before && after.rank === 0) after.rank = last;
  // A new role moves the default role down, so the highest rank allowed is the current rank of the default role.
  const lowest = before ? last - 1 : last;
  if (Number(after.rank) > lowest)
    throw rejected(`rank: ${defaultRole} stays last, so the highest rank allowed is ${lowest}.`, '/rank');
}
