import { resource } from '../../context.ts';
import { hostActions } from './host.actions.ts';
import { hostEventTypes } from './host.events.ts';
import { healthGrace, hostAging, hostImport, hostImportSweep } from './host.jobs.ts';
import { hostRules } from './host.rules.ts';
import { host } from './host.ts';

/** The operations that the contract lists under "Host record, more". */
const hostOperationsMore = [
  'list',
  'create',
  'health-history',
  'multifilter',
  'multifilter-users',
  'search',
  'disable-by-ip',
  'disable-by-mac',
  'enable-by-ip',
  'enable-by-mac',
  'register-as-device',
  'set-logged-on-user',
  'create-with-adapters',
];

export const hostModule = resource('Host record', host, {
  actions: hostActions,
  rules: hostRules,
  events: hostEventTypes,
  also: { group: 'Host record, more', operations: hostOperationsMore },
  jobs: [healthGrace, hostAging, hostImport, hostImportSweep],
});
