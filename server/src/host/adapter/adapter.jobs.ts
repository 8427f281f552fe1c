import { job } from '../../context.ts';
import { type ScanRequest, scanAdapters } from './scan-adapters.ts';
import { loadVendors, nameVendors } from './vendors.ts';

/** Loads the IEEE registries when the package has installed new files, and updates the vendors of adapters. */
export const vendorLoad = job('vendor-load', {
  doc: 'Update the vendors of MAC addresses',
  at: '*/5 * * * *',
  secondsMax: 280,
  repeatable: true,
  async run(_payload, { context, signal }) {
    const prefixes = await context.write((tx) => loadVendors(tx));
    for (let after = prefixes === undefined ? undefined : 0; after !== undefined && !signal.aborted; ) {
      const previousId: number = after;
      after = await context.write((tx) => nameVendors(tx, previousId));
    }
  },
});

/** Scans the ports of the requested adapters. */
export const networkScan = job('network-scan', {
  doc: 'Scan the ports of adapters',
  secondsMax: 21_600,
  repeatable: false,
  run: (payload, run) => scanAdapters(payload as ScanRequest, run),
});
