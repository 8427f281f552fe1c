import { resource } from '../../context.ts';
import { mdmServerActions } from './mdm-server.actions.ts';
import { mdmTlsUnverified } from './mdm-server.events.ts';
import { mdmServerRules } from './mdm-server.rules.ts';
import { mdmServer } from './mdm-server.ts';

export const mdmServerModule = resource('MDM', mdmServer, {
  actions: mdmServerActions,
  rules: mdmServerRules,
  events: [mdmTlsUnverified],
});
