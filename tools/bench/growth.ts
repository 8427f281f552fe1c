import type { ContestantResult, Scale } from './bench.ts';
import { runRounds } from './bench.ts';
import type { Target } from './load.ts';
import type { Stage } from './stage.ts';
import type { SubjectName } from './subjects/subject.ts';

/** How the time of each read grows with the table. */
export interface GrowthResult {
  at: string;
  subject: SubjectName;
  seed: number;
  sizes: readonly number[];
  /** Milliseconds of the service and PostgreSQL together for one request, for each size. */
  reads: readonly { name: string; cpuMs: readonly number[]; p50Ms: readonly number[] }[];
  voidBecause: readonly string[];
}

const reads: Readonly<Record<string, Target>> = {
  'fetch one': 'record',
  'list of 100': 'walk',
  'filtered list with counts': 'family',
  'count of a filter': 'count',
  'last page of a walk': 'last-page',
  'rare part of a text': 'rare-text',
  'page in the middle, by start': 'middle-page',
};

export async function runGrowth(
  stage: Stage,
  scale: Scale,
  sizes: readonly number[],
  subject: SubjectName,
): Promise<GrowthResult> {
  const contestants = Object.entries(reads).flatMap(([name, target]) =>
    sizes.map((size) => ({
      name: `${name}, ${size}`,
      load: { server: 'service' as const, subject, size, target },
    })),
  );
  await stage.prepare(contestants.map(({ load }) => load));
  const { results, faults } = await runRounds(
    contestants.map(({ name, load }) => ({ name, run: (seconds: number) => stage.load(load, seconds) })),
    scale,
  );
  const valuesOf = (name: string, value: (result: ContestantResult) => number) =>
    sizes.map((size) => value(results.find((result) => result.name === `${name}, ${size}`)!));
  const result: GrowthResult = {
    at: new Date().toISOString(),
    subject,
    seed: stage.seed,
    sizes,
    reads: Object.keys(reads).map((name) => ({
      name,
      cpuMs: valuesOf(name, ({ cpu }) => (cpu.server + cpu.postgres) / 1_000),
      p50Ms: valuesOf(name, ({ p50Ms }) => p50Ms),
    })),
    voidBecause: [...faults, ...(await stage.miscounted())],
  };
  for (const line of growthTable(result)) stage.say(line);
  stage.say(
    `${growthName(subject)}: ${result.voidBecause.length > 0 ? `wrong: ${result.voidBecause.join('; ')}` : 'done'}`,
  );
  return result;
}

/** A read without measurable CPU time at the smallest size has no ratio. */
const growthOf = (cpuMs: readonly number[]): string =>
  cpuMs[0]! > 0 ? `${(cpuMs.at(-1)! / cpuMs[0]!).toFixed(1)}x` : 'not measured';

/** Returns the name of a run and of its stored figures. */
export const growthName = (subject: SubjectName): string => (subject === 'port' ? 'growth' : `${subject}-growth`);

export const growthTable = ({ subject, sizes, reads: rows }: GrowthResult): string[] => [
  `| ${subject}s, CPU ms a request | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} | growth |`,
  `|---|${sizes.map(() => '--:').join('|')}|--:|`,
  ...rows.map(
    ({ name, cpuMs }) => `| ${name} | ${cpuMs.map((ms) => ms.toFixed(2)).join(' | ')} | ${growthOf(cpuMs)} |`,
  ),
];
