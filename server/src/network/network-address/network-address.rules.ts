import { rules } from '../../context.ts';
import { invalid } from '../../kernel/failure.ts';
import { type Addresses, faultOf, foreignFields } from './addresses.ts';
import { networkAddress } from './network-address.ts';

export const networkAddressRules = rules(networkAddress, {
  beforeSave({ before, after, sent: sentFields }) {
    const addresses = after as unknown as Addresses;
    // Fields of the previous type have no meaning for the new one.
    if (before && before.type !== after.type)
      for (const name of foreignFields(addresses.type)) if (sentFields[name] === undefined) addresses[name] = null;
    const fault = faultOf(addresses);
    if (fault) throw invalid([{ pointer: `/${fault.field}`, message: `${fault.field}: ${fault.what}.` }]);
  },
});
