import { resource } from '../../context.ts';
import { portActions } from './port.actions.ts';
import {
  portAdminStatusChanged,
  portLinkDown,
  portLinkUp,
  portUplinkChanged,
  portVlanSet,
  portVlanSetFailed,
} from './port.events.ts';
import { portJob } from './port.jobs.ts';
import { portRules } from './port.rules.ts';
import { port } from './port.ts';

export const portModule = resource('Port', port, {
  actions: portActions,
  rules: portRules,
  events: [portUplinkChanged, portAdminStatusChanged, portVlanSet, portVlanSetFailed, portLinkUp, portLinkDown],
  jobs: [portJob],
});
