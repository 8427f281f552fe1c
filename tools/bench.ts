import { parseArgs } from 'node:util';
import { full, runBench, type Scale, short } from './bench/bench.ts';
import { benches } from './bench/benches.ts';
import { Stage } from './bench/stage.ts';

/** Measures the service against limits that it builds itself; docs/performance.md says what and why. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean' },
    short: { type: 'boolean' },
    seed: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const wanted = positionals[0] === 'all' ? benches : benches.filter(({ name }) => positionals.includes(name));
if (values.list || wanted.length === 0) {
  for (const { name, doc } of benches) console.log(`${name.padEnd(12)} ${doc}`);
  process.exit(values.list ? 0 : 2);
}

const base = values.short ? short : full;
const scale: Scale = {
  ...base,
  rounds: Number(values.rounds ?? base.rounds),
  seconds: Number(values.seconds ?? base.seconds),
};
const stage = new Stage({ seed: Number(values.seed ?? Date.now() % 1_000_000), say: console.log });
let isVoid = false;
try {
  for (const bench of wanted) isVoid = (await runBench(bench, stage, scale)).voidBecause.length > 0 || isVoid;
} finally {
  await stage.close();
}
process.exitCode = isVoid ? 1 : 0;
