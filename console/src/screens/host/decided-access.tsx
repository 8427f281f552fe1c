import type { PolicyDecision } from '@portreeve/sdk/generated/api.ts';
import { markHidden, readableValue } from '../../document/value.ts';
import { AccessState, isAccessState } from '../../pictures/access-state.tsx';
import { valueWords } from './decision.ts';

/** The decided access state, its access value and the reason. */
export const DecidedAccess = ({ decision: { accessState, outcome, value, reason } }: { decision: PolicyDecision }) => (
  <>
    <h3>
      {isAccessState(accessState) ? <AccessState state={accessState} /> : readableValue(outcome)}
      {value && ` · ${valueWords(value)}`}
    </h3>
    <p>{markHidden(reason)}</p>
  </>
);
