import type { Pen } from './output.ts';
import { cut, escapeUnsafe, fill, grouped, widthOf } from './text.ts';

const redrawMs = 100;
const barMax = 30;

/** A progress bar on one line of a terminal; prints nothing if the output is not a terminal. */
export class ProgressBar {
  readonly #pen: Pen;
  readonly #label: string;
  readonly #startedMs = performance.now();
  #drawnMs = 0;
  #isDrawn = false;

  constructor(pen: Pen, label: string) {
    this.#pen = pen;
    this.#label = escapeUnsafe(label);
  }

  /** Draws the bar; `total` is 0 if unknown. */
  async show(done: number, total: number, step = ''): Promise<void> {
    const now = performance.now();
    const isLast = total > 0 && done >= total;
    if (!this.#pen.isTerminal || (!isLast && now - this.#drawnMs < redrawMs)) return;
    this.#drawnMs = now;
    this.#isDrawn = true;
    const elapsedMs = now - this.#startedMs;
    const text = barLine({
      label: this.#label,
      done,
      total,
      step: escapeUnsafe(step),
      elapsedMs,
      width: this.#pen.width!,
    });
    await this.#pen.write(`\r\u001b[2K${text}`);
  }

  /** Clears the bar, so that the next output starts on an empty line. */
  async end(): Promise<void> {
    if (this.#isDrawn) await this.#pen.write('\r\u001b[2K');
    this.#isDrawn = false;
  }
}

interface Progress {
  label: string;
  done: number;
  total: number;
  step: string;
  elapsedMs: number;
  width: number;
}

/** Formats the bar: `Importing ████████░░░░  66 %  2,000/3,000  4 s left  core-12`, one cell shorter than the line, because a full line would wrap. */
export function barLine({ label, done, total, step, elapsedMs, width }: Progress): string {
  const part = total > 0 ? Math.min(1, done / total) : 0;
  const numbers =
    total > 0
      ? `${String(Math.floor(part * 100)).padStart(3)} %  ${grouped(done)}/${grouped(total)}${timeLeft(part, elapsedMs)}`
      : done > 0
        ? grouped(done)
        : seconds(elapsedMs);
  const head = cut(label, Math.max(10, Math.floor(width / 3)));
  const room = width - 1 - widthOf(head) - widthOf(numbers) - 4;
  const barWidth = Math.max(0, Math.min(barMax, room));
  const bar = total > 0 && barWidth >= 5 ? '█'.repeat(Math.round(part * barWidth)) : undefined;
  const line = [head, ...(bar === undefined ? [] : [fill(bar, barWidth).replaceAll(' ', '░')]), numbers, step]
    .filter((word) => word !== '')
    .join('  ');
  return cut(line, width - 1);
}

function timeLeft(part: number, elapsedMs: number): string {
  if (part <= 0 || part >= 1 || elapsedMs < 2_000) return '';
  return `  ${seconds((elapsedMs / part) * (1 - part))} left`;
}

function seconds(ms: number): string {
  const roundedSeconds = Math.round(ms / 1_000);
  return roundedSeconds < 100 ? `${roundedSeconds} s` : `${Math.round(roundedSeconds / 60)} min`;
}
