import { operations } from 'virtual:shell-operations';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useSession } from '../client/session-context.ts';
import type { GroupInfo } from '../document/group.ts';
import { markHidden, readableValue, relativeTime } from '../document/value.ts';
import { equals } from '../filter/filter-text.ts';
import { Failure } from '../parts/message.tsx';
import { useNow } from '../parts/surroundings.ts';
import { text } from '../texts/text.ts';

interface AuditRow {
  auditDBID: number;
  user: string;
  action: string;
  timestamp: string;
  reason: string | null;
  changes: { field: string; before: string | null; after: string | null; changed: boolean }[];
}

const shownMax = 50;

/** Returns the filter for the audit rows of a record. */
const historyOf = ({ table }: GroupInfo, id: string): string =>
  `${equals('auditObjectType.dbTableName', table)};liveDBID==${id}`;

/** The audit rows of a record with user, time, reason and changed values, latest first. */
export function History({ group, id }: { group: GroupInfo; id: string }) {
  const { client } = useSession();
  const nowMs = useNow();
  const filter = historyOf(group, id);
  const { data, error, refetch } = useQuery({
    queryKey: [group.name, 'history', id],
    queryFn: ({ signal }) =>
      client.call<AuditRow>(operations['audit-record.list'], {
        query: { filter, sortKey: 'auditDBID', sortDir: 'DESC', count: shownMax },
        signal,
      }),
  });
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.results.length === 0) return <p className="quiet section">{text.history.none}</p>;
  return (
    <>
      {data.results.map((row) => (
        <section className="section" key={row.auditDBID}>
          <h3>
            {readableValue(row.action)} <span className="quiet">{markHidden(row.user)}</span>{' '}
            <time className="quiet" dateTime={row.timestamp} title={row.timestamp}>
              {relativeTime(row.timestamp, nowMs)}
            </time>
          </h3>
          {row.reason && <p>{markHidden(row.reason)}</p>}
          <dl className="facts">
            {row.changes
              .filter(({ changed }) => changed)
              .map(({ field, before, after }) => (
                <div key={field}>
                  <dt>{group.fields.find(({ name }) => name === field)?.label ?? field}</dt>
                  <dd>
                    {before !== null && <del>{markHidden(before)}</del>}
                    {before !== null && after !== null && ' → '}
                    {after !== null && <ins>{markHidden(after)}</ins>}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      {(data.filtered ?? 0) > shownMax && (
        <p className="section">
          <Link className="link" href={`/audit?filter=${encodeURIComponent(filter)}`}>
            {text.history.all(data.filtered!)}
          </Link>
        </p>
      )}
    </>
  );
}
