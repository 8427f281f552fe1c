import { loadavg } from 'node:os';
import type { HttpLoad, Measured, Stage } from './stage.ts';

/**
 * The required ratio of two contestants: how many times faster one is than the other, or how many times longer it
 * takes.
 */
interface Comparison {
  /** Empty for the main comparison of a benchmark. */
  label: string;
  of: string;
  to: string;
  measure: 'rate' | 'time' | 'p99';
  goal: { atLeast: number } | { atMost: number };
}

export interface Contestant {
  name: string;
  run(seconds: number): Promise<Measured>;
}

/** The sizes and durations of a run. */
export interface Scale {
  large: number;
  small: number;
  rounds: number;
  seconds: number;
  /**
   * Compares CPU time per request instead of rates: a busy machine changes it little. Latencies are not compared then.
   */
  byCpu?: boolean;
}

export const full: Scale = { large: 1_000_000, small: 10_000, rounds: 7, seconds: 3 };
/** For every commit: smaller and shorter, so its ratios differ from the full form. */
export const short: Scale = { large: 50_000, small: 10_000, rounds: 3, seconds: 0.7, byCpu: true };

export interface Bench {
  name: string;
  doc: string;
  /** The limit of its speed, described in the report. */
  limit: string;
  /** If it misses its goal: what was tried, and what comes next. */
  missed?: string;
  /** Comparisons, the main one first. */
  comparisons: readonly Comparison[];
  /** Starts the servers that it needs; the contestants run in interleaved rounds. */
  contestants(stage: Stage, scale: Scale): Promise<readonly Contestant[]>;
}

/** Returns contestants that are loads on servers. */
export const httpContestants =
  (loads: (scale: Scale) => Readonly<Record<string, HttpLoad>>) =>
  async (stage: Stage, scale: Scale): Promise<Contestant[]> => {
    const loadByName = loads(scale);
    await stage.prepare(Object.values(loadByName));
    return Object.entries(loadByName).map(([name, load]) => ({ name, run: (seconds) => stage.load(load, seconds) }));
  };

interface Range {
  low: number;
  median: number;
  high: number;
}

export interface ComparisonResult extends Comparison {
  range: Range;
  isMet: boolean;
}

export interface ContestantResult {
  name: string;
  perSecond: Range;
  p50Ms: number;
  p99Ms: number;
  cpu: Measured['cpu'];
}

/** The stored figures of one run. */
export interface BenchResult {
  name: string;
  at: string;
  seed: number;
  scale: Scale;
  loadAverage: { start: number; end: number };
  contestants: readonly ContestantResult[];
  comparisons: readonly ComparisonResult[];
  /** Wrong responses, which are never caused by a busy machine. */
  wrong: readonly string[];
  /** Why the run is void; empty if it counts. */
  voidBecause: readonly string[];
}

const faultsShown = 3;
/** A program that has just started compiles its code for some seconds. */
const warmSecondsMin = 2;
/** Above this ratio other programs disturbed the machine. */
const steadyMax = 1.5;

export async function runBench(bench: Bench, stage: Stage, scale: Scale): Promise<BenchResult> {
  const { say } = stage;
  const start = loadavg()[0]!;
  say(`\n${bench.name}: ${bench.doc}`);
  const contestants = await bench.contestants(stage, scale);
  say(`${scale.rounds} rounds of ${scale.seconds} s each, seed ${stage.seed}, load average ${start.toFixed(2)}`);
  const { measured, results, faults } = await runRounds(contestants, scale);
  const wrong = faults.length > 0 ? faults : await stage.miscounted();
  const idle = idleRounds(measured, scale);
  const compared = bench.comparisons.filter(({ measure }) => !scale.byCpu || measure !== 'p99');
  const comparisons =
    wrong.length > 0 || idle.length > 0 ? [] : compared.map((comparison) => compare(comparison, measured, scale));
  const result: BenchResult = {
    name: bench.name,
    at: new Date().toISOString(),
    seed: stage.seed,
    scale,
    loadAverage: { start, end: loadavg()[0]! },
    contestants: results,
    comparisons,
    wrong,
    voidBecause: [...wrong, ...idle, ...unsteady(comparisons, measured, scale)],
  };
  for (const line of tableOf(result)) say(line);
  say(lastLine(result));
  return result;
}

type Rounds = ReadonlyMap<string, readonly Measured[]>;

/** Warms all contestants up, then alternates them. The first wrong response ends the run. */
export async function runRounds(
  contestants: readonly Contestant[],
  scale: Scale,
): Promise<{ measured: Rounds; results: ContestantResult[]; faults: string[] }> {
  const measured = new Map<string, Measured[]>(contestants.map(({ name }) => [name, []]));
  const faults: string[] = [];
  for (const contestant of contestants) await contestant.run(Math.max(scale.seconds, warmSecondsMin));
  for (let round = 0; round < scale.rounds && faults.length === 0; round++) {
    // The second one finds warmer caches, so the order alternates.
    for (const { name, run } of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const figures = await run(scale.seconds);
      measured.get(name)!.push(figures);
      faults.push(...figures.faults.map((fault) => `${name}: ${fault}`));
    }
  }
  // One is enough to void a run, and a few show the reason.
  return {
    measured,
    results: [...measured].map(([name, rounds]) => summaryOf(name, rounds)),
    faults: faults.slice(0, faultsShown),
  };
}

/** Returns the rounds in which a contestant got no time: there is nothing to compare. */
const idleRounds = (measured: Rounds, { byCpu }: Scale): string[] =>
  [...measured].flatMap(([name, rounds]) => [
    ...(rounds.some(({ perSecond }) => perSecond === 0) ? [`${name} answered nothing in a round`] : []),
    // The kernel counts in hundredths of a second: a round with less processor time cannot be a divisor.
    ...(byCpu && rounds.some((figures) => cpuOf(figures) === 0) ? [`${name} got no processor in a round`] : []),
    ...(rounds.some(({ isDisturbed }) => isDisturbed) ? [`nobody wrote during a round of ${name}`] : []),
  ]);

/** Returns the CPU time of a request in µs, without the sender's. */
const cpuOf = ({ cpu }: Measured): number => cpu.server + cpu.postgres;

/** Returns the contestants that others are compared with and that were not steady. */
const unsteady = (comparisons: readonly Comparison[], measured: Rounds, { byCpu }: Scale): string[] =>
  [...new Set(comparisons.map(({ to: reference }) => reference))].flatMap((name) => {
    const { low, high } = rangeOf(measured.get(name)!.map((figures) => (byCpu ? cpuOf(figures) : figures.perSecond)));
    return high / low <= steadyMax
      ? []
      : [`${name} itself ranged over ${(high / low).toFixed(2)}x; the machine was busy`];
  });

function compare(comparison: Comparison, measured: Rounds, { byCpu }: Scale): ComparisonResult {
  const [contestantRounds, referenceRounds] = [measured.get(comparison.of)!, measured.get(comparison.to)!];
  const ratios = contestantRounds.map((figures, round) => {
    const reference = referenceRounds[round]!;
    if (comparison.measure === 'p99') return figures.p99Ms / reference.p99Ms;
    const faster = byCpu ? cpuOf(reference) / cpuOf(figures) : figures.perSecond / reference.perSecond;
    return comparison.measure === 'rate' ? faster : 1 / faster;
  });
  const range = rangeOf(ratios);
  const { goal } = comparison;
  return { ...comparison, range, isMet: 'atLeast' in goal ? range.low >= goal.atLeast : range.high <= goal.atMost };
}

function rangeOf(values: readonly number[]): Range {
  const sorted = values.toSorted((a, b) => a - b);
  return { low: sorted[0]!, median: sorted[Math.floor(sorted.length / 2)]!, high: sorted.at(-1)! };
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

function summaryOf(name: string, rounds: readonly Measured[]): ContestantResult {
  const cpu = (kind: keyof Measured['cpu']) => mean(rounds.map((round) => round.cpu[kind]));
  return {
    name,
    perSecond: rangeOf(rounds.map(({ perSecond }) => perSecond)),
    p50Ms: rangeOf(rounds.map(({ p50Ms }) => p50Ms)).median,
    p99Ms: rangeOf(rounds.map(({ p99Ms }) => p99Ms)).median,
    cpu: { server: cpu('server'), postgres: cpu('postgres'), generator: cpu('generator') },
  };
}

function tableOf({ contestants, loadAverage }: BenchResult): string[] {
  const rows = contestants.map(({ name, perSecond, p50Ms, p99Ms, cpu }) => [
    name,
    perSecond.median.toFixed(0),
    `${perSecond.low.toFixed(0)}-${perSecond.high.toFixed(0)}`,
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    cpu.server.toFixed(0),
    cpu.postgres.toFixed(0),
    cpu.generator.toFixed(0),
  ]);
  const head = ['', 'a second', 'range', 'p50 ms', 'p99 ms', 'CPU µs: server', 'PostgreSQL', 'generator'];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ');
  return [
    line(head),
    ...rows.map(line),
    `load average ${loadAverage.start.toFixed(2)} at the start, ${loadAverage.end.toFixed(2)} at the end`,
  ];
}

/** Returns the closing line of a benchmark, which scripts read. */
function lastLine({ name, comparisons, wrong, voidBecause, scale }: BenchResult): string {
  if (wrong.length > 0) return `${name}: wrong: ${wrong.join('; ')}`;
  if (voidBecause.length > 0) return `${name}: not measured: ${voidBecause.join('; ')}`;
  const parts = comparisons.map(({ label, range, goal, isMet }) => {
    const [sign, limit, end] = 'atLeast' in goal ? ['>=', goal.atLeast, 'low'] : ['<=', goal.atMost, 'high'];
    const spread = `${range.low.toFixed(2)}-${range.high.toFixed(2)}`;
    return `${label ? `${label} ` : ''}ratio ${scale.byCpu ? 'of CPU a request ' : ''}${range.median.toFixed(2)} (goal ${sign} ${limit.toFixed(1)}), ${end} end of ${spread} over ${scale.rounds} rounds: ${isMet ? 'met' : 'missed'}`;
  });
  return `${name}: ${parts.join('; ')}`;
}
