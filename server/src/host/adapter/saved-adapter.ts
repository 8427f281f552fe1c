import type { Context } from '../../context.ts';
import { refreshStatesOfHosts } from '../../device/port/connection-states.ts';
import { invalid, rejected } from '../../kernel/failure.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import { seeingAll } from '../../kernel/runtime.ts';
import type { AfterRemoval } from '../../kernel/write/engine.ts';
import { excludesSql, isNobodys } from '../../network/mac-exclusion/excludes.ts';
import { host, hostTypes } from '../host/host.ts';
import { adapterDisabled, adapterEnabled } from '../host-event-types.ts';
import { type HeardAddress, makeRogues } from './make-rogues.ts';

/** Addresses that are nobody's, or that the service must not learn, become no adapters. */
export async function refuseExcluded({ tx }: Context, mac: string): Promise<void> {
  const pointer = '/physicalAddress';
  if (mac === '' || isNobodys(mac))
    throw invalid([{ pointer, message: `physicalAddress: ${mac || 'nothing'} is no address of an adapter.` }]);
  const { rows } = await tx.client.query<{ name: string }>(
    `select e.name from mac_exclusion e where e.enabled and ${excludesSql('$1::text')} order by e.id limit 1`,
    [mac],
  );
  const [exclusion] = rows;
  if (exclusion)
    throw rejected(`physicalAddress: the MAC exclusion ${exclusion.name} keeps ${mac} from being learnt.`, pointer);
}

/** Who made an adapter, as the record keeps it. */
export async function vendorOf(
  { tx }: Context,
  mac: string,
): Promise<{ vendorName: string | null; vendorOUI: string | null }> {
  const { rows } = await tx.client.query<{ vendorName: string; vendorOUI: string }>(
    'select v.name as "vendorName", v.code as "vendorOUI" from mac_vendor($1) v',
    [mac],
  );
  return rows[0] ?? { vendorName: null, vendorOUI: null };
}

/** A host around an adapter that belongs to nobody yet. */
export async function newRogue({ tx }: Context): Promise<number> {
  return (await tx.records.create(host, { type: hostTypes.rogue })).id;
}

/** What a person says of an address is kept beside what routers tell. */
export async function keepAddress({ tx }: Context, mac: string, ip: string): Promise<void> {
  await tx.client.query(
    `insert into ip_mac (ip, mac, device_id) values ($1, $2, 0)
     on conflict (ip, mac) do update set last_seen = now(), device_id = 0`,
    [ip, mac],
  );
}

/** A rogue is nothing without an adapter: it goes when the last one is somebody else's. */
export async function removeEmptyRogue({ tx }: Context, hostID: number): Promise<void> {
  const { rows } = await tx.client.query<{ id: number }>(
    `select h.id from host h where h.id = $1 and h.type = ${hostTypes.rogue} and not exists (select from adapter a where a.host_id = h.id)`,
    [hostID],
  );
  if (rows.length > 0) await seeingAll(tx).records.remove(host, [hostID]);
}

export async function tellSwitched({ tx }: Context, id: number, after: RecordValue): Promise<void> {
  const name = String(after.physicalAddress);
  await tx.emit({ type: after.enabled ? adapterEnabled : adapterDisabled, element: { id, name }, mac: name });
  await refreshStatesOfHosts(tx.client, [Number(after.hostID)]);
}

/** A host goes with its last adapter, and who is still heard is a new rogue at once. */
export async function leaveRogues(
  { tx }: Context,
  ids: readonly number[],
  isDependent: boolean,
): Promise<AfterRemoval> {
  const { rows: heard } = await tx.client.query<HeardAddress>(
    `select a.physical_address as mac, c.port_id as "portID" from adapter a join connection_active c on c.mac = a.physical_address
     where a.id = any($1::bigint[])`,
    [ids],
  );
  const { rows: emptied } = await tx.client.query<{ id: number }>(
    `select distinct a.host_id as id from adapter a
     where a.id = any($1::bigint[]) and not exists (select from adapter b where b.host_id = a.host_id and b.id <> all($1::bigint[]))`,
    [ids],
  );
  return async () => {
    if (!isDependent && emptied.length > 0)
      await seeingAll(tx).records.remove(
        host,
        emptied.map(({ id }) => id),
      );
    await makeRogues(tx.client, heard);
  };
}
