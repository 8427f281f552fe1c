import type { CompiledSet } from './compile.ts';
import { type RankedList, sharedActuals } from './criteria.ts';
import { decideSubject } from './decide.ts';
import type { Check, ExplainedDecision, TraceEntry, TraceKind, TraceResult } from './decision.ts';
import type { DecisionContext } from './facts.ts';
import type { Family } from './policy-set.ts';
import { guestDefault, isRoleEnforced, type StateStep, stateSteps, subjectOf } from './steps.ts';

/** Marks the entries of lists in which only the first match applies. */
class Competition {
  #isWon = false;

  mark(isEnforced: boolean, matches: boolean): TraceResult {
    if (!isEnforced) return 'SKIPPED_NOT_ENFORCED_HERE';
    if (!matches) return this.#isWon ? 'NOT_REACHED' : 'NO_MATCH';
    if (this.#isWon) return 'NOT_REACHED_WOULD_MATCH';
    this.#isWon = true;
    return 'MATCH';
  }
}

const familyKinds: Readonly<Record<Family, TraceKind>> = {
  authentication: 'AUTHENTICATION',
  compliance: 'COMPLIANCE',
  portal: 'PORTAL',
  supplicant: 'SUPPLICANT',
};

const allOk = (checks: readonly Check[]): boolean => checks.every(({ ok }) => ok);

/** Returns the decision with all nine steps and every policy, including those after the one that applies. */
export function explainAccess(set: CompiledSet, context: DecisionContext): ExplainedDecision {
  const subject = subjectOf(set, context);
  const actuals = sharedActuals(subject, set.nameOf, set.zone);
  const access = new Competition();

  const stateEntry = (test: StateStep): TraceEntry => {
    const checks = test.checks(subject);
    return {
      step: test.step,
      kind: test.kind,
      element: null,
      name: test.name,
      rank: null,
      result: access.mark(test.isEnforced(subject), allOk(checks)),
      checks,
    };
  };

  const listEntries = (
    list: RankedList,
    step: number | null,
    kind: TraceKind,
    competition: Competition,
    isEnforced: boolean,
  ): TraceEntry[] =>
    list.checks(subject, actuals).map(({ entry, matches, checks }) => ({
      step,
      kind,
      element: entry.element,
      name: entry.element.name,
      rank: entry.rank,
      result: entry.enabled ? competition.mark(isEnforced, matches) : 'DISABLED',
      checks,
    }));

  const familyEntries = (family: Family, step: number | null): TraceEntry[] =>
    listEntries(set.familyLists[family], step, familyKinds[family], new Competition(), true);

  const [notGoverned, disabled, atRisk, notRegistered, notAuthenticated] = stateSteps;
  const isByRole = isRoleEnforced(subject);
  const trace: TraceEntry[] = [
    ...[notGoverned, disabled, atRisk, notRegistered].map(stateEntry),
    ...familyEntries('authentication', 5),
    stateEntry(notAuthenticated),
    ...listEntries(set.mappingList, 6, 'ROLE_MAPPING', access, isByRole),
    ...listEntries(set.accessList, 7, 'ACCESS', access, isByRole),
    stateEntry(guestDefault),
    {
      step: 9,
      kind: 'PORT_DEFAULT',
      element: null,
      name: 'Port default',
      rank: null,
      result: access.mark(true, true),
      checks: [],
    },
    ...familyEntries('compliance', null),
    ...familyEntries('portal', null),
    ...familyEntries('supplicant', null),
  ];
  return { ...decideSubject(subject), trace };
}
