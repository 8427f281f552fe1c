import type { Context } from '../../context.ts';
import { rules } from '../../context.ts';
import { protectedRecord, rejected } from '../../kernel/failure.ts';
import { deviceProfilingRule, type Method, profilingRuleInvalid, type TypeShown } from './device-profiling-rule.ts';
import { readMethods, ruleState, type SentMethod, summaryOfMethods } from './read-methods.ts';
import { typeOfRule } from './type-of-rule.ts';

export const deviceProfilingRuleRules = rules(deviceProfilingRule, {
  async beforeSave({ before, after, sent }, context) {
    if (sent.type !== undefined) after.type = await typeOfRule(context, sent.type as Partial<TypeShown>);
    if (sent.methods !== undefined) after.methods = readMethods(after.methods as SentMethod[]);
    const methods = after.methods as Method[];
    if (before?.catchAll) {
      if (after.rank !== before.rank) throw protectedRecord('The catch-all is the last rule and cannot be moved.');
      if (methods.length > 0) throw protectedRecord('The catch-all takes what no other rule knows: it has no methods.');
    } else if (after.rank !== before?.rank) {
      await keepAboveCatchAll(context, before?.rank as number | undefined, after);
    }
    after.state = ruleState(after as unknown as Parameters<typeof ruleState>[0]);
    after.methodSummaryString = summaryOfMethods(methods);
  },

  /** A rule that is skipped although it is enabled is worth knowing of. */
  async afterSave({ id, before, after }, { tx }) {
    if (after.state !== 'INVALID' || before?.state === 'INVALID') return;
    await tx.emit({ type: profilingRuleInvalid, element: { id, name: String(after.name) } });
  },

  beforeDelete(record) {
    if (record.catchAll) throw protectedRecord('The catch-all cannot be deleted.');
  },
});

/** A new rule without a place comes right above the catch-all; no rule comes below it. */
async function keepAboveCatchAll(
  { tx }: Context,
  from: number | undefined,
  after: Record<string, unknown>,
): Promise<void> {
  const { rows } = await tx.client.query<{ rank: number }>(
    `select l.rank
     from (select r.rank, r.catch_all from device_profiling_rule r order by r.rank desc limit 1) l
     where l.catch_all`,
  );
  const last = rows[0]?.rank;
  if (last === undefined) return;
  if (from === undefined && after.rank === 0) after.rank = last;
  // On create the catch-all gives way, so its own place is the last one to be had.
  const lowest = from === undefined ? last : last - 1;
  if (Number(after.rank) > lowest)
    throw rejected(`rank: the catch-all stays last, so the lowest place is ${lowest}.`, '/rank');
}
