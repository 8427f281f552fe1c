import { Link } from 'wouter';
import { markHidden } from '../document/value.ts';
import { text } from '../texts/text.ts';
import { type Entry, type Range, type Span, shareOf, ticksOf } from './lanes.ts';

/** A row of the chart. */
export interface Lane {
  label: string;
  spans: readonly Span[];
  marks: readonly Entry[];
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** Returns the distance between tick marks, so that there are about six. */
const stepOf = ({ from: start, to: end }: Range): number =>
  end - start <= dayMs ? 4 * hourMs : end - start <= 7 * dayMs ? dayMs : 5 * dayMs;

/** Last tick with a label, in percent of the axis. */
const labelledMax = 94;

const words = ({ label, at: instantMs }: Entry): string => `${markHidden(label)}, ${exact.format(instantMs)}`;

/** A timeline with one lane per kind of entry; causes are above their effects. Keyboard and screen reader users find the same data in the tables. */
export function LaneChart({ lanes, range }: { lanes: readonly Lane[]; range: Range }) {
  const step = stepOf(range);
  const offsetMs = -new Date(range.to).getTimezoneOffset() * 60_000;
  // A later label would overlap with "now".
  const ticks = ticksOf(range, step, offsetMs).filter((tickMs) => shareOf(tickMs, range) < labelledMax);
  return (
    <div className="lanes">
      {lanes.map(({ label, spans, marks }) => (
        <div className="lane" key={label}>
          <span className="lane-name">{label}</span>
          <ul className="lane-line" aria-label={label}>
            {spans.map((span) => (
              <Drawn
                key={`${span.from} ${span.label}`}
                entry={span}
                at={shareOf(span.from, range)}
                width={shareOf(span.to, range) - shareOf(span.from, range)}
              />
            ))}
            {marks.map((mark) => (
              <Drawn key={`${mark.at} ${mark.label} ${mark.href}`} entry={mark} at={shareOf(mark.at, range)} />
            ))}
          </ul>
        </div>
      ))}
      <div className="lane axis" aria-hidden="true">
        <span className="lane-name" />
        <div className="lane-line">
          {ticks.map((tickMs) => (
            <i key={tickMs} style={{ left: `${shareOf(tickMs, range)}%` }}>
              {(step < dayMs ? clock : day).format(tickMs)}
            </i>
          ))}
          <i className="now">{text.timeline.now}</i>
        </div>
      </div>
    </div>
  );
}

/** A bar or point with a link for the mouse; for the keyboard, the tables have the same links. */
function Drawn({ entry, at: leftPercent, width }: { entry: Entry; at: number; width?: number }) {
  const style = { left: `${leftPercent}%`, ...(width !== undefined && { width: `${width}%` }) };
  const description = words(entry);
  const inside = width === undefined ? <span className="hidden">{description}</span> : markHidden(entry.label);
  return (
    <li className={`${width === undefined ? 'instant' : 'span'} ${entry.tone}`} style={style} title={description}>
      {entry.href ? (
        <Link href={entry.href} tabIndex={-1}>
          {inside}
        </Link>
      ) : (
        <span>{inside}</span>
      )}
    </li>
  );
}
