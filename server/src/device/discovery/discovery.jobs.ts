import { job } from '../../context.ts';
import { workOn } from './discovery-worker.ts';
import { tidyRuns } from './stored-run.ts';

/** Probes the addresses of a run and creates the devices found. A restart, also on another node, continues the run. */
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
