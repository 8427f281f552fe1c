import { parseArgs } from 'node:util';
import { openCell } from '@portreeve/server/testing/cell.ts';
import { NetworkTrial, trialOutbound } from '@portreeve/server/testing/network-trial.ts';
import { sayLogged, sayVerdict } from './verdict.ts';

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
  sayLogged(cell.nodes);
} finally {
  await cell.close();
}
sayVerdict(faults);
