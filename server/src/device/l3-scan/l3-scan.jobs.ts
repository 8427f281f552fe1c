import { job } from '../../context.ts';
import { scanDevices } from './scan-devices.ts';

/** Scans devices for signs of routing. A restart scans those that are left. */
export const scanLayer3 = job('scan-layer-3', {
  doc: 'Find devices that route',
  secondsMax: 4 * 3_600,
  repeatable: true,
  retriesMax: 20,
  run: (_payload, run) => scanDevices(run),
});
