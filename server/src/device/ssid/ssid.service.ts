import { everyRow, type WriteTx } from '../../context.ts';
import { port } from '../port/port.ts';
import { ssidDiscovered, ssidRemoved } from './ssid.events.ts';
import { bssidsMax, type SsidSecurity, ssid, ssidConfig } from './ssid.ts';

const everyPort = everyRow(port, 'a poll is work of the service');
const everySsid = everyRow(ssid, 'a poll is work of the service');

/** The device of the SSIDs. */
interface OfDevice {
  id: number;
  name: string;
}

/** A wireless network as reported by a device or a RADIUS request. */
export interface SeenSsid {
  name: string;
  bssid: string | null;
  security: SsidSecurity;
}

interface Change {
  id: number;
  name: string;
  isNew: boolean;
}

/** Returns one row per SSID: an SSID may be on several radios. */
function merged(observedSsids: readonly SeenSsid[]): object[] {
  const byName = Map.groupBy(observedSsids, ({ name }) => name);
  return [...byName].map(([name, those]) => ({
    name,
    bssids: [...new Set(those.flatMap(({ bssid }) => bssid ?? []))].sort().slice(0, bssidsMax),
    security: those.find(({ security }) => security !== 'UNKNOWN')?.security ?? 'UNKNOWN',
  }));
}

/** An SSID that was observed in the last five minutes is not written again. */
const seenSql = `with seen as (
  select p.id, p.device_id, s.name, s.bssids, s.security
  from jsonb_to_recordset($2::jsonb) s(name text, bssids jsonb, security text)
  join ${everyPort} p on p.device_id = $1 and p.ifname = 'ssid:' || s.name
), before as (
  select r.id, r.present from ${everySsid} r join seen s on s.id = r.id
), written as (
  insert into ${everySsid} as r (id, device_id, name, bssids, security, present, first_seen, last_seen)
  select s.id, s.device_id, s.name, s.bssids, s.security, true, now(), now() from seen s
  on conflict (id) do update set bssids = excluded.bssids, present = true, last_seen = now(),
    security = case excluded.security when 'UNKNOWN' then r.security else excluded.security end
  where not r.present or r.bssids <> excluded.bssids or r.last_seen < now() - interval '5 minutes'
    or (r.security <> excluded.security and excluded.security <> 'UNKNOWN')
  returning r.id, r.name
)
select w.id, w.name, b.id is null as "isNew"
from written w left join before b on b.id = w.id
where b.id is null or not b.present
order by w.id`;

/** Stores the SSIDs of a device; their ports exist already. */
export async function observeSsids(tx: WriteTx, device: OfDevice, observedSsids: readonly SeenSsid[]): Promise<void> {
  if (observedSsids.length === 0) return;
  const { rows } = await tx.client.query<Change>(seenSql, [device.id, JSON.stringify(merged(observedSsids))]);
  for (const { id, name, isNew } of rows) {
    if (isNew) await tx.records.create(ssidConfig, { ssidID: id });
    await tx.emit({ type: ssidDiscovered, element: { id, name: `${device.name} ${name}` } });
  }
}

/** Marks SSIDs without a port as gone, and deletes those whose port was purged. */
export async function removeSsids(tx: WriteTx, device: OfDevice): Promise<void> {
  const { rows } = await tx.client.query<Change>(
    `update ${everySsid} r set present = false from ${everyPort} p
     where r.device_id = $1 and r.present and p.id = r.id and p.status = 4 returning r.id, r.name`,
    [device.id],
  );
  for (const { id, name } of rows)
    await tx.emit({ type: ssidRemoved, element: { id, name: `${device.name} ${name}` } });
}
