import type { ReactNode } from 'react';

/** A column: its name, and what a row shows in it. */
export type OwnColumn<Row> = readonly [label: string, show: (row: Row) => ReactNode];

/** Something of one's own, a line each. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
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
