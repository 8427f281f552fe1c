import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { useSettings } from '../client/group-calls.ts';
import { Facts } from '../detail/facts.tsx';
import { editForm, RecordActionBar } from '../detail/record-action-bar.tsx';
import { groupActions } from '../document/actions.ts';
import type { GroupInfo } from '../document/group.ts';
import { Failure } from '../parts/message.tsx';
import { Footer } from '../shell/footer.tsx';
import { text } from '../texts/text.ts';

/** The page of a settings resource, which has one record. */
export function GroupSettings({ group, head }: { group: GroupInfo; head: ReactNode }) {
  const { data, error, refetch } = useSettings(group);
  const [, setSearch] = useSearchParams();
  return (
    <>
      <header className="head">
        {head}
        <span className="grow" />
        <RecordActionBar
          group={group}
          form={editForm(group)}
          actions={groupActions(group)}
          actionKey="a"
          onForm={(form) => setSearch((before) => ({ ...Object.fromEntries(before), form }))}
        />
      </header>
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
        <section className="sheet-of-facts" aria-label={group.title} tabIndex={0}>
          <p className="quiet section">{group.doc}</p>
          {data && <Facts group={group} record={data} heading="h2" />}
        </section>
      )}
      <Footer keys={text.keys.settings} />
    </>
  );
}
