import { everyRow, type RecordValue, seeingAll, type WriteTx } from '../../context.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host, hostTypes } from '../../host/host/host.ts';
import { networkDevice } from './network-device.ts';

const everyAdapter = everyRow(adapter, 'the host at the address of a device follows it, whoever moves the device');
const everyDevice = everyRow(networkDevice, 'the host at the address of a device follows it, whoever moves the device');
const everyHost = everyRow(host, 'the host at the address of a device follows it, whoever moves the device');

/** Changes the hosts that have these addresses and fulfil a condition, whoever sees them. */
async function change(tx: WriteTx, macs: readonly string[], condition: string, changedFields: Partial<RecordValue>) {
  if (macs.length === 0) return;
  const { rows } = await tx.client.query<{ id: number }>(
    `select distinct h.id from ${everyAdapter} a join ${everyHost} h on h.id = a.host_id where a.physical_address = any($1::text[]) and ${condition} order by h.id`,
    [macs],
  );
  for (const { id } of rows) await seeingAll(tx).records.update(host, id, changedFields);
}

const isInTopology = `h.type = ${hostTypes.topology}`;
const hasNoDevice = `not exists (select from ${everyDevice} d where d.physical_address = a.physical_address)`;

/** The host that has the address of a pinged device is a device in the topology, where that one lies; a phone stays a phone. */
export const enterTopology = (tx: WriteTx, mac: string, containerID: number): Promise<void> =>
  change(tx, [mac], `h.type <> ${hostTypes.phone}`, { type: hostTypes.topology, containerID });

/** It goes with the device to another container. */
export const moveInTopology = (tx: WriteTx, mac: string, containerID: number): Promise<void> =>
  change(tx, [mac], isInTopology, { containerID });

/** Without the device it is a registered device as others are. */
export const leaveTopology = (tx: WriteTx, macs: readonly string[]): Promise<void> =>
  change(tx, macs, `${isInTopology} and ${hasNoDevice}`, { type: hostTypes.device, containerID: null });
