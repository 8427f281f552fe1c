import { rules } from '../../context.ts';
import { invalid, protectedRecord } from '../../kernel/failure.ts';
import { networkAddressGroup } from './network-address-group.ts';

export const networkAddressGroupRules = rules(networkAddressGroup, {
  beforeSave({ after }) {
    const ids = after.addressIDs as number[];
    const fault = (what: string) => invalid([{ pointer: '/addressIDs', message: `addressIDs: ${what}.` }]);
    if (new Set(ids).size < ids.length) throw fault('contains an address twice');
    if (ids.length === 0 && after.tag === null) throw fault('must not be empty; add at least one address');
  },

  beforeDelete({ name, tag }) {
    if (tag !== null) throw protectedRecord(`The group ${name} is built in and cannot be deleted.`);
  },
});
