import { resource } from '../../context.ts';
import { logicalNetworkActions } from './logical-network.actions.ts';
import { logicalNetworkRules } from './logical-network.rules.ts';
import { logicalNetwork } from './logical-network.ts';

export const logicalNetworkModule = resource('Logical network', logicalNetwork, {
  actions: logicalNetworkActions,
  rules: logicalNetworkRules,
});
