import { type Context, everyRow, type SaveStep } from '../../context.ts';
import { group } from './group.ts';
import { join, type LockedGroup, leave } from './membership.ts';

const everyGroup = everyRow(group, 'every account with a profile is a member');

/** Adds an account that gets a profile to the built-in group of administrators, and removes it when it loses the profile. */
export async function followProfile({ id, before, after }: SaveStep, context: Context): Promise<void> {
  const was = (before?.adminProfileDBID ?? null) !== null;
  const is = (after.adminProfileDBID ?? null) !== null;
  if (was === is) return;
  const { rows } = await context.tx.client.query<LockedGroup>(
    `select g.id, g.name, g.type, g.source, g.user_group as "userGroup" from ${everyGroup} g where g.tag = 'all-administrators'`,
  );
  await (is ? join : leave)(context, rows, [id]);
}
