import { resource } from '../../context.ts';
import { networkAddressGroupRules } from './network-address-group.rules.ts';
import { networkAddressGroup } from './network-address-group.ts';

export const networkAddressGroupModule = resource('Network address group', networkAddressGroup, {
  rules: networkAddressGroupRules,
});
