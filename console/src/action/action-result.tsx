import type { Answer } from '@portreeve/sdk/runtime.ts';
import { Link } from 'wouter';
import type { GroupOperation } from '../document/group.ts';
import { markHidden } from '../document/value.ts';
import { Icon } from '../parts/icon.tsx';
import { count } from '../parts/number.ts';
import { text } from '../texts/text.ts';
import { ResultRows } from './result-rows.tsx';

/** The response of the service to an action. */
export function ActionResult({
  operation,
  answer,
  isTry,
}: {
  operation: GroupOperation;
  answer: Answer;
  isTry: boolean;
}) {
  const { results } = answer;
  const task = answer.httpCode === 202 ? answer.id : undefined;
  return (
    <div className="answer" role="status">
      <p className="note">
        <Icon name="check" size={14} />
        <span>
          {wordsFor(operation, answer, isTry)}
          {task !== undefined && (
            <>
              {' '}
              <Link className="link" href={`/jobs?open=${task}`}>
                {text.act.task(task)}
              </Link>
            </>
          )}
        </span>
      </p>
      {results.every(isTest) ? <Steps steps={results.flatMap(({ steps }) => steps)} /> : <ResultRows rows={results} />}
    </div>
  );
}

/** Summarises the response in one sentence. */
function wordsFor({ query, writes }: GroupOperation, { filtered, results, httpCode }: Answer, isTry: boolean): string {
  const size = filtered ?? results.length;
  if (isTry && httpCode === 202) return text.form.comparing;
  if (isTry) return query.includes('maxImpact') ? text.form.impact(count(size)) : text.form.accepted;
  if (writes) return text.act.done;
  return size === 0 ? text.act.noResults : text.act.resultCount(count(size));
}

interface Test {
  passed: boolean;
  steps: { name: string; passed: boolean; detail: string }[];
}

const isTest = (value: unknown): value is Test =>
  typeof value === 'object' && value !== null && 'passed' in value && 'steps' in value;

/** The steps of a test, each with the message of the tested component. */
const Steps = ({ steps }: { steps: Test['steps'] }) => (
  <ul className="steps">
    {steps.map((step) => (
      <li key={`${step.name} ${step.detail}`}>
        <Icon name={step.passed ? 'check' : 'x'} size={14} />
        <span className="grow">
          {markHidden(step.name)}
          {step.detail && <span className="quiet">{` ${markHidden(step.detail)}`}</span>}
        </span>
      </li>
    ))}
  </ul>
);
