import type { Context, RecordValue, SaveStep } from '../../context.ts';
import type { Declaration } from '../../kernel/declare/declaration.ts';
import { rejected } from '../../kernel/failure.ts';
import { checkCriteria, type RefusedAttribute } from './check-criteria.ts';
import type { CriteriaRecord } from './criteria.ts';

export { refuseWrongWhere } from './check-criteria.ts';
export { placeChoices, whoChoices } from './choices.ts';

/** Checks a policy before it is saved, for every family. `refusalOf` returns why a family does not accept an attribute. */
export async function checkPolicy(
  context: Context,
  declaration: Declaration,
  { before, after, sent: changes }: Pick<SaveStep, 'before' | 'after' | 'sent'>,
  refusalOf?: RefusedAttribute,
): Promise<void> {
  if (changes.criteria !== undefined || !before)
    after.criteria = await checkCriteria(context, after.criteria as CriteriaRecord, refusalOf);
  if (before) await keepCatchAllLast(context, declaration, { before, after, sent: changes });
  else await placeNew(context, declaration, after, isCatchAll(after.criteria as CriteriaRecord));
}

const isCatchAll = ({ who, where, when }: CriteriaRecord): boolean =>
  when.alwaysOn && [...Object.values(who), ...Object.values(where)].every((list) => list.length === 0);

const isEnabledCatchAll = ({ enabled, criteria }: RecordValue): boolean =>
  enabled === true && isCatchAll(criteria as CriteriaRecord);

/**
 * Rejects a change of rank, criteria or the enabled flag after which an enabled policy without criteria ranks above others.
 * A policy that already ranks there may be changed in other fields, and may move down.
 */
async function keepCatchAllLast(
  context: Context,
  declaration: Declaration,
  { before, after, sent: changes }: { before: RecordValue; after: RecordValue; sent: RecordValue },
): Promise<void> {
  if (!isEnabledCatchAll(after)) return;
  if (isEnabledCatchAll(before) && Number(after.rank) >= Number(before.rank)) return;
  const below = await context.query(`select from ${context.visible(declaration)} r where r.rank > $1 limit 1`, [
    after.rank,
  ]);
  if (below.length === 0) return;
  const field = ['criteria', 'rank', 'enabled'].find((name) => changes[name] !== undefined);
  throw rejected(
    `${field}: ${after.name} has no criteria, so it matches everything and would shadow the policies below; keep it last in rank, disable it or give it criteria.`,
    `/${field}`,
  );
}

/** Places a new policy without a rank above a last policy without criteria, and rejects an enabled one without criteria that is not last. */
async function placeNew(
  context: Context,
  declaration: Declaration,
  after: RecordValue,
  catchesAll: boolean,
): Promise<void> {
  const [last] = await context.query<{ rank: number; catchesAll: boolean }>(
    `select r.rank, criteria_match_all(r.criteria) as "catchesAll" from ${context.visible(declaration)} r order by r.rank desc limit 1`,
    [],
  );
  if (catchesAll) {
    if (after.enabled && after.rank !== 0 && after.rank !== (last?.rank ?? 0) + 1)
      throw rejected(
        'criteria: without any criterion a policy matches everything and would shadow those below; create it last in rank, or disabled.',
        '/criteria',
      );
  } else if (after.rank === 0 && last?.catchesAll) after.rank = last.rank;
}
