import { useUsage } from '../client/group-calls.ts';
import type { GroupInfo } from '../document/group.ts';
import { markHidden } from '../document/value.ts';
import { Failure } from '../parts/message.tsx';
import { text } from '../texts/text.ts';

/** The records that refer to this one; deleting it would affect them. */
export function UsedBy({ group, id }: { group: GroupInfo; id: string }) {
  const { data, error, refetch } = useUsage(group, id);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.length === 0) return <p className="quiet section">{text.detail.unused}</p>;
  return data.map(({ name, children }) => (
    <section className="section" key={name}>
      <h3>{name}</h3>
      <ul>
        {children.map((child) => (
          <li key={child}>{markHidden(child)}</li>
        ))}
      </ul>
    </section>
  ));
}
