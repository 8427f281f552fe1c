import { type Context, everyRow, rules } from '../../context.ts';
import { protectedRecord, rejected } from '../../kernel/failure.ts';
import { profilingRuleInvalid } from './device-profiling-rule.events.ts';
import { deviceProfilingRule, type Method, type TypeShown } from './device-profiling-rule.ts';
import { readMethods, ruleState, type SentMethod, summaryOfMethods } from './read-methods.ts';
import { typeOfRule } from './type-of-rule.ts';

const everyRule = everyRow(deviceProfilingRule, 'the catch-all ranks below all rules, also hidden ones');

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
        throw protectedRecord('The catch-all rule matches if no other rule matches: it cannot have methods.');
    } else if (after.rank !== before?.rank) {
      await keepAboveCatchAll(context, before?.rank as number | undefined, after);
    }
    after.state = ruleState(after as unknown as Parameters<typeof ruleState>[0]);
    after.methodSummaryString = summaryOfMethods(methods);
  },

  /** Emits an event when an enabled rule becomes invalid and is skipped. */
  async afterSave({ id, before, after }, { tx }) {
    if (after.state !== 'INVALID' || before?.state === 'INVALID') return;
    await tx.emit({ type: profilingRuleInvalid, element: { id, name: String(after.name) } });
  },

  beforeDelete(record) {
    if (record.catchAll) throw protectedRecord('The catch-all rule cannot be deleted.');
  },
});

/** Places a new rule without a rank directly above the catch-all, and throws if a rule would rank below it. */
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
  // A create moves the catch-all down, so the rank of the catch-all is the last one that is allowed.
  const lowest = previousRank === undefined ? last : last - 1;
  if (Number(after.rank) > lowest)
    throw rejected(`rank: the catch-all rule stays last, so the highest rank allowed is ${lowest}.`, '/rank');
}
