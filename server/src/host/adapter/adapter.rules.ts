import { rules } from '../../context.ts';
import { refreshStatesOfMacs } from '../../device/port/port.service.ts';
import { adapter } from './adapter.ts';
import {
  emitSwitched,
  leaveRogues,
  newRogue,
  recordAdapterChange,
  refuseExcluded,
  removeEmptyRogue,
  setAddress,
  vendorOf,
} from './saved-adapter.ts';

export const adapterRules = rules(adapter, {
  async beforeSave({ before, after, sent: requestBody }, context) {
    const mac = String(after.physicalAddress);
    if (!before) {
      await refuseExcluded(context, mac);
      Object.assign(after, await vendorOf(context, mac), { creationTime: new Date().toISOString() });
    }
    if (requestBody.ipaddress !== undefined && requestBody.ipaddress !== (before?.ipaddress ?? null))
      await setAddress(context, mac, before?.ipaddress ?? null, requestBody.ipaddress);
    if (after.hostID === 0) after.hostID = await newRogue(context, mac);
  },

  async afterSave({ id, before, after }, context) {
    const [previousHostID, hostID] = [Number(before?.hostID ?? 0), Number(after.hostID)];
    const mac = String(after.physicalAddress);
    if (previousHostID !== hostID) await recordAdapterChange(context, hostID, { before: null, after: mac });
    if (previousHostID !== 0 && previousHostID !== hostID) {
      await removeEmptyRogue(context, previousHostID);
      await recordAdapterChange(context, previousHostID, { before: mac, after: null });
    }
    if (before && before.enabled !== after.enabled) await emitSwitched(context, id, after);
    if (previousHostID !== hostID || before?.enabled !== after.enabled)
      await refreshStatesOfMacs(context.tx.client, [mac]);
  },

  beforeDeleteMany: (ids, context, isDependent) => leaveRogues(context, ids, isDependent),
});
