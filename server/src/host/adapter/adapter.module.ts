import { resource } from '../../context.ts';
import { adapterActions } from './adapter.actions.ts';
import { adapterEventTypes } from './adapter.events.ts';
import { networkScan, vendorLoad } from './adapter.jobs.ts';
import { adapterRules } from './adapter.rules.ts';
import { adapter } from './adapter.ts';

export const adapterModule = resource('Adapter', adapter, {
  actions: adapterActions,
  rules: adapterRules,
  events: adapterEventTypes,
  jobs: [vendorLoad, networkScan],
});
