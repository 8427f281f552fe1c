import { resource } from '../../context.ts';
import { accessConfigurationActions } from './access-configuration.actions.ts';
import { accessConfigurationRules } from './access-configuration.rules.ts';
import { accessConfiguration } from './access-configuration.ts';

export const accessConfigurationModule = resource('Access configuration', accessConfiguration, {
  actions: accessConfigurationActions,
  rules: accessConfigurationRules,
});
