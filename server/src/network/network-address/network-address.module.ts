import { resource } from '../../context.ts';
import { networkAddressRules } from './network-address.rules.ts';
import { networkAddress } from './network-address.ts';

export const networkAddressModule = resource('Network address', networkAddress, { rules: networkAddressRules });
