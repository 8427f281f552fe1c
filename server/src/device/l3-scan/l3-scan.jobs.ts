import { job } from '../../context.ts';
import { scanDevices } from './scan-devices.ts';

/** Asks devices whether they route. Begun again, it asks those that were not asked yet. */
export const scanLayer3 = job('scan-layer-3', {
  doc: 'Find devices that route',
  secondsMax: 4 * 3_600,
  repeatable: true,
  retriesMax: 20,
  run: (_payload, run) => scanDevices(run),
});
