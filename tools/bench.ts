import { parseArgs } from 'node:util';
import { type BenchResult, full, runBench, type Scale, short } from './bench/bench.ts';
import { benches } from './bench/benches.ts';
import { importName } from './bench/fill-hosts.ts';
import { growthName, runGrowth } from './bench/growth.ts';
import { keepFigures, storeRatios, writePage } from './bench/report.ts';
import { Stage } from './bench/stage.ts';
import { subjectNames } from './bench/subjects/subjects.ts';

/** Measures the service against limits that it builds itself; docs/performance.md says what and why. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean' },
    short: { type: 'boolean' },
    keep: { type: 'boolean' },
    store: { type: 'boolean' },
    'write-docs': { type: 'boolean' },
    seed: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const wanted = benches.filter(({ name }) => positionals.includes('all') || positionals.includes(name));
const wantsImport = positionals.includes(importName);
const growing = subjectNames.filter((name) => positionals.includes(growthName(name)));
if (values['write-docs']) {
  await writePage();
} else if (values.list || (wanted.length === 0 && growing.length === 0 && !wantsImport)) {
  for (const { name, doc } of benches) console.log(`${name.padEnd(19)} ${doc}`);
  for (const name of subjectNames)
    console.log(`${growthName(name).padEnd(19)} every kind of read of ${name}s at 10,000, 100,000 and 1,000,000`);
  console.log(
    `${importName.padEnd(19)} 1,000,000 hosts with 1,200,000 adapters through the API, beside COPY of the same rows`,
  );
  process.exitCode = values.list ? 0 : 2;
} else process.exitCode = (await measure()) ? 0 : 1;

/** Answers whether every run counts. */
async function measure(): Promise<boolean> {
  const base = values.short ? short : full;
  const scale: Scale = {
    ...base,
    rounds: Number(values.rounds ?? base.rounds),
    seconds: Number(values.seconds ?? base.seconds),
  };
  const stage = new Stage({ seed: Number(values.seed ?? Date.now() % 1_000_000), say: console.log });
  const results: BenchResult[] = [];
  let isVoid = false;
  try {
    if (wantsImport) {
      const figures = await stage.importAnew(scale.large);
      if (values.keep) await keepFigures({ name: importName, ...figures });
    }
    for (const bench of wanted) {
      const result = await runBench(bench, stage, scale);
      const counts = result.voidBecause.length === 0;
      isVoid ||= !counts;
      if (counts && values.keep) await keepFigures(result);
      if (counts) results.push(result);
    }
    for (const subject of growing) {
      const growth = await runGrowth(stage, { ...scale, rounds: 3 }, [10_000, 100_000, 1_000_000], subject);
      isVoid ||= growth.voidBecause.length > 0;
      if (values.keep && growth.voidBecause.length === 0) await keepFigures({ name: growthName(subject), ...growth });
    }
  } finally {
    await stage.close();
  }
  if (values.store) await storeRatios(results);
  return !isVoid;
}
