import { vlanTrial } from '@portreeve/server/test/trials/vlan.ts';
import { openWorld, realProtocols } from '@portreeve/server/test/world/open-world.ts';
import { number } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { reportVerdict } from '../verdict.ts';

export const trial = defineTrial({
  doc: 'Puts ports of many switches into a VLAN by one request, which one of them refuses, and compares with what the switches received.',
  options: {
    switches: number(10, 'simulated switches'),
    ports: number(5, 'ports of each'),
  },
  async run(values) {
    const world = await openWorld({ parts: realProtocols(), jobs: 'work' });
    const sizes = { switches: values.switches, portsEach: values.ports };
    const report = await vlanTrial(world, sizes).finally(() => world.close());

    const [first, again] = report.seconds.map((seconds) => seconds.toFixed(1));
    console.log(`${report.ports} ports on ${values.switches} switches: ${report.sets[0]} SETs in ${first} s`);
    console.log(`the same again: ${report.sets[1]} SETs, all to the one that refuses, in ${again} s`);
    console.log(`port changes: ${report.changes.done} done, ${report.changes.failed} failed`);
    reportVerdict(report.faults);
  },
});
