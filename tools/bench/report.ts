import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Bench, BenchResult, ComparisonResult } from './bench.ts';
import { benches } from './benches.ts';
import { type ImportFigures, importCells, importName, importWords } from './fill-hosts.ts';
import { type GrowthResult, growthName, growthTable } from './growth.ts';
import { growthPicture } from './growth-picture.ts';
import { picture } from './picture.ts';
import { subjectNames } from './subjects/subjects.ts';

const figuresFolder = fileURLToPath(new URL('../../docs/performance/', import.meta.url));
const pageFile = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const ratiosFile = fileURLToPath(new URL('./ratios.json', import.meta.url));
const pictureName = 'goals.svg';
const growthPictureName = 'growth.svg';

/** By benchmark and label of its comparison: the median ratio of the short form. */
export type Ratios = Record<string, Record<string, number>>;

export const readRatios = async (): Promise<Ratios> => JSON.parse(await readFile(ratiosFile, 'utf8'));

export async function storeRatios(results: readonly BenchResult[]): Promise<void> {
  const ratios = existsSync(ratiosFile) ? await readRatios() : {};
  for (const { name, comparisons } of results)
    ratios[name] = Object.fromEntries(
      comparisons.map(({ label, range }) => [label, Math.round(range.median * 100) / 100]),
    );
  await writeFile(ratiosFile, `${JSON.stringify(ratios, undefined, 2)}\n`);
}

/** Stores the figures of a run that counts, with the machine they come from. */
export async function keepFigures(
  result: BenchResult | ((GrowthResult | ImportFigures) & { name: string }),
): Promise<void> {
  await mkdir(figuresFolder, { recursive: true });
  const machine = `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  await writeFile(`${figuresFolder}${result.name}.json`, `${JSON.stringify({ machine, ...result }, undefined, 2)}\n`);
}

async function figures<T>(name: string): Promise<(T & { machine: string }) | undefined> {
  const file = `${figuresFolder}${name}.json`;
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined;
}

interface Page {
  page: string;
  picture: string;
  growthPicture: string;
}

/** Returns the page and its picture, from the stored figures only. */
export async function writtenPage(): Promise<Page> {
  const storedResults: { bench: Bench; result: BenchResult & { machine: string } }[] = [];
  for (const bench of benches) {
    const result = await figures<BenchResult>(bench.name);
    if (result) storedResults.push({ bench, result });
  }
  const growths: GrowthResult[] = [];
  for (const subject of subjectNames) {
    const growth = await figures<GrowthResult>(growthName(subject));
    if (growth) growths.push(growth);
  }
  const imported = await figures<ImportFigures>(importName);
  const bars = storedResults.flatMap(({ bench, result }) =>
    result.comparisons.map((comparison) => ({ title: titleOf(bench, comparison), comparison })),
  );
  const machines = [...new Set(storedResults.map(({ result }) => result.machine))];
  const page = `# Performance

<!-- Written by \`npm run bench -- --write-docs\` from docs/performance/*.json and tools/bench; do not edit. -->

Ratios, not absolutes: every benchmark builds the limit it is measured against itself and runs both in turns, on the same database, with the same
load generator. Measured on ${machines.join('; ')}, with the load generator, PostgreSQL 15 and the service on the same machine.

![Each benchmark against its goal](performance/${pictureName})

| Benchmark | Ratio | Range | Goal | |
|---|--:|--:|--:|---|
${storedResults.flatMap(({ bench, result }) => result.comparisons.map((comparison) => rowOf(titleOf(bench, comparison), comparison))).join('\n')}

A goal is met when the worst round meets it.

## What limits each

| Benchmark | What it is | A second | CPU µs: server, PostgreSQL | What limits it |
|---|---|--:|--:|---|
${storedResults.map(({ bench, result }) => limitRow(bench, result)).join('\n')}

${storedResults
  .filter(({ bench, result }) => bench.missed && result.comparisons.some(({ isMet }) => !isMet))
  .map(({ bench }) => `**${bench.name}** misses its goal: ${bench.missed}`)
  .join('\n\n')}

## How cost grows

CPU of service and PostgreSQL together.

![CPU of each kind of read by the size of the table](performance/${growthPictureName})

${growths.map((growth) => growthTable(growth).join('\n')).join('\n\n')}

- One record, a list, a page of a walk and a rare part of a text are found by an index: the table hardly shows.
- \`total\` is a counter. \`filtered\` is counted: it grows with what matches, not with the table. A filter that matches most of a large table costs a scan of an index; one that cannot be counted within five seconds is answered \`too-expensive\`.
- A page by \`start\` steps over the ids before it, from the nearer end: the middle is the worst. Walk by the \`Link\` header instead.

## Importing hosts

${imported ? importText(imported) : 'Not measured yet.'}

## How a read is answered

${answers}

## How to run

| Command | What it does |
|---|---|
| \`npm run bench -- --list\` | names the benchmarks |
| \`npm run bench -- NAME\` | runs one; \`all\` runs all; the last line of each says its ratio and goal |
| \`npm run bench -- growth host-growth adapter-growth\` | every kind of read at 10,000, 100,000 and 1,000,000 |
| \`npm run bench -- import\` | imports 1,000,000 hosts with 1,200,000 adapters, beside COPY of the same rows |
| \`npm run bench -- NAME --keep\` | also keeps the figures in \`docs/performance\` |
| \`npm run bench -- --write-docs\` | writes this page and its picture from the figures that are kept |
| \`npm run bench -- all --short --store\` | the short form that \`npm test\` runs last, and keeps its ratios in \`tools/bench/ratios.json\` |

\`--seed\`, \`--rounds\` and \`--seconds\` change a run. The first run fills the databases (ports by SQL, hosts through the API) and keeps them as templates in the private PostgreSQL.
The exit code is 1 when an answer was wrong, and 0 when a goal is missed. A run in which the limit itself ranged over more than 1.5x, or a round got nothing done, is printed as \`not measured\`: the machine was busy, nothing is stored, and nothing fails.

## What keeps it honest

- Targets are drawn at random from the whole table; the seed is printed. One request in fifty asks for the record that was written last.
- A writer changes 100 records a second and replaces one ten times a second, in one transaction. Every answer is read to its last byte: names, order and type of every field of every record, ids, \`filtered\`, \`total\`, \`ETag\`, and no record older than what was acknowledged before the request was sent. Afterwards the counters are held against \`count(*)\`.
- The node is a process as a deployment starts it. That it asks who calls, refuses who may not, checks parameters and audits is tried before the run; that it logs is counted after each round, line by line. Only its rate limit is raised.
- The limit has as many sessions as the node may open, and answers the same records.
- In \`npm test\` the short form compares CPU time a request and runs a second time when it fell; it fails when the best round of both is more than 20 % behind the goal, or behind the stored ratio where that missed the goal. A run on a machine too busy to measure is printed as \`not measured\` and is no failure. It runs after all other tests, alone.
`;
  return { page, picture: picture(bars), growthPicture: growthPicture(growths) };
}

const importText = (
  figures: ImportFigures,
): string => `Files sent to \`POST /host/import-hosts\`, read, checked and written while somebody else may read; COPY by psql of the same rows knows nothing of either.

| ${importWords.join(' | ')} |
|--:|--:|--:|--:|--:|
| ${importCells(figures).join(' | ')} |

Indexes are what both wait for: names, operating systems and notes of hosts can be searched for any part of them.`;

const answers = `Rows of the database become the answer without becoming strings or objects: the service takes them out of the messages of PostgreSQL and copies cell after
cell behind the names of the fields ([\`row-bytes.ts\`](../server/src/kernel/database/row-bytes.ts), [\`row-writer.ts\`](../server/src/kernel/format/row-writer.ts)).
Records that are asked for at the same time are fetched by one statement ([\`fetch-batch.ts\`](../server/src/kernel/read/fetch-batch.ts)). Rows and both counts of a list come from one statement, so they agree.
Commits that cause work leave a row, and one notification tells of many ([\`reconcile.ts\`](../server/src/kernel/jobs/reconcile.ts)).`;

const titleOf = (bench: Bench, { label }: ComparisonResult): string =>
  (label ? `${bench.name}: ${label}` : bench.name).replace(/,$/, '');

function rowOf(title: string, { range, goal, isMet }: ComparisonResult): string {
  const goalText = 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
  return `| ${title} | ${range.median.toFixed(2)} | ${range.low.toFixed(2)}–${range.high.toFixed(2)} | ${goalText} | ${isMet ? 'met' : '**missed**'} |`;
}

function limitRow({ name, doc, limit }: Bench, { contestants }: BenchResult): string {
  const lines = contestants.map((contestant) => `${contestant.name} ${contestant.perSecond.median.toFixed(0)}`);
  const cpu = contestants.map(
    (contestant) => `${contestant.cpu.server.toFixed(0)}, ${contestant.cpu.postgres.toFixed(0)}`,
  );
  return `| ${name} | ${doc} | ${lines.join('<br>')} | ${cpu.join('<br>')} | ${limit} |`;
}

export async function writePage(): Promise<void> {
  const { page, picture: svg, growthPicture: growthSvg } = await writtenPage();
  await mkdir(figuresFolder, { recursive: true });
  await writeFile(pageFile, page);
  await writeFile(`${figuresFolder}${pictureName}`, svg);
  await writeFile(`${figuresFolder}${growthPictureName}`, growthSvg);
}

/** Returns the page and picture in the tree, to compare them with the figures. */
export const storedPage = async (): Promise<Page> => ({
  page: await readFile(pageFile, 'utf8'),
  picture: await readFile(`${figuresFolder}${pictureName}`, 'utf8'),
  growthPicture: await readFile(`${figuresFolder}${growthPictureName}`, 'utf8'),
});
