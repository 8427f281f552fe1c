import { Link } from 'wouter';
import { useRelated } from '../client/related.ts';
import type { GroupInfo } from '../document/group.ts';
import { ValueCell } from '../document/value-cell.tsx';
import { Failure } from '../parts/message.tsx';
import { count } from '../parts/number.ts';
import { useNow } from '../parts/surroundings.ts';
import { columnsOf } from '../table/columns.ts';
import { text } from '../texts/text.ts';

const shownMax = 50;

/** Returns the address of a list with a filter or an open record. */
export const hrefOfList = ({ page, name }: GroupInfo, parameters: Readonly<Record<string, string>>): string =>
  `/${page}?${new URLSearchParams({ group: name, ...parameters })}`;

/** The number of related records of another resource. */
export function RelatedSize({ name, filter }: { name: string; filter: string }) {
  const { answer } = useRelated(name, filter);
  const size = answer?.filtered ?? answer?.results.length;
  return size === undefined ? null : <span className="quiet"> {count(size)}</span>;
}

/** Related records of another resource, latest first. */
export function RelatedRows({ name, filter }: { name: string; filter: string }) {
  const nowMs = useNow();
  const { group, isForbidden, answer, error, refetch } = useRelated(name, filter);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (isForbidden) return <p className="quiet section">{text.related.notAllowed}</p>;
  if (filter === '' || answer?.results.length === 0) return <p className="quiet section">{text.related.none}</p>;
  if (!group || !answer) return null;
  const columns = columnsOf(group);
  const size = answer.filtered ?? answer.results.length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable */}
      <section className="related" aria-label={group.title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map(({ field }) => (
                <th scope="col" key={field.name} title={field.doc}>
                  {field.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {answer.results.slice(0, shownMax).map((row) => {
              const id = String(row[group.identity ?? '']);
              return (
                <tr key={id}>
                  {columns.map(({ field }, index) => (
                    <td key={field.name}>
                      {index === 0 ? (
                        <Link className="link" href={hrefOfList(group, { open: id })}>
                          <ValueCell
                            field={{ ...field, reference: undefined }}
                            value={row[field.name] ?? id}
                            nowMs={nowMs}
                          />
                        </Link>
                      ) : (
                        <ValueCell field={field} value={row[field.name]} nowMs={nowMs} />
                      )}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {size > shownMax && (
        <p className="section">
          <Link className="link" href={hrefOfList(group, { filter })}>
            {text.related.all(count(size))}
          </Link>
        </p>
      )}
    </>
  );
}
