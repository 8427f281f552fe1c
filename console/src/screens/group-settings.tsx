import type { ReactNode } from 'react';
import { useSettings } from '../client/group-calls.ts';
import { Facts } from '../detail/facts.tsx';
import type { GroupInfo } from '../document/group.ts';
import { Failure } from '../parts/message.tsx';

/** A group that has one record: settings of the cell. */
export function GroupSettings({ group, head }: { group: GroupInfo; head: ReactNode }) {
  const { data, error, refetch } = useSettings(group);
  return (
    <>
      <header className="head">{head}</header>
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section className="sheet-of-facts" aria-label={group.title} tabIndex={0}>
          <p className="quiet section">{group.doc}</p>
          {data && <Facts group={group} record={data} heading="h2" />}
        </section>
      )}
    </>
  );
}
