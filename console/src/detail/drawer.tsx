import { operations } from 'virtual:shell-operations';
import { useEffect, useRef } from 'react';
import { useRecord } from '../client/group-calls.ts';
import { may } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import type { GroupInfo } from '../document/group.ts';
import { recordName } from '../document/value.ts';
import { Icon } from '../parts/icon.tsx';
import { Failure, Message } from '../parts/message.tsx';
import { useKeys } from '../shell/keys.ts';
import { text } from '../texts/text.ts';
import { RecordActions, ViewTabs } from './record-parts.tsx';
import { viewsOf } from './views.tsx';

/** Time in which a closing dialog returns the focus. */
const closedMs = 50;

/** A record in a panel next to its list. */
export function Drawer({
  group,
  id,
  view,
  onView,
  onForm,
  onPage,
  onClose,
}: {
  group: GroupInfo;
  id: string;
  /** Name of the shown view; an unknown name shows the first. */
  view: string | null;
  onView(view: string): void;
  onForm(operation: string): void;
  onPage(): void;
  onClose(): void;
}) {
  const record = useRecord(group, id);
  const panel = useRef<HTMLDivElement>(null);
  // Keeps the focus in the list. If a closed dialog left the focus on the body, the panel gets it.
  useEffect(() => {
    const timer = setTimeout(() => document.activeElement === document.body && panel.current?.focus(), closedMs);
    return () => clearTimeout(timer);
  }, []);
  const session = useSession();
  const views = viewsOf(group, may(session, operations['audit-record.list']));
  const current = views.find(({ name }) => name === view) ?? views[0]!;
  const byKey = views.flatMap(({ key, name }) => (key ? [[key, () => onView(name)] as const] : []));
  useKeys({ Escape: onClose, o: onPage, ...Object.fromEntries(byKey) });
  const name = recordName(group, id, record.data);
  return (
    <aside className="drawer appears" aria-label={name}>
      <header className="drawer-head">
        <h2 title={name}>{name}</h2>
        <span className="grow" />
        <RecordActions group={group} id={id} name={name} onForm={onForm} onGone={onClose} />
        <button type="button" className="button plain square" onClick={onPage} title={`${text.detail.page} (o)`}>
          <Icon name="maximize-2" size={14} />
          <span className="hidden">{text.detail.page}</span>
        </button>
        <button type="button" className="button plain square" onClick={onClose} title={`${text.detail.close} (Esc)`}>
          <Icon name="x" />
          <span className="hidden">{text.detail.close}</span>
        </button>
      </header>
      <ViewTabs views={views} current={current} shown={undefined} keyOf={({ key }) => key} onView={onView} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable */}
      <div className="drawer-body" role="tabpanel" id="detail" aria-label={current.label} tabIndex={0} ref={panel}>
        {record.error ? (
          <Failure error={record.error} onRetry={() => void record.refetch()} />
        ) : record.data === null ? (
          <Message title={text.detail.notFound} />
        ) : record.data ? (
          current.show({ group, record: record.data, id })
        ) : null}
      </div>
    </aside>
  );
}
