import { NetworkTrial, trialOutbound } from '@portreeve/server/test/trials/network.ts';
import { openCell } from '@portreeve/server/test/world/cell.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportLogs, reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Two nodes and a network of simulated switches: modelled, polled, changed, and polled on when a node is killed.',
  options: {
    switches: number(100, 'simulated switches'),
    ports: number(48, 'ports of each'),
  },
  async run(values) {
    const cell = await openCell({ nodes: 2, lifeSeconds: 3_600, settings: { outbound: trialOutbound } });
    let faults: readonly string[] = [];
    try {
      const trial = await NetworkTrial.open(cell, {
        switches: values.switches,
        ports: values.ports,
        print: console.log,
      });
      try {
        await trial.run();
      } finally {
        faults = trial.faults;
        await trial.close();
      }
      reportLogs(cell.nodes);
    } finally {
      await cell.close();
    }
    reportVerdict(faults);
  },
});
