import type { Context } from '../../context.ts';
import type { SaveStep } from '../../kernel/write/engine.ts';
import { type HeldGroup, join, leave } from './membership.ts';

/** Whoever gets a profile joins the built-in group of administrators, and whoever loses it leaves. */
export async function followProfile({ id, before, after }: SaveStep, context: Context): Promise<void> {
  const was = (before?.adminProfileDBID ?? null) !== null;
  const is = (after.adminProfileDBID ?? null) !== null;
  if (was === is) return;
  const { rows } = await context.tx.client.query<HeldGroup>(
    `select g.id, g.name, g.type, g.source, g.user_group as "userGroup" from "group" g where g.tag = 'all-administrators'`,
  );
  await (is ? join : leave)(context, rows, [id]);
}
