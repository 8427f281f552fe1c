import { operations } from 'virtual:shell-operations';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSession } from '../../client/session-context.ts';
import { and, elementsOf } from '../../filter/filter-text.ts';
import { count } from '../../parts/number.ts';
import { AccessState, isAccessState, toneOf } from '../../pictures/access-state.tsx';
import { text } from '../../texts/text.ts';

interface Count {
  value: string | null;
  count: number;
}

const byAccess = 'adapter.accessState';

/** How many of the hosts have which access: a thin bar with its words; each word filters by it. */
export function AccessShare({ filter, onFilter }: { filter: string; onFilter(filter: string): void }) {
  const { unattended } = useSession();
  const { data } = useQuery<Count[]>({
    queryKey: ['host', 'counts', filter],
    queryFn: async ({ signal }) =>
      (
        await unattended.call<Count>(operations['console.counts'], {
          query: { group: 'host', by: byAccess, filter: elementsOf(filter) },
          signal,
        })
      ).results,
    placeholderData: keepPreviousData,
  });
  const shown = (data ?? []).filter(({ value }) => isAccessState(value)) as { value: string; count: number }[];
  if (shown.length === 0) return null;
  const choose = (state: string) => {
    const condition = `${byAccess}==${state}`;
    if (!elementsOf(filter).includes(condition)) onFilter(and(filter, condition));
  };
  return (
    <section className="share" aria-label={text.hosts.share}>
      <div className="share-bar" aria-hidden="true">
        {shown.map(({ value, count: hosts }) => (
          <i key={value} className={toneOf(value)} style={{ flexGrow: hosts }} />
        ))}
      </div>
      <div className="share-words">
        {shown.map(({ value, count: hosts }) => (
          <button type="button" key={value} onClick={() => choose(value)}>
            <AccessState state={value} />
            <b>{count(hosts)}</b>
          </button>
        ))}
      </div>
    </section>
  );
}
