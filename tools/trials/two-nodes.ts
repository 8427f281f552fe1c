import { streamThroughDeath } from '@portreeve/server/test/trials/stream-through-death.ts';
import {
  decideElsewhere,
  followThroughDeath,
  notificationPaths,
  revoke,
  rollingRestart,
} from '@portreeve/server/test/trials/two-nodes.ts';
import { openCell } from '@portreeve/server/test/world/cell.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Two nodes on one PostgreSQL, as processes: revocation, a monitor and a stream of the console through the death of a node, and a rolling restart under load.',
  options: {
    rounds: number(20, 'revocations'),
    seconds: number(20, 'how long the monitor follows'),
    kills: number(5, 'how often the node of the stream is killed'),
    restarts: number(3, 'restarts of each node'),
    seed: number(1, 'seed of every random choice'),
  },
  async run(values) {
    const { seed } = values;
    const cell = await openCell({ nodes: 2 });
    const wrong: string[] = [];
    try {
      console.log(`two nodes on ports ${cell.nodes.map(({ port }) => port).join(' and ')}, seed ${seed}`);

      for (const ear of notificationPaths) {
        const took = (await revoke(cell, ear, values.rounds)).sort((a, b) => a - b);
        const [median, max] = [took[Math.floor(took.length / 2)]!, took.at(-1)!];
        console.log(
          `revoked on B, refused on A, ${ear}: median ${median.toFixed(0)} ms, most ${max.toFixed(0)} ms (${took.length} times)`,
        );
        if (max > 1_000) wrong.push(`${ear}: ${max.toFixed(0)} ms`);
      }

      for (const ear of notificationPaths) {
        const took = (await decideElsewhere(cell, ear, values.rounds)).sort((a, b) => a - b);
        const [median, max] = [took[Math.floor(took.length / 2)]!, took.at(-1)!];
        console.log(
          `policy written on B, deciding on A, ${ear}: median ${median.toFixed(0)} ms, most ${max.toFixed(0)} ms (${took.length} times)`,
        );
        if (max > (ear === 'listening' ? 1_000 : 1_500)) wrong.push(`policy, ${ear}: ${max.toFixed(0)} ms`);
      }

      const followed = await followThroughDeath(cell, { writers: 8, seconds: values.seconds, seed });
      console.log(
        `monitor through kill -9: ${followed.writes} writes by 8 writers, ${followed.unanswered} requests that a dead node left, ${followed.polls} polls, ${followed.lostPages} pages asked for again`,
      );
      console.log(
        `  ${followed.committed} changes committed, ${followed.audited} audited, ${followed.delivered} delivered, ${followed.faults.length} missing, twice or out of order`,
      );
      wrong.push(...followed.faults);

      const streamed = await streamThroughDeath(cell, { kills: values.kills, seed });
      console.log(
        `stream behind one address: ${streamed.kills} times kill -9 of the node that served it, opened ${streamed.opened} times, silent for at most ${Math.max(...streamed.silentMs).toFixed(0)} ms`,
      );
      console.log(`  ${streamed.written} records written, ${streamed.named} named, ${streamed.missed.length} missed`);
      wrong.push(...streamed.missed.map((id) => `the stream did not name record ${id}`));

      const restarted = await rollingRestart(cell, { rounds: values.restarts, seed });
      console.log(
        `rolling restart: ${restarted.restarts} restarts, ${restarted.requests} requests by 8 clients, ${restarted.failed.length} failed; ${restarted.moved} were asked to move, ${restarted.refused} found nobody and went on to the other; slowest stop ${restarted.stopMsMax.toFixed(0)} ms`,
      );
      wrong.push(...restarted.failed, ...restarted.faults);
    } finally {
      await cell.close();
    }
    reportVerdict(wrong);
  },
});
