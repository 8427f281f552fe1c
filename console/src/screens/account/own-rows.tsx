import type { ReactNode } from 'react';

/** A column: its label and the content of a cell. */
export type OwnColumn<Row> = readonly [label: string, show: (row: Row) => ReactNode];

/** A table of the user's tokens, sessions or bookmarks. */
export function OwnRows<Row>({
  label,
  rows,
  keyOf,
  columns,
}: {
  label: string;
  rows: readonly Row[];
  keyOf(row: Row): string | number;
  columns: readonly OwnColumn<Row>[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
    <section className="related" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(([name]) => (
              <th scope="col" key={name}>
                {name === '' ? <span className="hidden">{label}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(([name, show]) => (
                <td key={name}>{show(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
