import { storm } from '@portreeve/server/test/trials/storm.ts';
import { openWorld } from '@portreeve/server/test/world/open-world.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Many connections write two tables in either order; then counters and feed are compared with the tables.',
  options: {
    connections: number(40, 'connections that write'),
    seconds: number(60, 'how long it runs'),
    seed: number(1, 'seed of every random choice'),
  },
  async run(values) {
    const { connections, seconds, seed } = values;
    const world = await openWorld({ connectionsMax: connections + 5 });
    const report = await storm(world, { connections, seconds, seed }).finally(() => world.close());

    console.log(`${report.transactions} transactions on ${connections} connections in ${seconds} s, seed ${seed}`);
    console.log(
      `deadlocks that PostgreSQL broke: ${report.deadlocks}; failures that reached a caller: ${[...report.failures.values()].reduce((a, b) => a + b, 0)}`,
    );
    for (const [message, times] of report.failures) console.log(`  ${times} × ${message}`);
    for (const [table, { counter, counted }] of Object.entries(report.counts))
      console.log(`${table}: counter ${counter}, count(*) ${counted}`);
    console.log(
      `feed: ${report.feedEntries} entries, ${report.feedFaults.length} records with a version missing or out of order`,
    );
    reportVerdict([
      ...[...report.failures].map(([message, times]) => `${times} callers got: ${message}`),
      ...report.feedFaults,
      ...Object.entries(report.counts)
        .filter(([, { counter, counted }]) => counter !== counted)
        .map(([table, { counter, counted }]) => `${table}: counter ${counter}, count(*) ${counted}`),
    ]);
  },
});
