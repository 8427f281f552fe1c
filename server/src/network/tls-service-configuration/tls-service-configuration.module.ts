import { resource } from '../../context.ts';
import { tlsServiceConfigurationActions } from './tls-service-configuration.actions.ts';
import { tlsConfigDeployed, tlsConfigDeployFailed } from './tls-service-configuration.events.ts';
import { deployTls } from './tls-service-configuration.jobs.ts';
import { tlsServiceConfigurationRules } from './tls-service-configuration.rules.ts';
import { tlsServiceConfiguration } from './tls-service-configuration.ts';

export const tlsServiceConfigurationModule = resource('TLS service configuration', tlsServiceConfiguration, {
  actions: tlsServiceConfigurationActions,
  rules: tlsServiceConfigurationRules,
  events: [tlsConfigDeployed, tlsConfigDeployFailed],
  jobs: ({ runtime }) => [deployTls(runtime)],
});
