import { resource } from '../../context.ts';
import { authenticationConfigurationRules } from './authentication-configuration.rules.ts';
import { authenticationConfiguration } from './authentication-configuration.ts';

export const authenticationConfigurationModule = resource('Authentication configuration', authenticationConfiguration, {
  rules: authenticationConfigurationRules,
});
