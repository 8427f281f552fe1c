import type { WriteTx } from '../../context.ts';
import { refreshConnectionStates } from '../../device/port/port.service.ts';
import { followConnections } from '../../host/adapter/adapter.service.ts';

const closeSql = `with gone as (
  delete from connection_active a where a.mac = any($1::text[]) and a.disconnect_reason is not null returning a.mac, a.port_id
) select array(select g.mac from gone g) as gone, array(select distinct g.port_id from gone g) as ports`;

/** Closes the connections of some MAC addresses whose rows have a disconnect reason, and returns how many there were. */
export async function closeMarked(tx: WriteTx, macs: readonly string[]): Promise<number> {
  if (macs.length === 0) return 0;
  const { rows } = await tx.client.query<{ gone: string[]; ports: number[] }>({
    name: 'connection.close',
    text: closeSql,
    values: [macs],
  });
  const { gone: goneMacs, ports } = rows[0]!;
  await followConnections(tx, { learned: [], added: [], moved: [], gone: goneMacs });
  await refreshConnectionStates(tx.client, ports);
  return goneMacs.length;
}
