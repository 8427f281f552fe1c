import { type Profiler, Session } from 'node:inspector/promises';

/** Which code of some files has run, by the coverage of V8. Asked for after many inputs: each question takes milliseconds. */
export class Coverage {
  readonly #session = new Session();
  readonly #code: readonly string[];
  /** By the address of a script: one byte for each character that ever ran. */
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

  /** Blocks that ever ran. */
  get blocks(): number {
    return this.#blocks.size;
  }

  /** Whether code ran since the last call that had not run before. `keeps`: it counts as known from now on. */
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
    // Ranges come from the outer to the inner; the innermost counts.
    for (const { ranges } of functions)
      for (const { startOffset, endOffset, count } of ranges) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    const known = this.#reached.get(url) ?? new Uint8Array(end);
    const isNew = ran.some((hasRun, at) => hasRun === 1 && known[at] !== 1);
    if (!isNew || !keeps) return isNew;
    const both = new Uint8Array(Math.max(known.length, ran.length));
    for (const part of [known, ran]) for (const [at, hasRun] of part.entries()) both[at]! |= hasRun;
    this.#reached.set(url, both);
    for (const { ranges } of functions)
      for (const { startOffset, endOffset, count } of ranges)
        if (count > 0) this.#blocks.add(`${url} ${startOffset} ${endOffset}`);
    return true;
  }
}
