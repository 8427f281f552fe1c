import { type Context, everyRow, rules } from '../../context.ts';
import { protectedRecord, rejected } from '../../kernel/failure.ts';
import { profilingRuleInvalid } from './device-profiling-rule.events.ts';
import { deviceProfilingRule, type Method, type TypeShown } from './device-profiling-rule.ts';
import { readMethods, ruleState, type SentMethod, summaryOfMethods } from './read-methods.ts';
import { typeOfRule } from './type-of-rule.ts';

const everyRule = everyRow(deviceProfilingRule, 'the catch-all is last of all rules');

export const deviceProfilingRuleRules = rules(deviceProfilingRule, {
  async beforeSave({ before, after, sent: requestBody }, context) {
    if (!before && after.enabled)
      throw rejected('enabled: a new rule is disabled; create it, then enable it.', '/enabled');
    if (requestBody.type !== undefined) after.type = await typeOfRule(context, requestBody.type as Partial<TypeShown>);
    if (requestBody.methods !== undefined) after.methods = readMethods(after.methods as SentMethod[]);
    const methods = after.methods as Method[];
    if (before?.catchAll) {
      if (after.rank !== before.rank) throw protectedRecord('The catch-all rule is always last and cannot be moved.');
      if (methods.length > 0)
        throw protectedRecord('The catch-all rule matches whatever no other rule matches: it cannot have methods.');
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
    if (record.catchAll) throw protectedRecord('The catch-all rule cannot be deleted.');
  },
});

/** A new rule without a place comes right above the catch-all; no rule comes below it. */
async function keepAboveCatchAll(
  { tx }: Context,
  previousRank: number | undefined,
  after: Record<string, unknown>,
): Promise<void> {
  const { rows } = await tx.client.query<{ rank: number }>(
    `select l.rank
     from (select r.rank, r.catch_all from ${everyRule} r order by r.rank desc limit 1) l
     where l.catch_all`,
  );
  const last = rows[0]?.rank;
  if (last === undefined) return;
  if (previousRank === undefined && after.rank === 0) after.rank = last;
  // On create the catch-all gives way, so its own place is the last one to be had.
  const lowest = previousRank === undefined ? last : last - 1;
  if (Number(after.rank) > lowest)
    throw rejected(`rank: the catch-all rule stays last, so the highest rank allowed is ${lowest}.`, '/rank');
}
