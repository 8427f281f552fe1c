import { parseArgs } from 'node:util';
import { openWorld } from '@portreeve/server/testing/open-world.ts';
import { storm } from '@portreeve/server/testing/storm.ts';

/** Many connections write two tables in either order; then counters, feed and callers are asked what they saw. */
const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
const connections = Number(values.connections);
const world = await openWorld({ connectionsMax: connections + 5 });
const report = await storm(world, { connections, seconds: Number(values.seconds), seed: Number(values.seed) });
await world.close();

console.log(
  `${report.transactions} transactions on ${connections} connections in ${values.seconds} s, seed ${values.seed}`,
);
console.log(
  `deadlocks that PostgreSQL broke: ${report.deadlocks}; failures that reached a caller: ${[...report.failures.values()].reduce((a, b) => a + b, 0)}`,
);
for (const [message, times] of report.failures) console.log(`  ${times} × ${message}`);
for (const [table, { counter, counted }] of Object.entries(report.counts))
  console.log(`${table}: counter ${counter}, count(*) ${counted}`);
console.log(
  `feed: ${report.feedEntries} entries, ${report.feedFaults.length} records with a version missing or out of order`,
);
for (const fault of report.feedFaults.slice(0, 10)) console.log(`  ${fault}`);
const isRight =
  report.failures.size === 0 &&
  report.feedFaults.length === 0 &&
  Object.values(report.counts).every(({ counter, counted }) => counter === counted);
console.log(isRight ? 'all right' : 'NOT right');
process.exitCode = isRight ? 0 : 1;
