import type { PolicyDecision, TraceEntry } from '@portreeve/sdk/generated/api.ts';
import { PortreeveError } from '@portreeve/sdk/runtime.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useRecord } from '../../client/group-calls.ts';
import { useSession } from '../../client/session-context.ts';
import type { GroupInfo, InputField } from '../../document/group.ts';
import { findOperation } from '../../document/operations.ts';
import { markHidden, recordName } from '../../document/value.ts';
import { sentValue } from '../../form/entry.ts';
import { Field } from '../../form/field.tsx';
import { FormState } from '../../form/form-state.ts';
import { Failure, Refusal } from '../../parts/message.tsx';
import { messageOf } from '../../parts/message-of.ts';
import { Footer } from '../../shell/footer.tsx';
import { useKeys } from '../../shell/keys.ts';
import { text } from '../../texts/text.ts';
import { compareTraces, radiusParameters } from './compare.ts';
import { DecidedAccess } from './decided-access.tsx';
import { checkWords, resultWords } from './decision.ts';
import { LastEnforced } from './last-enforced.tsx';
import '../../style/form.css';
import '../../style/explain.css';

/** The current decision for a host next to the decision under changed conditions, such as another port, role or time. The address contains the conditions. */
export function Explain({ group, id, head }: { group: GroupInfo; id: string; head: ReactNode }) {
  const [search, setSearch] = useSearchParams();
  const record = useRecord(group, id);
  const fields = useMemo(() => questionFields(group), [group]);
  const question = Object.fromEntries(
    fields.flatMap(({ name }) => (search.has(name) ? [[name, search.get(name)!]] : [])),
  );
  const { adapterID, ...changedConditions } = question;
  const isAsked = Object.keys(changedConditions).length > 0;
  const now = useDecision(group, id, adapterID === undefined ? {} : { adapterID }, true);
  const whatIf = useDecision(group, id, question, isAsked);
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const ask = (values: Readonly<Record<string, string>>) => setSearch({ explain: id, ...values });
  const close = () => setSearch({ open: id, view: 'why' });
  useKeys({ Escape: close, d: () => setOnlyDifferent(!onlyDifferent) });
  const name = recordName(group, id, record.data);
  const steps = now.data ? compareTraces(now.data.trace, (isAsked ? whatIf.data : now.data)?.trace ?? []) : [];
  const shown = onlyDifferent && isAsked ? steps.filter(({ isDifferent }) => isDifferent) : steps;
  const differences = steps.filter(({ isDifferent }) => isDifferent).length;
  return (
    <>
      <header className="head">
        {head}
        <span className="quiet">›</span>
        <h2 className="record-name">{text.explain.title(name)}</h2>
        <span className="grow" />
        <Link className="button" href={`/hosts?open=${id}`}>
          {text.detail.close}
        </Link>
      </header>
      <div className="explain">
        <Question key={search.toString()} fields={fields} question={question} fault={whatIf.error} onAsk={ask} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable */}
        <section className="explain-answer" aria-label={text.why.steps} tabIndex={0}>
          {now.error ? (
            <Failure error={now.error} onRetry={() => void now.refetch()} />
          ) : (
            <>
              <div className="verdicts">
                {now.data && <LastEnforced decision={now.data} />}
                {now.data && <Verdict title={text.explain.now} decision={now.data} />}
                {isAsked && whatIf.data && <Verdict title={text.explain.whatIf} decision={whatIf.data} />}
              </div>
              {isAsked && whatIf.data && (
                <p className="differences">
                  <span role="status">{text.explain.differences(differences)}</span>
                  <button
                    type="button"
                    className="button"
                    aria-pressed={onlyDifferent}
                    onClick={() => setOnlyDifferent(!onlyDifferent)}
                  >
                    {text.explain.onlyDifferences}
                  </button>
                </p>
              )}
              <table className="steps-table">
                <thead>
                  <tr>
                    <th scope="col">{text.explain.step}</th>
                    <th scope="col">{text.explain.check}</th>
                    <th scope="col">{text.explain.now}</th>
                    {isAsked && <th scope="col">{text.explain.whatIf}</th>}
                  </tr>
                </thead>
                <tbody>
                  {shown.map((step) => (
                    <tr key={step.key} className={isAsked && whatIf.data && step.isDifferent ? 'different' : undefined}>
                      <td className="number">{step.step}</td>
                      <th scope="row">
                        {step.rank !== null && `${step.rank}. `}
                        {markHidden(step.name)}
                      </th>
                      <Found entry={step.now} />
                      {isAsked && <Found entry={whatIf.data ? step.otherwise : undefined} />}
                    </tr>
                  ))}
                </tbody>
              </table>
            </>
          )}
        </section>
      </div>
      <Footer keys={text.keys.explain} />
    </>
  );
}

/** Returns the conditions that can be changed. RADIUS attributes are entered one per line. */
const questionFields = (group: GroupInfo): InputField[] =>
  (findOperation(group, 'host.policy')?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map((field) => ({
      ...field,
      label: text.explain.labels[field.name] ?? field.label,
      ...(field.name === 'radius' && { kind: 'list', items: 'text' }),
    }));

function useDecision(group: GroupInfo, id: string, question: Readonly<Record<string, string>>, isAsked: boolean) {
  const { client } = useSession();
  return useQuery<PolicyDecision>({
    queryKey: [group.name, 'policy', id, question],
    enabled: isAsked,
    queryFn: async ({ signal }) => {
      const policy = findOperation(group, 'host.policy')!;
      const { radius = '', ...query } = question;
      // Without an adapter ID, the first adapter is used.
      const { results } = await client.call<PolicyDecision>(policy, {
        path: { id },
        query: { ...query, ...radiusParameters(radius) },
        signal,
      });
      return results[0]!;
    },
  });
}

function Question({
  fields,
  question,
  fault,
  onAsk,
}: {
  fields: readonly InputField[];
  /** The conditions of the current address. */
  question: Readonly<Record<string, string>>;
  fault: unknown;
  onAsk(values: Readonly<Record<string, string>>): void;
}) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new form for each question
  const form = useMemo(() => {
    const state = new FormState(fields, {});
    for (const { name } of fields) if (question[name] !== undefined) state.set(name, question[name]);
    return state;
  }, []);
  const [rest, setRest] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!fault) return;
    const faults = fault instanceof PortreeveError ? fault.faults : [];
    setRest(faults.length > 0 ? form.mark(faults) : [messageOf(fault)]);
  }, [fault, form]);
  const ask = () => {
    const changed = form.changed.map((field) => [field.name, entryText(field, form)] as const);
    onAsk(Object.fromEntries(changed.filter(([, value]) => value !== '')));
  };
  return (
    <form
      className="question"
      aria-label={text.explain.whatIf}
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <h3>{text.explain.whatIf}</h3>
      {rest.map((message) => (
        <Refusal key={message}>{message}</Refusal>
      ))}
      {fields.map((field) => (
        <Field key={field.name} form={form} field={field} isNew />
      ))}
      <div className="line">
        <button type="submit" className="button main">
          {text.explain.evaluate}
        </button>
        <button
          type="button"
          className="button"
          onClick={() => onAsk(question.adapterID === undefined ? {} : { adapterID: question.adapterID })}
        >
          {text.explain.back}
        </button>
      </div>
    </form>
  );
}

/** Formats an entry for the address; a relative time is converted to an instant. */
function entryText(field: InputField, form: FormState): string {
  const entry = form.entry(field.name);
  if (field.kind === 'list') return String(entry ?? '');
  return String(sentValue(field, entry) ?? '');
}

const Verdict = ({ title, decision }: { title: string; decision: PolicyDecision }) => (
  <section aria-label={title}>
    <p className="quiet">
      {title}, {new Date(decision.at).toLocaleString()}
    </p>
    <DecidedAccess decision={decision} />
  </section>
);

/** The result of one decision at a step. */
const Found = ({ entry }: { entry: TraceEntry | undefined }) => (
  <td className={entry?.result === 'MATCH' ? 'applies' : undefined}>
    {entry && (
      <>
        {resultWords(entry.result)}
        {entry.checks.length > 0 && (
          <ul>
            {entry.checks.map((check) => (
              <li key={checkWords(check)} className={check.ok ? 'quiet' : undefined}>
                {check.ok ? '✓' : '✕'} {markHidden(checkWords(check))}
              </li>
            ))}
          </ul>
        )}
      </>
    )}
  </td>
);
