import { labelOf } from '@portreeve/server/kernel/documents/label.ts';
import { DeepValue } from '../document/deep-value.tsx';
import { hasParts } from '../document/outline.ts';
import { type ShownValue, shownValue } from '../document/value.ts';
import { count } from '../parts/number.ts';
import { text } from '../texts/text.ts';
import { columnsOf } from './result-columns.ts';

const rowsMax = 100;

/** The results of an action: one record as a list of fields, several as a table, other values as text. */
export function ResultRows({ rows }: { rows: readonly unknown[] }) {
  if (rows.length === 0) return null;
  const records = rows.slice(0, rowsMax);
  if (!records.every(isRecord)) return <ul className="plain-rows">{records.map(plainRow)}</ul>;
  const [first] = records;
  const moreNote = rows.length > rowsMax && <p className="quiet">{text.act.more(count(rows.length - rowsMax))}</p>;
  if (records.length === 1)
    return (
      <dl className="facts">
        {Object.entries(first!).map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>{shownWhole(value)}</dd>
          </div>
        ))}
      </dl>
    );
  const columns = columnsOf(records);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
    <section className="answer-rows" aria-label={text.act.rows} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th scope="col" key={name}>
                {labelOf(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={JSON.stringify(record)}>
              {columns.map((name) => (
                <td key={name} title={shown(record[name]).whole}>
                  {shown(record[name]).text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {moreNote}
    </section>
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Formats a value for which no field is declared. */
const shown = (value: unknown): ShownValue => shownValue({ kind: 'text' }, value, 0);

/** Shows the complete value; a structured value as an outline. */
function shownWhole(value: unknown) {
  if (hasParts(value)) return <DeepValue value={value} />;
  const { text: short, whole: fullText } = shown(value);
  return fullText ?? short;
}

const plainRow = (value: unknown) => <li key={JSON.stringify(value)}>{shownWhole(value)}</li>;
