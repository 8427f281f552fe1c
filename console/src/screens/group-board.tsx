import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ActionResult } from '../action/action-result.tsx';
import { may } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import { RecordActionBar } from '../detail/record-action-bar.tsx';
import { groupActions, nameOf } from '../document/actions.ts';
import type { GroupInfo, GroupOperation } from '../document/group.ts';
import { Failure } from '../parts/message.tsx';
import { Footer } from '../shell/footer.tsx';
import { text } from '../texts/text.ts';
import '../style/form.css';

/** The page of a resource without a list: its status and its actions. */
export function GroupBoard({ group, head }: { group: GroupInfo; head: ReactNode }) {
  const session = useSession();
  const actions = groupActions(group);
  const questions = actions.filter((action) => isParameterlessRead(action) && may(session, action));
  return (
    <>
      <header className="head">
        {head}
        <span className="grow" />
        <RecordActionBar group={group} actions={actions} actionKey="a" />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable */}
      <section className="sheet-of-facts" aria-label={group.title} tabIndex={0}>
        <p className="quiet section">{group.doc}</p>
        {questions.map((question) => (
          <QueryResult key={question.id} group={group} operation={question} />
        ))}
      </section>
      <Footer keys={text.keys.board} />
    </>
  );
}

/** Returns whether an operation reads without any input. */
const isParameterlessRead = ({ method, parameters = [] }: GroupOperation): boolean =>
  method === 'GET' && parameters.length === 0;

/** Refresh interval: the change feed does not report these results. */
const refreshMs = 5_000;

function QueryResult({ group, operation }: { group: GroupInfo; operation: GroupOperation }) {
  const { unattended } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: [group.name, 'standing', operation.id],
    queryFn: ({ signal }) => unattended.call(operation, { signal }),
    refetchInterval: refreshMs,
  });
  return (
    <section className="section">
      <h2>{nameOf(operation)}</h2>
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        data && <ActionResult operation={operation} answer={data} isTry={false} />
      )}
    </section>
  );
}
