import { resource } from '../../context.ts';
import { discoveryActions } from './discovery.actions.ts';
import { discoveryCompleted, discoveryStarted, discoveryStopped } from './discovery.events.ts';
import { discoverDevices, tidyDiscoveries } from './discovery.jobs.ts';
import { discoveryRules } from './discovery.rules.ts';
import { discoveryRun } from './discovery.ts';

export const discoveryRunModule = resource('Discovery', discoveryRun, {
  actions: discoveryActions,
  rules: discoveryRules,
  events: [discoveryStarted, discoveryCompleted, discoveryStopped],
  jobs: [discoverDevices, tidyDiscoveries],
});
