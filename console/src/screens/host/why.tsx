import type { PolicyDecision, TraceEntry } from '@portreeve/sdk/generated/api.ts';
import { Link } from 'wouter';
import type { GroupInfo } from '../../document/group.ts';
import { markHidden } from '../../document/value.ts';
import { Failure } from '../../parts/message.tsx';
import { text } from '../../texts/text.ts';
import { DecidedAccess } from './decided-access.tsx';
import { checkWords, resultWords } from './decision.ts';
import { useDecisions } from './decisions.ts';

/** The explanation of a host's access: the reason, then every step and check in the order of evaluation. */
export function Why({
  group,
  id,
  isVerdictShown = false,
}: {
  group: GroupInfo;
  id: string;
  /** The page already shows the access. */
  isVerdictShown?: boolean;
}) {
  const { data, error, refetch } = useDecisions(group, id);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return data?.map((decision) => (
    <Decision key={decision.adapterID} data={decision} id={id} isVerdictShown={isVerdictShown && data.length === 1} />
  ));
}

/** The decision for one adapter. */
function Decision({ data, id, isVerdictShown }: { data: PolicyDecision; id: string; isVerdictShown: boolean }) {
  return (
    <>
      <section className="section">
        {!isVerdictShown && <DecidedAccess decision={data} />}
        <p className="quiet">{text.why.generation(data.generation, data.mac)}</p>
        <Link
          className="button"
          href={`/hosts?explain=${id}${data.adapterID === null ? '' : `&adapterID=${data.adapterID}`}`}
        >
          {text.explain.open}
        </Link>
      </section>
      {data.trace.length > 0 && (
        <section className="section">
          <h3>{text.why.steps}</h3>
          <ol className="trace">
            {data.trace.map((entry) => (
              <Step key={`${entry.kind} ${entry.id}`} entry={entry} />
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

function Step({ entry }: { entry: TraceEntry }) {
  const applies = entry.result === 'MATCH';
  const rank = entry.rank === null ? '' : `${entry.rank}. `;
  return (
    <li className={applies ? 'applies' : undefined}>
      <details open={applies && entry.checks.length > 0}>
        <summary>
          <span className="step">{entry.step}</span>
          <span className="grow">
            {rank}
            {markHidden(entry.name)}
          </span>
          <span>{resultWords(entry.result)}</span>
        </summary>
        <ul className="checks">
          {entry.checks.map((check) => (
            <li key={checkWords(check)}>
              <span className={check.ok ? 'quiet' : undefined}>
                {check.ok ? '✓' : '✕'} {markHidden(checkWords(check))}
              </span>
            </li>
          ))}
          {entry.checks.length === 0 && <li>{text.why.noChecks}</li>}
        </ul>
      </details>
    </li>
  );
}
