import { operations } from 'virtual:shell-operations';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { useRecord } from '../client/group-calls.ts';
import { useLive } from '../client/live.tsx';
import { may } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import type { GroupInfo } from '../document/group.ts';
import { recordName } from '../document/value.ts';
import { Failure, Message } from '../parts/message.tsx';
import { screenOf } from '../screens/special-screens.ts';
import { Footer } from '../shell/footer.tsx';
import { useKeys } from '../shell/keys.ts';
import { LiveMark } from '../shell/live-mark.tsx';
import { text } from '../texts/text.ts';
import { RecordActions, ViewTabs } from './record-parts.tsx';
import { RelatedRows, RelatedSize } from './related-rows.tsx';
import { type View, viewsOf } from './views.tsx';
import '../style/record-page.css';

const none: readonly string[] = [];

/** The page of a record. Some resources add an overview, a sidebar and tabs with related records. */
export function RecordPage({ group, id, head }: { group: GroupInfo; id: string; head: ReactNode }) {
  const session = useSession();
  const [search, setSearch] = useSearchParams();
  const record = useRecord(group, id);
  const { page: { Overview, Sidebar, related = [], topics = none, keys = text.keys.page } = {} } = screenOf(group);
  const { show } = useLive();
  useEffect(() => {
    show(group.isFollowed ? [group.name, ...topics] : []);
    return () => show([]);
  }, [show, group.name, group.isFollowed, topics]);

  const name = recordName(group, id, record.data);
  const change = (values: Readonly<Record<string, string>>) =>
    setSearch((before) => ({ ...Object.fromEntries(before), ...values }));
  const ofGroup = { ...(search.has('group') && { group: search.get('group')! }) };
  const close = () => setSearch({ ...ofGroup, open: id });
  const relatedViews: View[] = related.map(({ group: relatedGroup, label, filterOf }) => ({
    name: relatedGroup,
    label,
    size: (subject) => <RelatedSize name={relatedGroup} filter={filterOf(subject)} />,
    show: (subject) => <RelatedRows name={relatedGroup} filter={filterOf(subject)} />,
  }));
  // The sidebar already shows the explanation, so it needs no tab.
  const ownViews = viewsOf(group, may(session, operations['audit-record.list']));
  const views = [...relatedViews, ...ownViews.filter((view) => !Sidebar || view.name !== 'why')];
  const current = views.find((view) => view.name === search.get('view')) ?? views[0]!;
  const byNumber = views.map((view, index) => [String(index + 1), () => change({ view: view.name })] as const);
  useKeys({
    Escape: close,
    ...Object.fromEntries(byNumber),
    ...(ownViews.some((view) => view.name === 'why') && { w: () => setSearch({ explain: id }) }),
  });
  const shown = record.data;
  return (
    <>
      <header className="head">
        {head}
        <span className="quiet">›</span>
        <h2 className="record-name" title={name}>
          {name}
        </h2>
        <span className="grow" />
        {group.isFollowed && <LiveMark />}
        <RecordActions
          group={group}
          id={id}
          name={name}
          onForm={(form) => change({ form })}
          onGone={() => setSearch(ofGroup)}
        />
        <button type="button" className="button" onClick={close} title={`${text.detail.toList} (Esc)`}>
          {text.detail.toList}
        </button>
      </header>
      {record.error ? (
        <Failure error={record.error} onRetry={() => void record.refetch()} />
      ) : shown === null ? (
        <Message title={text.detail.notFound} />
      ) : shown === undefined ? null : (
        <div className="record-page">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable */}
          <section className="record-main" aria-label={name} tabIndex={0}>
            <Suspense>{Overview && <Overview group={group} record={shown} id={id} />}</Suspense>
            <ViewTabs
              views={views}
              current={current}
              shown={{ group, record: shown, id }}
              keyOf={(_view, index) => String(index + 1)}
              onView={(view) => change({ view })}
            />
            <div role="tabpanel" id="detail" aria-label={current.label}>
              {current.show({ group, record: shown, id })}
            </div>
          </section>
          {Sidebar && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
            <aside className="record-aside" aria-label={text.why.title} tabIndex={0}>
              <Suspense>
                <Sidebar group={group} record={shown} id={id} />
              </Suspense>
            </aside>
          )}
        </div>
      )}
      <Footer keys={keys} />
    </>
  );
}
