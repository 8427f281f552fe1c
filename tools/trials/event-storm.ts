import { eventStorm } from '@portreeve/server/test/trials/event-storm.ts';
import { openWorld } from '@portreeve/server/test/world/open-world.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Writers emit events while monitors follow, and one writer commits three seconds late; then each monitor must have seen every event once.',
  options: {
    writers: number(4, 'writers'),
    monitors: number(2, 'clients that follow'),
    rate: number(500, 'events a second'),
    seconds: number(60, 'how long it runs'),
  },
  async run(values) {
    const world = await openWorld();
    const report = await eventStorm(world, {
      writers: values.writers,
      monitors: values.monitors,
      perSecond: values.rate,
      seconds: values.seconds,
    }).finally(() => world.close());

    const rate = Math.round(report.emitted / report.seconds);
    console.log(
      `${report.emitted} events in ${report.seconds} s (${rate} a second) by ${values.writers} writers, one ${report.latestMs / 1_000} s late`,
    );
    for (const [n, { reported, polls, missing, twice }] of report.monitors.entries())
      console.log(`monitor ${n + 1}: ${reported} delivered in ${polls} polls, ${missing} missing, ${twice} twice`);
    reportVerdict(
      report.monitors.flatMap(({ reported, missing, twice }, n) =>
        reported === report.emitted && missing === 0 && twice === 0
          ? []
          : [`monitor ${n + 1} did not get each event once`],
      ),
    );
  },
});
