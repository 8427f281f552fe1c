import { useCounts } from '../../client/counts.ts';
import { and, elementsOf } from '../../filter/filter-text.ts';
import { count } from '../../parts/number.ts';
import { AccessState, isAccessState, toneOf } from '../../pictures/access-state.tsx';
import { text } from '../../texts/text.ts';

const byAccess = 'adapter.accessState';

/** A bar with the number of hosts per access state; each state is a button that filters by it. */
export function AccessShare({ filter, onFilter }: { filter: string; onFilter(filter: string): void }) {
  const { data } = useCounts('host', byAccess, filter);
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
