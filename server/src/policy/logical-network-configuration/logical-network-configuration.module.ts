import { resource } from '../../context.ts';
import { logicalNetworkConfigurationActions } from './logical-network-configuration.actions.ts';
import { logicalNetworkConfigurationRules } from './logical-network-configuration.rules.ts';
import { logicalNetworkConfiguration } from './logical-network-configuration.ts';

export const logicalNetworkConfigurationModule = resource(
  'Logical network configuration',
  logicalNetworkConfiguration,
  { actions: logicalNetworkConfigurationActions, rules: logicalNetworkConfigurationRules },
);
