import { rules } from '../../context.ts';
import { refreshStatesOfMacs } from '../../device/port/port.service.ts';
import { adapter } from './adapter.ts';
import {
  emitSwitched,
  leaveRogues,
  newRogue,
  noteAdapter,
  refuseExcluded,
  removeEmptyRogue,
  setAddress,
  vendorOf,
} from './saved-adapter.ts';

export const adapterRules = rules(adapter, {
  async beforeSave({ before, after, sent }, context) {
    const mac = String(after.physicalAddress);
    if (!before) {
      await refuseExcluded(context, mac);
      Object.assign(after, await vendorOf(context, mac), { creationTime: new Date().toISOString() });
    }
    if (sent.ipaddress !== undefined && sent.ipaddress !== (before?.ipaddress ?? null))
      await setAddress(context, mac, before?.ipaddress ?? null, sent.ipaddress);
    if (after.hostID === 0) after.hostID = await newRogue(context, mac);
  },

  async afterSave({ id, before, after }, context) {
    const [was, is] = [Number(before?.hostID ?? 0), Number(after.hostID)];
    const mac = String(after.physicalAddress);
    if (was !== is) await noteAdapter(context, is, { before: null, after: mac });
    if (was !== 0 && was !== is) {
      await removeEmptyRogue(context, was);
      await noteAdapter(context, was, { before: mac, after: null });
    }
    if (before && before.enabled !== after.enabled) await emitSwitched(context, id, after);
    if (was !== is || before?.enabled !== after.enabled) await refreshStatesOfMacs(context.tx.client, [mac]);
  },

  beforeDeleteMany: (ids, context, isDependent) => leaveRogues(context, ids, isDependent),
});
