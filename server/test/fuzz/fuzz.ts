import { corpusBytesMax, readCorpus, writeCorpus } from './corpus.ts';
import { Coverage } from './coverage.ts';
import { drawer, mutated } from './mutate.ts';
import { type Target, targets } from './targets.ts';

const batch = 200;
const slowMs = 2_000;

/** A wrong result of a target: another error than its own, or a long time. */
export interface Finding {
  target: string;
  input: string;
  what: string;
}

/** Lets a target read an input; returns what is wrong with the result. */
export async function tryInput(target: Target, input: Buffer): Promise<Finding | undefined> {
  const finding = (what: string): Finding => ({ target: target.name, input: input.toString('base64'), what });
  const began = performance.now();
  try {
    await target.read(input);
  } catch (error) {
    if (!target.refuses.some((refusal) => error instanceof refusal)) return finding(String((error as Error).stack));
  }
  const ms = performance.now() - began;
  return ms > slowMs ? finding(`took ${Math.round(ms)} ms`) : undefined;
}

export interface FuzzReport {
  target: string;
  inputs: number;
  blocksBefore: number;
  blocksAfter: number;
  added: number;
  findings: Finding[];
}

/** Mutates the corpus of one target, and keeps inputs that reach new code. */
class Fuzzing {
  readonly #target: Target;
  readonly #coverage: Coverage;
  readonly #known: Buffer[];
  readonly #words: readonly Buffer[];
  readonly #room: number;
  readonly report: FuzzReport;

  private constructor(target: Target, coverage: Coverage, corpus: Buffer[], room: number) {
    this.#target = target;
    this.#coverage = coverage;
    this.#known = corpus;
    this.#words = target.words.map((word) => Buffer.from(word, 'latin1'));
    this.#room = room;
    this.report = { target: target.name, inputs: 0, blocksBefore: 0, blocksAfter: 0, added: 0, findings: [] };
  }

  static async run(target: Target, { ms, seed }: { ms: number; seed: number }): Promise<FuzzReport> {
    const corpus = await readCorpus(target);
    const coverage = await Coverage.start(target.code);
    try {
      const fuzzing = new Fuzzing(target, coverage, corpus, corpusBytesMax / targets.length);
      await fuzzing.#run(performance.now() + ms, seed);
      if (fuzzing.report.added > 0) await writeCorpus(target, corpus);
      return fuzzing.report;
    } finally {
      await coverage.stop();
    }
  }

  async #run(endMs: number, seed: number): Promise<void> {
    await this.#read(this.#known);
    await this.#coverage.hasNew(true);
    this.report.blocksBefore = this.#coverage.blocks;
    const draw = drawer(seed);
    while (performance.now() < endMs && this.report.findings.length < 20) {
      const inputs = Array.from({ length: batch }, () => mutated(this.#known, this.#words, draw));
      this.report.inputs += batch;
      await this.#keepNew(inputs);
    }
    this.report.blocksAfter = this.#coverage.blocks;
  }

  /** Halves a batch that reached new code until it is one input. */
  async #keepNew(inputs: readonly Buffer[]): Promise<void> {
    await this.#read(inputs);
    if (!(await this.#coverage.hasNew(inputs.length === 1))) return;
    if (inputs.length > 1) {
      const half = inputs.length >> 1;
      await this.#keepNew(inputs.slice(0, half));
      await this.#keepNew(inputs.slice(half));
    } else if (this.#known.reduce((sum, input) => sum + input.length, 0) * 1.4 < this.#room) {
      this.#known.push(inputs[0]!);
      this.report.added++;
    }
  }

  async #read(inputs: readonly Buffer[]): Promise<void> {
    for (const input of inputs) {
      const finding = await tryInput(this.#target, input);
      if (finding) this.report.findings.push(finding);
    }
  }
}

/** Fuzzes each target for its share of the time. */
export async function* fuzz(options: { minutes: number; seed: number; only: string }): AsyncGenerator<FuzzReport> {
  const chosen = targets.filter(({ name }) => name.includes(options.only));
  const ms = (options.minutes * 60_000) / chosen.length;
  for (const target of chosen) yield Fuzzing.run(target, { ms, seed: options.seed });
}
