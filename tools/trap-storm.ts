import { parseArgs } from 'node:util';
import { openNode, openWorld, realParts } from '@portreeve/server/testing/open-world.ts';
import { trapStorm } from '@portreeve/server/testing/trap-storm.ts';
import { sayVerdict } from './verdict.ts';

/** Switches tell two nodes of their links, as traps, informs and signed informs; then the database is asked what it knows of each. */
const { values } = parseArgs({
  options: { rate: { type: 'string', default: '1050' }, seconds: { type: 'string', default: '60' } },
});
const how = { jobs: 'work', traps: { host: '127.0.0.1', port: 0 } } as const;
const world = await openWorld({ ...how, parts: realParts() });
const other = await openNode({ ...how, parts: realParts(), database: world.database });
const report = await trapStorm(world, other, { perSecond: Number(values.rate), seconds: Number(values.seconds) });
await other.close();
await world.close();

const rate = Math.round(report.sent / report.seconds);
console.log(
  `${report.sent} changes of links of ${report.switches} switches in ${report.seconds.toFixed(1)} s (${rate} a second), each told to two nodes`,
);
console.log(
  `informs: ${report.acknowledged} acknowledged by both, median ${report.acknowledgedMs.median} ms, p99 ${report.acknowledgedMs.p99} ms; ${report.unacknowledged} not by both`,
);
console.log(`events: ${report.events}; traps of which none tells: ${report.lostTraps}`);
for (const [at, outcomes] of report.outcomes.entries())
  console.log(
    `node ${at + 1}: ${Object.entries(outcomes)
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => `${outcome} ${count}`)
      .join(', ')}`,
  );
sayVerdict(report.faults);
