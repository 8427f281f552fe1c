import { type Profiler, Session } from 'node:inspector/promises';

/**
 * The code of some files that has run, by the coverage of V8. Read once for many inputs, because each read takes
 * milliseconds.
 */
export class Coverage {
  readonly #session = new Session();
  readonly #code: readonly string[];
  /** By the URL of a script: one byte for each character that ever ran. */
  readonly #reached = new Map<string, Uint8Array>();
  readonly #blocks = new Set<string>();

  private constructor(code: readonly string[]) {
    this.#code = code;
  }

  static async start(code: readonly string[]): Promise<Coverage> {
    const coverage = new Coverage(code);
    coverage.#session.connect();
    await coverage.#session.post('Profiler.enable');
    await coverage.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    return coverage;
  }

  async stop(): Promise<void> {
    await this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }

  /** The number of blocks that ever ran. */
  get blocks(): number {
    return this.#blocks.size;
  }

  /** Returns true if code ran since the last call that had not run before. `keeps` counts it as reached from now on. */
  async hasNew(keeps: boolean): Promise<boolean> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    let isNew = false;
    for (const script of result) if (this.#isCounted(script.url) && this.#take(script, keeps)) isNew = true;
    return isNew;
  }

  #isCounted = (url: string): boolean => this.#code.some((end) => url.endsWith(`/${end}`));

  #take({ url, functions }: Profiler.ScriptCoverage, keeps: boolean): boolean {
    const end = Math.max(...functions.flatMap(({ ranges }) => ranges.map(({ endOffset }) => endOffset)));
    const ran = new Uint8Array(end);
    // Ranges are ordered from the outer to the inner; the innermost counts.
    for (const { ranges } of functions)
      for (const { startOffset, endOffset, count } of ranges) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    const reached = this.#reached.get(url) ?? new Uint8Array(end);
    const isNew = ran.some((hasRun, offset) => hasRun === 1 && reached[offset] !== 1);
    if (!isNew || !keeps) return isNew;
    const both = new Uint8Array(Math.max(reached.length, ran.length));
    for (const part of [reached, ran]) for (const [offset, hasRun] of part.entries()) both[offset]! |= hasRun;
    this.#reached.set(url, both);
    for (const { ranges } of functions)
      for (const { startOffset, endOffset, count } of ranges)
        if (count > 0) this.#blocks.add(`${url} ${startOffset} ${endOffset}`);
    return true;
  }
}
