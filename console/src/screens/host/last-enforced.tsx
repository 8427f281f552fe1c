import type { PolicyDecision } from '@portreeve/sdk/generated/api.ts';
import type { RecordValue } from '../../client/group-calls.ts';
import { useRelated } from '../../client/related.ts';
import { inWords, marked } from '../../document/value.ts';
import { AccessState, isAccessState } from '../../pictures/access-state.tsx';
import { text } from '../../texts/text.ts';

/** What was decided and carried out last for an adapter, as the logs kept it. */
export function LastEnforced({ decision: { mac } }: { decision: PolicyDecision }) {
  const [change] = useRelated('port-change', `mac==${mac}`, 1).answer?.results ?? [];
  const [answer] = useRelated('radius-response', `callingStationId==${mac}`, 1).answer?.results ?? [];
  const isChange = change !== undefined && timeOf(change.timestamp) >= timeOf(answer?.date);
  if (isChange) return <PortChange change={change} />;
  return answer ? <RadiusAnswer answer={answer} /> : null;
}

const timeOf = (value: unknown): number => (value === undefined ? 0 : Date.parse(String(value)));

const Then = ({ at, children }: { at: unknown; children: React.ReactNode }) => (
  <section aria-label={text.explain.kept}>
    <p className="quiet">
      {text.explain.kept}, {new Date(String(at)).toLocaleString()}
    </p>
    {children}
  </section>
);

const PortChange = ({ change }: { change: RecordValue }) => (
  <Then at={change.timestamp}>
    <h3>
      {isAccessState(change.accessState) ? <AccessState state={change.accessState} /> : inWords(String(change.reason))}
      {change.toVlan !== null && ` · VLAN ${marked(String(change.toVlan))}`}
    </h3>
    <p>
      {[
        text.explain.keptPort(marked(`${change.deviceName} ${change.portName}`)),
        change.policyName && text.explain.policy(marked(String(change.policyName))),
        change.errorMessage && marked(String(change.errorMessage)),
      ]
        .filter(Boolean)
        .join(', ')}
    </p>
  </Then>
);

const RadiusAnswer = ({ answer }: { answer: RecordValue }) => (
  <Then at={answer.date}>
    <h3>
      {inWords(String(answer.reply))}
      {answer.cause !== 'NONE' && ` · ${inWords(String(answer.cause))}`}
    </h3>
    <p>
      {marked(String(answer.message))}{' '}
      <span className="quiet">
        {text.explain.keptRadius(marked([answer.nas, answer.nasPort ?? answer.ssid].filter(Boolean).join(' ')))}
      </span>
    </p>
  </Then>
);
