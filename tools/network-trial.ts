import { parseArgs } from 'node:util';
import { openCell } from '@portreeve/server/testing/cell.ts';
import { NetworkTrial, trialOutbound } from '@portreeve/server/testing/network-trial.ts';

/** Two nodes and a network of simulated switches: modelled, polled, changed, and polled on when a node is killed. */
const { values } = parseArgs({
  options: {
    switches: { type: 'string', default: '100' },
    ports: { type: 'string', default: '48' },
  },
});
// Whoever stops this does not leave a cell behind: it ends with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const cell = await openCell({ nodes: 2, lifeSeconds: 3_600, settings: { outbound: trialOutbound } });
let faults: readonly string[] = [];
try {
  const trial = await NetworkTrial.open(cell, {
    switches: Number(values.switches),
    ports: Number(values.ports),
    say: console.log,
  });
  try {
    await trial.run();
  } finally {
    faults = trial.faults;
    await trial.close();
  }
  for (const node of cell.nodes) {
    const lines = node.log().trim().split('\n').slice(1);
    if (lines.length > 0)
      console.log(`node ${node.name} logged ${lines.length} lines, such as ${lines[0]!.slice(0, 300)}`);
  }
} finally {
  await cell.close();
}
for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
console.log(faults.length === 0 ? 'all right' : `NOT right: ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
