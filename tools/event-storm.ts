import { parseArgs } from 'node:util';
import { eventStorm } from '@portreeve/server/testing/event-storm.ts';
import { openWorld } from '@portreeve/server/testing/open-world.ts';

/** Writers emit events while monitors follow, and one writer commits three seconds late; then each monitor is asked what it saw. */
const { values } = parseArgs({
  options: {
    writers: { type: 'string', default: '4' },
    monitors: { type: 'string', default: '2' },
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '60' },
  },
});
const world = await openWorld();
const report = await eventStorm(world, {
  writers: Number(values.writers),
  monitors: Number(values.monitors),
  perSecond: Number(values.rate),
  seconds: Number(values.seconds),
});
await world.close();

const rate = Math.round(report.emitted / report.seconds);
console.log(
  `${report.emitted} events in ${report.seconds} s (${rate} a second) by ${values.writers} writers, one ${report.latestMs / 1_000} s late`,
);
for (const [n, { told, polls, missing, twice }] of report.monitors.entries())
  console.log(`monitor ${n + 1}: ${told} told in ${polls} polls, ${missing} missing, ${twice} twice`);
const isRight = report.monitors.every(
  ({ told, missing, twice }) => told === report.emitted && missing === 0 && twice === 0,
);
console.log(isRight ? 'all right' : 'NOT right');
process.exitCode = isRight ? 0 : 1;
