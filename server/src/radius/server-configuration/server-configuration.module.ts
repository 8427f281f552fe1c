import { resource } from '../../context.ts';
import { serverConfigurationActions } from './server-configuration.actions.ts';
import { radiusConfigApplied, radiusConfigInvalid } from './server-configuration.events.ts';
import { serverConfigurationRules } from './server-configuration.rules.ts';
import { serverConfiguration } from './server-configuration.ts';

export const serverConfigurationModule = resource('Server configuration', serverConfiguration, {
  actions: serverConfigurationActions,
  rules: serverConfigurationRules,
  events: [radiusConfigApplied, radiusConfigInvalid],
});
