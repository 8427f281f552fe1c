import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeFalseClock } from '@portreeve/testbed/false-clock.ts';
import { superRole } from '@portreeve/testbed/postgres.ts';
import pg from 'pg';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const vitest = join(checkout, 'node_modules', 'vitest', 'vitest.mjs');
const projects = ['--project', 'fast', '--project', 'long'];
const outputBytesMax = 256 * 1024 * 1024;
/** How far a clock may differ from the set time when it is checked. */
const driftMsMax = 60_000;
const dayMs = 86_400_000;

/** The date, time and zone at which tests run. */
export interface Moment {
  name: string;
  /** The UTC time at which the tests begin, such as `2027-01-01 00:00:30`. */
  at: string;
  /** The time zone of the machine, for Node and for PostgreSQL. */
  zone: string;
  /** When the database that the tests clone was created; at the same time if absent. */
  templateAt?: string;
  /** Each file begins this many seconds before a midnight, a day after the file before it. */
  midnightSeconds?: number;
}

/** Times of day, days of the year and ages of the template at which calculations with dates are likely to fail. */
export const moments = (thisYear = new Date().getUTCFullYear()): readonly Moment[] => [
  { name: 'before-midnight', at: '2027-04-30 23:58:30', zone: 'UTC' },
  { name: 'after-midnight', at: '2027-05-01 00:00:05', zone: 'UTC' },
  { name: 'midnight-in-files', at: '2027-02-10 22:00:00', zone: 'UTC', midnightSeconds: 2 },
  { name: 'new-year', at: '2027-01-01 00:00:30', zone: 'UTC' },
  { name: 'leap-day', at: '2028-02-29 23:30:00', zone: 'Europe/Berlin' },
  { name: 'summer-begins-berlin', at: '2027-03-28 00:59:00', zone: 'Europe/Berlin' },
  { name: 'summer-ends-berlin', at: '2027-10-31 00:59:00', zone: 'Europe/Berlin' },
  { name: 'summer-ends-new-york', at: '2027-11-07 05:59:00', zone: 'America/New_York' },
  // In New York it is still the day before.
  { name: 'night', at: '2026-11-24 03:30:00', zone: 'America/New_York' },
  // The job log-age begins at 02:30.
  { name: 'job-begins', at: '2026-11-24 02:29:45', zone: 'UTC' },
  { name: 'old-template', at: '2026-11-24 12:00:00', zone: 'UTC', templateAt: '2026-10-20 12:00:00' },
  { name: 'five-years-ahead', at: `${thisYear + 5}-11-17 11:50:00`, zone: 'UTC' },
];

/** Parses the text of a moment, which is UTC. */
export function instantOf(text: string): Date {
  const instant = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? new Date(`${text.replace(' ', 'T')}Z`) : undefined;
  // JavaScript turns a day that the month does not have into one of the next month.
  if (instant?.toJSON()?.slice(0, 19).replace('T', ' ') !== text)
    throw new Error(`"${text}" is not a moment such as 2027-01-01 00:00:30.`);
  return instant;
}

/**
 * Matches the text of tests that depend on the time of day: clocks of JavaScript and SQL, slices of days, schedules,
 * expiry.
 */
const reckonsWithTime =
  /\bDate\.(now|UTC)\b|\bnew Date\(|(?<!performance\.)\bnow\(\)|\bcurrent_(date|timestamp)\b|\bclock_timestamp\b|\bslices\b|pastDays|[sS]chedule|[eE]xpir|useFakeTimers/;

/**
 * True if a test depends on the time of day: by its own text, or by that of the trial of the same name that it calls.
 */
export async function isDated(file: string, readText = (path: string) => readFile(path, 'utf8')): Promise<boolean> {
  const text = await readText(file);
  if (reckonsWithTime.test(text)) return true;
  const helper = file.replace(/(\.long)?\.test\.ts$/, '.ts');
  if (!/(^|\/)test\/trials\//.test(file) || !text.includes(`'./${helper.slice(dirname(file).length + 1)}'`))
    return false;
  return reckonsWithTime.test(await readText(helper));
}

/** Returns the files of fast and long tests, relative to the root. */
export async function testFiles(environment: NodeJS.ProcessEnv): Promise<string[]> {
  const { stdout } = await run(process.execPath, [vitest, 'list', '--filesOnly', '--json', ...projects], {
    cwd: checkout,
    env: environment,
    maxBuffer: outputBytesMax,
  });
  const listed = JSON.parse(stdout) as readonly { file: string }[];
  return [...new Set(listed.map(({ file }) => relative(checkout, file)))].sort();
}

/** Returns the files whose path contains one of the patterns; without patterns those that depend on the time of day. */
export async function chosenFiles(
  files: readonly string[],
  patterns: readonly string[],
  isChosen = (file: string) => isDated(join(checkout, file)),
): Promise<string[]> {
  if (patterns.length > 0) return files.filter((file) => patterns.some((pattern) => file.includes(pattern)));
  const chosen = await Promise.all(files.map(isChosen));
  return files.filter((_, n) => chosen[n]);
}

/** The results of the tests at one moment. */
export interface Outcome {
  passed: number;
  /** The name of each failed test and the first line of its error. */
  failed: string[];
  seconds: number;
}

/** Runs test files at a moment, on a PostgreSQL cluster of their own, and deletes it afterwards. */
export async function runAt(
  moment: Moment,
  files: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-clocks-'));
  // PostgreSQL runs as another user if this process is root.
  await chmod(folder, 0o755);
  let end = () => rmSync(folder, { recursive: true, force: true });
  const abandon = () => end();
  process.once('exit', abandon);
  try {
    const clock = await makeFalseClock(folder);
    end = () => {
      clock.endProcesses();
      rmSync(folder, { recursive: true, force: true });
    };
    const env: NodeJS.ProcessEnv = {
      ...environment,
      ...clock.environment,
      TMPDIR: folder,
      TZ: moment.zone,
      // The databases are deleted with the cluster: dropping each would take longer than some tests.
      PORTREEVE_TEST_RUN: 'clocks',
      ...(moment.midnightSeconds !== undefined && { PORTREEVE_TEST_MIDNIGHT: String(moment.midnightSeconds) }),
    };
    await clock.set(instantOf(moment.templateAt ?? moment.at));
    const ground = fileURLToPath(new URL('./clock-ground.ts', import.meta.url));
    const port = Number((await run(process.execPath, [ground], { cwd: checkout, env })).stdout);
    await clock.set(instantOf(moment.at));
    await mustShow(instantOf(moment.at), port, env);
    await clock.set(instantOf(moment.at));
    const began = performance.now();
    const outcome = await runVitest(files, join(folder, 'report.json'), env);
    const days = ((await clock.now()).getTime() - instantOf(moment.at).getTime()) / dayMs;
    if (moment.midnightSeconds !== undefined && days < files.length - 1)
      throw new Error(
        `Only ${days.toFixed(1)} days passed in ${files.length} files: some files did not run over a midnight.`,
      );
    return { ...outcome, seconds: (performance.now() - began) / 1_000 };
  } finally {
    end();
    process.off('exit', abandon);
  }
}

/** Checks that the simulated clock is in effect; otherwise the run would prove nothing. */
async function mustShow(moment: Date, port: number, env: NodeJS.ProcessEnv): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: superRole, database: 'postgres' });
  await client.connect();
  const { rows } = await client
    .query<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms')
    .finally(() => client.end());
  const { stdout } = await run(process.execPath, ['-p', 'Date.now()'], { env });
  for (const [who, ms] of [
    ['PostgreSQL', Number(rows[0]!.ms)],
    ['Node', Number(stdout)],
  ] as const)
    if (!(Math.abs(ms - moment.getTime()) < driftMsMax))
      throw new Error(
        `${who} is at ${new Date(ms).toJSON()}, not at ${moment.toJSON()}: the simulated clock has no effect.`,
      );
}

async function runVitest(
  files: readonly string[],
  report: string,
  env: NodeJS.ProcessEnv,
): Promise<Pick<Outcome, 'passed' | 'failed'>> {
  await rm(report, { force: true });
  const args = [vitest, 'run', ...projects, '--reporter=json', `--outputFile=${report}`, ...files];
  const ended = await run(process.execPath, args, { cwd: checkout, env, maxBuffer: outputBytesMax }).then(
    () => undefined,
    (error: Error & { stderr?: string }) => error,
  );
  const text = await readFile(report, 'utf8').catch((cause: unknown) => {
    throw new Error(`vitest wrote no report: ${ended?.stderr ?? ''}`, { cause });
  });
  const outcome = readReport(text);
  // An error outside of the tests, such as an unhandled rejection.
  if (ended && outcome.failed.length === 0) outcome.failed.push(`(no test) ${ended.stderr?.trim() ?? ended.message}`);
  return outcome;
}

/** Reads a JSON report of vitest. */
export function readReport(text: string): Pick<Outcome, 'passed' | 'failed'> {
  const { testResults } = JSON.parse(text) as {
    testResults: readonly {
      name: string;
      status: string;
      message: string;
      assertionResults: readonly { fullName: string; status: string; failureMessages?: readonly string[] }[];
    }[];
  };
  const outcome = { passed: 0, failed: [] as string[] };
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(checkout, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    outcome.passed += assertionResults.filter((test) => test.status === 'passed').length;
    for (const test of failed)
      outcome.failed.push(`${file} > ${test.fullName}: ${firstLine(test.failureMessages?.[0] ?? '')}`);
    // A file that does not load, or whose set-up fails, has no failed test of its own.
    if (status === 'failed' && failed.length === 0) outcome.failed.push(`${file}: ${firstLine(message)}`);
  }
  return outcome;
}

const firstLine = (text: string): string => text.trim().split('\n')[0]!.slice(0, 300);
