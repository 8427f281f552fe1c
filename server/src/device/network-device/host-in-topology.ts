import { asService, everyRow, type RecordValue, type WriteTx } from '../../context.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host, hostTypes } from '../../host/host/host.ts';
import { networkDevice } from './network-device.ts';

const everyAdapter = everyRow(adapter, 'the host at the address of a device follows it, whoever moves the device');
const everyDevice = everyRow(networkDevice, 'the host at the address of a device follows it, whoever moves the device');
const everyHost = everyRow(host, 'the host at the address of a device follows it, whoever moves the device');

/** Updates the hosts with these addresses that meet a condition, whatever the caller's row limits. */
async function change(tx: WriteTx, macs: readonly string[], condition: string, changedFields: Partial<RecordValue>) {
  if (macs.length === 0) return;
  const { rows } = await tx.client.query<{ id: number }>(
    `select distinct h.id from ${everyAdapter} a join ${everyHost} h on h.id = a.host_id where a.physical_address = any($1::text[]) and ${condition} order by h.id`,
    [macs],
  );
  for (const { id } of rows) await asService(tx).records.update(host, id, changedFields);
}

const isInTopology = `h.type = ${hostTypes.topology}`;
const hasNoDevice = `not exists (select from ${everyDevice} d where d.physical_address = a.physical_address)`;

/**
 * Sets the host with the address of a pinged device to type topology, in the container of that device; a phone stays a
 * phone.
 */
export const enterTopology = (tx: WriteTx, mac: string, containerID: number): Promise<void> =>
  change(tx, [mac], `h.type <> ${hostTypes.phone}`, { type: hostTypes.topology, containerID });

/** Moves the host with its device to another container. */
export const moveInTopology = (tx: WriteTx, mac: string, containerID: number): Promise<void> =>
  change(tx, [mac], isInTopology, { containerID });

/** Changes the host back to a registered device when the network device is gone. */
export const leaveTopology = (tx: WriteTx, macs: readonly string[]): Promise<void> =>
  change(tx, macs, `${isInTopology} and ${hasNoDevice}`, { type: hostTypes.device, containerID: null });
