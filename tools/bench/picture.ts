import type { ComparisonResult } from './bench.ts';

/** One comparison of one benchmark, for the picture. */
export interface Bar {
  title: string;
  comparison: ComparisonResult;
}

const width = 760;
const labelWidth = 300;
const rowHeight = 34;
const top = 64;
/** From a quarter of a goal to eight times it. */
const [lowest, highest] = [0.25, 8];

/** Returns how many times better than its goal a ratio is: above 1 the goal is met, for both kinds of goals. */
const met = ({ goal }: ComparisonResult, ratio: number): number =>
  'atLeast' in goal ? ratio / goal.atLeast : goal.atMost / ratio;

const xOf = (times: number): number => {
  const share = Math.log(Math.min(highest, Math.max(lowest, times)) / lowest) / Math.log(highest / lowest);
  return Math.round((labelWidth + share * (width - labelWidth - 24)) * 10) / 10;
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Draws every comparison as a bar from the worst round to the best, with a line for its goal. Readable on a light and
 * on a dark page.
 */
export function picture(bars: readonly Bar[]): string {
  const height = top + bars.length * rowHeight + 12;
  const marks = [0.25, 0.5, 1, 2, 4, 8].map(
    (
      times,
    ) => `<line class="${times === 1 ? 'goal' : 'grid'}" x1="${xOf(times)}" x2="${xOf(times)}" y1="${top - 10}" y2="${height - 8}"/>
  <text class="mark" x="${xOf(times)}" y="${top - 16}" text-anchor="middle">${times === 1 ? 'goal' : `${times}x`}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Each benchmark against its goal">
  <style>
    text { font: 13px system-ui, sans-serif; fill: #1f2328; }
    .mark { font-size: 11px; fill: #59636e; }
    .grid { stroke: #d1d9e0; } .goal { stroke: #59636e; stroke-width: 2; }
    .met { stroke: #1a7f37; fill: #1a7f37; } .missed { stroke: #cf222e; fill: #cf222e; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; } .mark { fill: #9198a1; } .grid { stroke: #3d444d; } .goal { stroke: #9198a1; }
      .met { stroke: #3fb950; fill: #3fb950; } .missed { stroke: #f85149; fill: #f85149; }
    }
  </style>
  <text class="mark" x="8" y="18">how many times better than its goal; a bar is the range over all rounds</text>
  ${marks.join('\n  ')}
  ${bars.map(barOf).join('\n  ')}
</svg>
`;
}

function barOf({ title, comparison }: Bar, index: number): string {
  const y = top + index * rowHeight + rowHeight / 2;
  const { low, median, high } = comparison.range;
  const [startX, endX] = [xOf(met(comparison, low)), xOf(met(comparison, high))].toSorted((a, b) => a - b) as [
    number,
    number,
  ];
  const kind = comparison.isMet ? 'met' : 'missed';
  return `<text x="8" y="${y + 4}">${escaped(title)}</text>
  <line class="${kind}" x1="${startX}" x2="${Math.max(endX, startX + 2)}" y1="${y}" y2="${y}" stroke-width="8" stroke-linecap="round"/>
  <circle class="${kind}" cx="${xOf(met(comparison, median))}" cy="${y}" r="7"/>`;
}
