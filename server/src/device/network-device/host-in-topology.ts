import { host, hostTypes } from '../../host/host/host.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import { seeingAll, type WriteTx } from '../../kernel/runtime.ts';

/** Changes the hosts that have these addresses and fulfil a condition, whoever sees them. */
async function change(tx: WriteTx, macs: readonly string[], condition: string, to: Partial<RecordValue>) {
  if (macs.length === 0) return;
  const { rows } = await tx.client.query<{ id: number }>(
    `select distinct h.id from adapter a join host h on h.id = a.host_id where a.physical_address = any($1::text[]) and ${condition} order by h.id`,
    [macs],
  );
  for (const { id } of rows) await seeingAll(tx).records.update(host, id, to);
}

const isInTopology = `h.type = ${hostTypes.topology}`;
const hasNoDevice = 'not exists (select from network_device d where d.physical_address = a.physical_address)';

/** The host that has the address of a pinged device is a device in the topology, where that one lies; a phone stays a phone. */
export const enterTopology = (tx: WriteTx, mac: string, containerID: number): Promise<void> =>
  change(tx, [mac], `h.type <> ${hostTypes.phone}`, { type: hostTypes.topology, containerID });

/** It goes with the device to another container. */
export const moveInTopology = (tx: WriteTx, mac: string, containerID: number): Promise<void> =>
  change(tx, [mac], isInTopology, { containerID });

/** Without the device it is a registered device as others are. */
export const leaveTopology = (tx: WriteTx, macs: readonly string[]): Promise<void> =>
  change(tx, macs, `${isInTopology} and ${hasNoDevice}`, { type: hostTypes.device, containerID: null });
