/** The results of one test file. */
export interface Outcome {
  readonly file: string;
  readonly failed: readonly string[];
  readonly passed: number;
  /** Processor time; undefined if it was not measured. */
  readonly cpuMs?: number | undefined;
}

/** The fields of vitest's JSON report that are used here. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** A file of the gate that takes more belongs into the slow tests, or can be made cheaper. */
const cpuMsMax = 10_000;
const tooExpensive = `takes more than ${cpuMsMax / 1_000} s of processor time`;
const slowestShown = 10;

export function outcomesOf(
  { testResults }: Report,
  costs: ReadonlyMap<string, number>,
  nameOf: (path: string) => string,
): Outcome[] {
  return testResults.map(({ name, status, assertionResults }) => {
    const file = nameOf(name);
    const cpuMs = costs.get(name);
    const failed = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName.trim());
    // A file that does not load, or whose set-up fails, has no failed test of its own.
    if (status === 'failed' && failed.length === 0) failed.push('(the file itself)');
    if (cpuMs !== undefined && cpuMs > cpuMsMax && isOfGate(file)) failed.push(tooExpensive);
    return { file, failed, cpuMs, passed: assertionResults.filter((test) => test.status === 'passed').length };
  });
}

const isOfGate = (file: string): boolean => !/\.(slow|bench|e2e)\.test\.ts$/.test(file);

/** The costs that test files have stored, one JSON line each; of a file that ran twice the last. */
export const readCosts = (lines: string): Map<string, number> =>
  new Map(
    lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { file: string; cpuMs: number })
      .map(({ file, cpuMs }) => [file, cpuMs]),
  );

export const failing = (outcomes: Iterable<Outcome>): Outcome[] =>
  [...outcomes].filter(({ failed }) => failed.length > 0);

/** Returns tests that failed before and pass in the next run. */
export const recovered = (before: Outcome, after: Outcome): string[] =>
  before.failed.filter((name) => !after.failed.includes(name)).map((name) => `${after.file} > ${name}`);

/**
 * Returns the last lines of a run: the most expensive files, failed and unstable tests, and the line with the counts.
 */
export function closingLines(outcomes: readonly Outcome[], unstable: readonly string[], uncaught = 0): string[] {
  const slowest = outcomes
    .flatMap(({ file, cpuMs }) => (cpuMs === undefined ? [] : [{ file, cpuMs }]))
    .sort((a, b) => b.cpuMs - a.cpuMs)
    .slice(0, slowestShown);
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = failing(outcomes).flatMap((outcome) => outcome.failed.map((name) => `${outcome.file} > ${name}`));
  return [
    ...(slowest.length > 0 ? ['Most processor time:'] : []),
    ...slowest.map(({ file, cpuMs }) => `${(cpuMs / 1_000).toFixed(1).padStart(7)} s  ${file}`),
    ...failed.map((name) => `failed: ${name}`),
    ...(uncaught > 0 ? [`failed: ${uncaught} errors that no test caught, see above`] : []),
    ...[...new Set(unstable)].map((name) => `unstable: ${name}`),
    `${passed} passed, ${failed.length + uncaught} failed`,
  ];
}
