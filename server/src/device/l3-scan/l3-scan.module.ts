import { resource } from '../../context.ts';
import { l3ScanActions } from './l3-scan.actions.ts';
import { l3ScanCompleted } from './l3-scan.events.ts';
import { scanLayer3 } from './l3-scan.jobs.ts';
import { l3Scan } from './l3-scan.ts';

export const l3ScanModule = resource('L3 scan', l3Scan, {
  actions: l3ScanActions,
  events: [l3ScanCompleted],
  jobs: [scanLayer3],
});
