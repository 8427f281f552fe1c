import type { PolicyDecision } from '@portreeve/sdk/generated/api.ts';
import type { RecordValue } from '../../client/group-calls.ts';
import { useRelated } from '../../client/related.ts';
import { markHidden, readableValue } from '../../document/value.ts';
import { AccessState, isAccessState } from '../../pictures/access-state.tsx';
import { text } from '../../texts/text.ts';

/** The last applied decision for an adapter, from the logs of port changes and RADIUS replies. */
export function LastEnforced({ decision: { mac } }: { decision: PolicyDecision }) {
  const [change] = useRelated('port-change', `mac==${mac}`, 1).answer?.results ?? [];
  const [answer] = useRelated('radius-response', `callingStationId==${mac}`, 1).answer?.results ?? [];
  const isChange = change !== undefined && timeOf(change.timestamp) >= timeOf(answer?.date);
  if (isChange) return <PortChange change={change} />;
  return answer ? <RadiusAnswer answer={answer} /> : null;
}

const timeOf = (value: unknown): number => (value === undefined ? 0 : Date.parse(String(value)));

const LoggedDecision = ({ at: instant, children }: { at: unknown; children: React.ReactNode }) => (
  <section aria-label={text.explain.lastApplied}>
    <p className="quiet">
      {text.explain.lastApplied}, {new Date(String(instant)).toLocaleString()}
    </p>
    {children}
  </section>
);

const PortChange = ({ change }: { change: RecordValue }) => (
  <LoggedDecision at={change.timestamp}>
    <h3>
      {isAccessState(change.accessState) ? (
        <AccessState state={change.accessState} />
      ) : (
        readableValue(String(change.reason))
      )}
      {change.toVlan !== null && ` · VLAN ${markHidden(String(change.toVlan))}`}
    </h3>
    <p>
      {[
        text.explain.setOn(markHidden(`${change.deviceName} ${change.portName}`)),
        change.policyName && text.explain.policy(markHidden(String(change.policyName))),
        change.errorMessage && markHidden(String(change.errorMessage)),
      ]
        .filter(Boolean)
        .join(', ')}
    </p>
  </LoggedDecision>
);

const RadiusAnswer = ({ answer }: { answer: RecordValue }) => (
  <LoggedDecision at={answer.date}>
    <h3>
      {readableValue(String(answer.reply))}
      {answer.cause !== 'NONE' && ` · ${readableValue(String(answer.cause))}`}
    </h3>
    <p>
      {markHidden(String(answer.message))}{' '}
      <span className="quiet">
        {text.explain.sentTo(markHidden([answer.nas, answer.nasPort ?? answer.ssid].filter(Boolean).join(' ')))}
      </span>
    </p>
  </LoggedDecision>
);
