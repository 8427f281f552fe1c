import { Link } from 'wouter';
import type { ShownRecord } from '../../detail/views.tsx';
import { markHidden, readableValue, relativeTime } from '../../document/value.ts';
import { useListOf } from '../../document/value-cell.tsx';
import { Failure } from '../../parts/message.tsx';
import { useNow } from '../../parts/surroundings.ts';
import { text } from '../../texts/text.ts';
import { useHealth } from './health.ts';
import { Why } from './why.tsx';

const shownMax = 10;

/** The sidebar of a host: explanation, health history and groups. */
export function HostSidebar({ group, record, id }: ShownRecord) {
  return (
    <>
      <Why group={group} id={id} isVerdictShown />
      <Health group={group} record={record} id={id} />
      <Groups names={Array.isArray(record.groups) ? record.groups.map(String) : []} />
    </>
  );
}

function Health({ group, record, id }: ShownRecord) {
  const nowMs = useNow();
  const { data, error, refetch } = useHealth(group, id);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return (
    <section className="section">
      <h3>
        {text.health.title} <span className="quiet">{readableValue(String(record.health))}</span>
      </h3>
      {data.length === 0 && <p className="quiet">{text.health.never}</p>}
      <ul className="health">
        {data
          .slice(0, shownMax)
          .map(({ timestamp, from: before, to: after, reason, source, sourceName, by: changedBy }) => (
            <li key={`${timestamp} ${before} ${after} ${reason}`}>
              <span className="grow">
                {readableValue(before)} → {readableValue(after)}
                {reason && `: ${markHidden(reason)}`}
                <span className="quiet"> {whoOf([readableValue(source), sourceName, changedBy])}</span>
              </span>
              <time className="quiet" dateTime={timestamp} title={timestamp}>
                {relativeTime(timestamp, nowMs)}
              </time>
            </li>
          ))}
      </ul>
    </section>
  );
}

/** Joins the names without duplicates. */
const whoOf = (names: readonly string[]): string => [...new Set(names.filter(Boolean))].map(markHidden).join(', ');

function Groups({ names }: { names: readonly string[] }) {
  const listOf = useListOf();
  if (names.length === 0) return null;
  return (
    <section className="section">
      <h3>{text.hosts.groups}</h3>
      <p className="tags">
        {names.map((name) => {
          const target = listOf({ group: 'group', by: 'name' }, name);
          return target === undefined ? (
            <span key={name} className="tag">
              {markHidden(name)}
            </span>
          ) : (
            <Link key={name} className="tag" href={target}>
              {markHidden(name)}
            </Link>
          );
        })}
      </p>
    </section>
  );
}
