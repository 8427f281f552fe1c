import { useState } from 'react';
import { operationOf, type RecordValue, useRecord, useUsage } from '../client/group-calls.ts';
import type { GroupInfo } from '../document/group.ts';
import { marked } from '../document/value.ts';
import { Icon } from '../parts/icon.tsx';
import { Failure, Message } from '../parts/message.tsx';
import { useKeys } from '../shell/keys.ts';
import { text } from '../texts/text.ts';
import { Facts } from './facts.tsx';

type Tab = 'facts' | 'usage' | 'raw';

/** One record next to its list. */
export function Drawer({ group, id, onClose }: { group: GroupInfo; id: string; onClose(): void }) {
  const record = useRecord(group, id);
  const [tab, setTab] = useState<Tab>('facts');
  useKeys({ Escape: onClose });
  const name = marked(String(record.data?.[group.label ?? ''] || `${group.title} ${id}`));
  const tabs: Tab[] = operationOf(group, 'usage') ? ['facts', 'usage', 'raw'] : ['facts', 'raw'];
  return (
    <aside className="drawer appears" aria-label={name}>
      <header className="drawer-head">
        <h2 title={name}>{name}</h2>
        <span className="grow" />
        <button type="button" className="button plain square" onClick={onClose} title={`${text.detail.close} (Esc)`}>
          <Icon name="x" />
          <span className="hidden">{text.detail.close}</span>
        </button>
      </header>
      <div className="tabs" role="tablist" aria-label={text.detail.views}>
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={each === tab}
            aria-controls="detail"
            onClick={() => setTab(each)}
          >
            {text.detail[each]}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <div className="drawer-body" role="tabpanel" id="detail" aria-label={text.detail[tab]} tabIndex={0}>
        {record.error ? (
          <Failure error={record.error} onRetry={() => void record.refetch()} />
        ) : record.data === null ? (
          <Message title={text.detail.gone} />
        ) : record.data ? (
          <View tab={tab} group={group} record={record.data} id={id} />
        ) : null}
      </div>
    </aside>
  );
}

function View({ tab, group, record, id }: { tab: Tab; group: GroupInfo; record: RecordValue; id: string }) {
  if (tab === 'facts') return <Facts group={group} record={record} heading="h3" />;
  if (tab === 'usage') return <UsedBy group={group} id={id} />;
  return <pre className="raw mono">{marked(JSON.stringify(record, null, 2)).replaceAll('‹U+000A›', '\n')}</pre>;
}

/** Who refers to the record, and so would be hit by its end. */
function UsedBy({ group, id }: { group: GroupInfo; id: string }) {
  const { data, error, refetch } = useUsage(group, id);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.length === 0) return <p className="quiet section">{text.detail.unused}</p>;
  return data.map(({ name, children }) => (
    <section className="section" key={name}>
      <h3>{name}</h3>
      <ul>
        {children.map((child) => (
          <li key={child}>{marked(child)}</li>
        ))}
      </ul>
    </section>
  ));
}
