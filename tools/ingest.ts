import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { migratedDatabase } from '@portreeve/server/testing/databases.ts';
import { ingest, ingestWays } from '@portreeve/server/testing/ingest.ts';

/** Rows of a log through its writer, against COPY of the same batches: they take turns, and the low end must meet the goal. */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, seconds: { type: 'string', default: '3' } },
});
const goal = 0.9;
const database = await migratedDatabase();
const wrong: string[] = [];
const ratios: number[] = [];
try {
  for (let round = 0; round <= Number(values.rounds); round++) {
    const rates: Partial<Record<keyof typeof ingestWays, number>> = {};
    const ways = Object.entries(ingestWays) as [
      keyof typeof ingestWays,
      (typeof ingestWays)[keyof typeof ingestWays],
    ][];
    for (const [name, way] of round % 2 === 0 ? ways : ways.reverse()) {
      const { rows, seconds, cpuMicros, faults } = await ingest(database.serviceUrl, way, Number(values.seconds));
      rates[name] = rows / seconds;
      wrong.push(...faults);
      console.log(
        `${round === 0 ? 'warming' : `round ${round}`}, ${name}: ${rates[name].toFixed(0)} rows/s, ${cpuMicros.toFixed(1)} µs CPU a row`,
      );
    }
    if (round > 0) ratios.push(rates.writer! / rates.COPY!);
  }
} finally {
  await database.drop();
}
ratios.sort((a, b) => a - b);
const [low, median, high] = [ratios[0]!, ratios[ratios.length >> 1]!, ratios.at(-1)!];
for (const fault of wrong) console.log(`  ${fault}`);
console.log(
  `ingest: ratio ${median.toFixed(2)} (goal >= ${goal}), low end of ${low.toFixed(2)}-${high.toFixed(2)} over ${ratios.length} rounds: ${low >= goal && wrong.length === 0 ? 'met' : 'missed'}; load average ${loadavg()[0]!.toFixed(1)}`,
);
process.exitCode = wrong.length === 0 ? 0 : 1;
