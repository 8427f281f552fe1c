import { job } from '../../context.ts';
import { loadVendors, nameVendors } from './vendors.ts';

/** Takes over the registries of the IEEE when the package brings others, and names the vendors of adapters by them. */
export const vendorLoad = job('vendor-load', {
  doc: 'Take over the vendors of MAC addresses',
  at: '*/5 * * * *',
  secondsMax: 280,
  repeatable: true,
  async run(_payload, { context, signal }) {
    const prefixes = await context.write((tx) => loadVendors(tx));
    for (let after = prefixes === undefined ? undefined : 0; after !== undefined && !signal.aborted; ) {
      const from: number = after;
      after = await context.write((tx) => nameVendors(tx, from));
    }
  },
});
