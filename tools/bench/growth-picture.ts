import type { GrowthResult } from './growth.ts';

const panelWidth = 360;
const panelHeight = 250;
const [leftMargin, top, right, bottom] = [64, 40, 16, 28];
/** Milliseconds at the bottom and at the top of every panel: powers of ten, so that panels can be compared. */
const [lowest, highest] = [0.1, 1_000];
const marks = [0.1, 1, 10, 100, 1_000];
const legendRow = 18;

const x = (panel: number, place: number, places: number): number =>
  Math.round(panel * panelWidth + leftMargin + (place / Math.max(1, places - 1)) * (panelWidth - leftMargin - right));

const y = (ms: number): number => {
  const share = Math.log(Math.min(highest, Math.max(lowest, ms)) / lowest) / Math.log(highest / lowest);
  return Math.round((top + (1 - share) * (panelHeight - top - bottom)) * 10) / 10;
};

const sizeWords = (size: number): string => (size >= 1_000_000 ? `${size / 1_000_000}M` : `${size / 1_000}k`);

/**
 * Draws how the CPU time of each kind of read grows with the table: a panel for each kind of record, both axes
 * logarithmic.
 */
export function growthPicture(growths: readonly GrowthResult[]): string {
  const names = growths[0]?.reads.map(({ name }) => name) ?? [];
  const legendRows = Math.ceil(names.length / 3);
  const [width, height] = [Math.max(1, growths.length) * panelWidth, panelHeight + 16 + legendRows * legendRow];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="CPU of each kind of read by the size of the table">
  <style>
    text { font: 12px system-ui, sans-serif; fill: #1f2328; } .mark { font-size: 11px; fill: #59636e; } .title { font-weight: 600; font-size: 13px; }
    .grid { stroke: #d1d9e0; } polyline { fill: none; stroke-width: 2; }
    ${strokes.map((colour, index) => `.s${index} { stroke: ${colour}; } .f${index} { fill: ${colour}; }`).join(' ')}
    @media (prefers-color-scheme: dark) { text { fill: #f0f6fc; } .mark { fill: #9198a1; } .grid { stroke: #3d444d; } }
  </style>
  ${growths.map(panelOf).join('\n  ')}
  ${names.map((name, index) => legendOf(name, index, width)).join('\n  ')}
</svg>
`;
}

const strokes = ['#0969da', '#1a7f37', '#bf8700', '#8250df', '#cf222e', '#0a7ea4', '#bc4c00'];

function panelOf({ subject, sizes, reads }: GrowthResult, panel: number): string {
  const [startX, endX] = [x(panel, 0, sizes.length), x(panel, sizes.length - 1, sizes.length)];
  const grid = marks.map(
    (ms) =>
      `<line class="grid" x1="${startX}" x2="${endX}" y1="${y(ms)}" y2="${y(ms)}"/><text class="mark" x="${startX - 6}" y="${y(ms) + 4}" text-anchor="end">${ms} ms</text>`,
  );
  const ticks = sizes.map(
    (size, place) =>
      `<text class="mark" x="${x(panel, place, sizes.length)}" y="${panelHeight - bottom + 18}" text-anchor="middle">${sizeWords(size)}</text>`,
  );
  const lines = reads.map(({ cpuMs }, index) => {
    const points = cpuMs.map((ms, place) => `${x(panel, place, sizes.length)},${y(ms)}`);
    const dots = points.map((point) => {
      const [cx, cy] = point.split(',');
      return `<circle class="f${index}" cx="${cx}" cy="${cy}" r="3"/>`;
    });
    return `<polyline class="s${index}" points="${points.join(' ')}"/>${dots.join('')}`;
  });
  return `<text class="title" x="${startX}" y="${top - 18}">${subject}s, CPU a request</text>\n  ${[...grid, ...ticks, ...lines].join('\n  ')}`;
}

function legendOf(name: string, index: number, width: number): string {
  const corner = {
    x: leftMargin + (index % 3) * ((width - leftMargin) / 3),
    y: panelHeight + 16 + Math.floor(index / 3) * legendRow,
  };
  return `<line class="s${index}" x1="${corner.x}" x2="${corner.x + 18}" y1="${corner.y - 4}" y2="${corner.y - 4}" stroke-width="3"/><text x="${corner.x + 24}" y="${corner.y}">${name}</text>`;
}
