import { parseArgs } from 'node:util';
import { openCell } from '@portreeve/server/testing/cell.ts';
import { ears, followThroughDeath, revoke, rollingRestart } from '@portreeve/server/testing/two-nodes.ts';
import { sayVerdict } from './verdict.ts';

/** Two nodes on one PostgreSQL, as processes: revocation, a monitor through a node's death, and a rolling restart under load. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '20' },
    restarts: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
  },
});
// Whoever stops this does not leave a cell behind: it ends with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const seed = Number(values.seed);
const cell = await openCell({ nodes: 2 });
const wrong: string[] = [];
try {
  console.log(`two nodes on ports ${cell.nodes.map(({ port }) => port).join(' and ')}, seed ${seed}`);

  for (const ear of ears) {
    const took = (await revoke(cell, ear, Number(values.rounds))).sort((a, b) => a - b);
    const [median, max] = [took[Math.floor(took.length / 2)]!, took.at(-1)!];
    console.log(
      `revoked on B, refused on A, ${ear}: median ${median.toFixed(0)} ms, most ${max.toFixed(0)} ms (${took.length} times)`,
    );
    if (max > 1_000) wrong.push(`${ear}: ${max.toFixed(0)} ms`);
  }

  const followed = await followThroughDeath(cell, { writers: 8, seconds: Number(values.seconds), seed });
  console.log(
    `monitor through kill -9: ${followed.writes} writes by 8 writers, ${followed.unanswered} requests that a dead node left, ${followed.polls} polls, ${followed.lostPages} pages asked for again`,
  );
  console.log(
    `  ${followed.committed} changes committed, ${followed.audited} audited, ${followed.delivered} told, ${followed.faults.length} missing, twice or out of order`,
  );
  wrong.push(...followed.faults);

  const restarted = await rollingRestart(cell, { rounds: Number(values.restarts), seed });
  console.log(
    `rolling restart: ${restarted.restarts} restarts, ${restarted.requests} requests by 8 clients, ${restarted.failed.length} failed; ${restarted.moved} were asked to move, ${restarted.refused} found nobody and went on to the other; slowest stop ${restarted.stopMsMax.toFixed(0)} ms`,
  );
  wrong.push(...restarted.failed, ...restarted.faults);
} finally {
  await cell.close();
}
sayVerdict(wrong);
