import { trapStorm } from '@portreeve/server/test/trials/trap-storm.ts';
import { openNode, openWorld, realProtocols } from '@portreeve/server/test/world/open-world.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Switches report link changes to two nodes, as traps, informs and signed informs; then the database is compared with what was sent.',
  options: {
    rate: number(1_050, 'link changes a second'),
    seconds: number(60, 'how long it runs'),
  },
  async run(values) {
    const how = { jobs: 'work', traps: { host: '127.0.0.1', port: 0 } } as const;
    const world = await openWorld({ ...how, parts: realProtocols() });
    const otherNode = await openNode({ ...how, parts: realProtocols(), database: world.database });
    const load = { perSecond: values.rate, seconds: values.seconds };
    const report = await trapStorm(world, otherNode, load).finally(async () => {
      await otherNode.close();
      await world.close();
    });

    const rate = Math.round(report.sent / report.seconds);
    console.log(
      `${report.sent} changes of links of ${report.switches} switches in ${report.seconds.toFixed(1)} s (${rate} a second), each sent to two nodes`,
    );
    console.log(
      `informs: ${report.acknowledged} acknowledged by both, median ${report.acknowledgedMs.median} ms, p99 ${report.acknowledgedMs.p99} ms; ${report.unacknowledged} not by both`,
    );
    console.log(`events: ${report.events}; traps without an event: ${report.lostTraps}`);
    for (const [nodeIndex, outcomes] of report.outcomes.entries())
      console.log(
        `node ${nodeIndex + 1}: ${Object.entries(outcomes)
          .filter(([, count]) => count > 0)
          .map(([outcome, count]) => `${outcome} ${count}`)
          .join(', ')}`,
      );
    reportVerdict(report.faults);
  },
});
