import { rules } from '../../context.ts';
import { adapter } from './adapter.ts';
import {
  keepAddress,
  leaveRogues,
  newRogue,
  refuseExcluded,
  removeEmptyRogue,
  tellSwitched,
  vendorOf,
} from './saved-adapter.ts';

export const adapterRules = rules(adapter, {
  async beforeSave({ before, after, sent }, context) {
    const mac = String(after.physicalAddress);
    if (!before) {
      await refuseExcluded(context, mac);
      Object.assign(after, await vendorOf(context, mac), { creationTime: new Date().toISOString() });
    }
    if (sent.ipaddress && sent.ipaddress !== before?.ipaddress) await keepAddress(context, mac, String(sent.ipaddress));
    if (after.hostID === 0) after.hostID = await newRogue(context);
  },

  async afterSave({ id, before, after }, context) {
    if (before && before.hostID !== after.hostID) await removeEmptyRogue(context, Number(before.hostID));
    if (before && before.enabled !== after.enabled) await tellSwitched(context, id, after);
  },

  beforeRemoval: (ids, context, isDependent) => leaveRogues(context, ids, isDependent),
});
