import { suggestion } from '../cli/src/nearest.ts';
import { type BenchResult, full, runBench, type Scale, short } from './bench/bench.ts';
import { benches } from './bench/benches.ts';
import { bootDoc, bootName, measureBoot } from './bench/boot.ts';
import { decideDoc, decideName, measureDecide } from './bench/decide.ts';
import { importName } from './bench/fill-hosts.ts';
import { growthName, runGrowth } from './bench/growth.ts';
import { keepFigures, storeRatios, writePage } from './bench/report.ts';
import { Stage } from './bench/stage.ts';
import { subjectNames } from './bench/subjects/subjects.ts';
import { flag, maybeNumber, readCommand, refuse } from './command.ts';

/** Measures the service compared with limits that the benchmarks build; docs/performance.md explains them. */
const usage = 'npm run bench';
const { values, positionals } = readCommand({
  usage,
  doc: 'Runs benchmarks by name, or all that compare with a limit: npm run bench -- read-one, npm run bench -- all.',
  takes: 'NAME…',
  options: {
    list: flag('name the benchmarks'),
    short: flag('less data and shorter rounds'),
    keep: flag('store the figures for docs/performance.md'),
    store: flag('store the ratios that the short form compares with'),
    'write-docs': flag('write docs/performance.md from the stored figures'),
    seed: maybeNumber('seed of every random choice'),
    rounds: maybeNumber('rounds of each benchmark'),
    seconds: maybeNumber('seconds of each round'),
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const docs: Readonly<Record<string, string>> = {
  ...Object.fromEntries(benches.map(({ name, doc }) => [name, doc])),
  ...Object.fromEntries(
    subjectNames.map((name) => [growthName(name), `every kind of read of ${name}s at 10,000, 100,000 and 1,000,000`]),
  ),
  [importName]: '1,000,000 hosts with 1,200,000 adapters through the API, compared with COPY of the same rows',
  [bootName]: bootDoc,
  [decideName]: decideDoc,
};
const unknown = positionals.find((name) => name !== 'all' && !(name in docs));
if (unknown !== undefined)
  refuse({ usage }, `There is no benchmark "${unknown}".${suggestion(unknown, Object.keys(docs))}`);
const chosenBenches = benches.filter(({ name }) => positionals.includes('all') || positionals.includes(name));
const wantsImport = positionals.includes(importName);
const growing = subjectNames.filter((name) => positionals.includes(growthName(name)));
if (values['write-docs']) {
  await writePage();
} else if (values.list || positionals.length === 0) {
  for (const [name, doc] of Object.entries(docs)) console.log(`${name.padEnd(19)} ${doc}`);
  process.exitCode = values.list ? 0 : 2;
} else {
  if (positionals.includes(bootName)) await measureBoot(console.log);
  if (positionals.includes(decideName)) measureDecide(console.log, values.short === true, values.seed ?? 1);
  if (chosenBenches.length > 0 || growing.length > 0 || wantsImport) process.exitCode = (await measure()) ? 0 : 1;
}

/**
 * Returns true if every response was right. A run that a busy machine disturbed is printed, not stored, and no failure.
 */
async function measure(): Promise<boolean> {
  const base = values.short ? short : full;
  const scale: Scale = {
    ...base,
    rounds: values.rounds ?? base.rounds,
    seconds: values.seconds ?? base.seconds,
  };
  const stage = new Stage({ seed: values.seed ?? Date.now() % 1_000_000, say: console.log });
  const results: BenchResult[] = [];
  let isWrong = false;
  try {
    if (wantsImport) {
      const figures = await stage.importAnew(scale.large);
      if (values.keep) await keepFigures({ name: importName, ...figures });
    }
    for (const bench of chosenBenches) {
      const result = await runBench(bench, stage, scale);
      const counts = result.voidBecause.length === 0;
      isWrong ||= result.wrong.length > 0;
      if (counts && values.keep) await keepFigures(result);
      if (counts) results.push(result);
    }
    for (const subject of growing) {
      const growth = await runGrowth(stage, { ...scale, rounds: 3 }, [10_000, 100_000, 1_000_000], subject);
      isWrong ||= growth.voidBecause.length > 0;
      if (values.keep && growth.voidBecause.length === 0) await keepFigures({ name: growthName(subject), ...growth });
    }
  } finally {
    await stage.close();
  }
  if (values.store) await storeRatios(results);
  return !isWrong;
}
