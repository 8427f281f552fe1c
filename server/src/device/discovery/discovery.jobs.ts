import { job } from '../../context.ts';
import { workOn } from './discovery-worker.ts';
import { tidyRuns } from './stored-run.ts';

/** Asks the addresses of a run and models what is there. Begun again, also on another node, it goes on where the last one was. */
export const discoverDevices = job('discover-devices', {
  doc: 'Discover network devices in address ranges',
  secondsMax: 23 * 3_600,
  repeatable: true,
  retriesMax: 100,
  parallel: 4,
  run: (payload, run) => workOn((payload as { runID: number }).runID, run),
});

export const tidyDiscoveries = job('tidy-discoveries', {
  doc: 'End abandoned discoveries, and delete old ones',
  at: '* * * * *',
  secondsMax: 50,
  repeatable: true,
  run: (_payload, { context }) => context.write(tidyRuns),
});
