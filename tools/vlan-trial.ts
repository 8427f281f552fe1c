import { parseArgs } from 'node:util';
import { openWorld, realParts } from '@portreeve/server/testing/open-world.ts';
import { vlanTrial } from '@portreeve/server/testing/vlan-trial.ts';
import { sayVerdict } from './verdict.ts';

/** Puts ports of many switches into a VLAN by one request, one of which refuses, and asks the switches what they saw. */
const { values } = parseArgs({
  options: { switches: { type: 'string', default: '10' }, ports: { type: 'string', default: '5' } },
});
const world = await openWorld({ parts: realParts(), jobs: 'work' });
const report = await vlanTrial(world, { switches: Number(values.switches), portsEach: Number(values.ports) });
await world.close();

const [first, again] = report.seconds.map((seconds) => seconds.toFixed(1));
console.log(`${report.ports} ports on ${values.switches} switches: ${report.sets[0]} SETs in ${first} s`);
console.log(`the same again: ${report.sets[1]} SETs, all to the one that refuses, in ${again} s`);
console.log(`port changes: ${report.changes.done} done, ${report.changes.failed} failed`);
sayVerdict(report.faults);
