import type pg from 'pg';
import { everyRow } from '../../context.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { port } from '../port/port.ts';
import { type ChangeMethod, type ChangeReason, type ChangeTrigger, portChange } from './port-change.ts';

const everyDevice = everyRow(networkDevice, 'what was done to a port is stored for everybody who sees it');
const everyPort = everyRow(port, 'what was done to a port is stored for everybody who sees it');
const everyPortChange = everyRow(portChange, 'what was done to a port is stored for everybody who sees it');

/** A change of a port, successful or failed. Without a VLAN the port was enabled or disabled. */
export interface DoneToPort {
  portID: number;
  reason: ChangeReason;
  method: ChangeMethod;
  trigger: ChangeTrigger;
  /** Name of an administrator, or `system`. */
  triggeredBy: string;
  vlan?: { from: string | null; to: string };
  isUp?: boolean;
  /** The device's error message; null if successful. */
  errorMessage: string | null;
  durationMs: number;
}

const messageCharacters = 2_000;
const summaryCharacters = 500;

/** Names are stored with ids, so that rows stay readable after ports and devices are deleted. */
const insertSql = `with done as (
  select j.place, c.* from jsonb_array_elements($1::jsonb) with ordinality j(change, place),
    lateral jsonb_to_record(j.change) c("portID" bigint, reason text, method text, trigger text, "triggeredBy" text,
      "fromVlan" text, "toVlan" text, "errorMessage" text, "durationMs" bigint, summary text)
), told as (
  update ${everyPort} p set last_change_summary = n.summary
  from (select distinct on (c."portID") c."portID", c.summary from done c order by c."portID", c.place desc) n
  where p.id = n."portID" and p.last_change_summary <> n.summary
)
insert into ${everyPortChange} (port_id, port_name, device_id, device_name, container_id, reason, from_vlan, to_vlan, method, trigger, triggered_by,
  success, error_message, duration_ms, generation)
select p.id, p.name, d.id, d.name, d.container_id, c.reason, c."fromVlan", c."toVlan", c.method, c.trigger, left(c."triggeredBy", 120),
  c."errorMessage" is null, c."errorMessage", c."durationMs", (select g.generation from policy_generation g)
from done c
join ${everyPort} p on p.id = c."portID"
join ${everyDevice} d on d.id = p.device_id
order by c.place`;

/** Stores port changes, one row each, and updates the last change of each port. */
export async function writePortChanges(client: pg.PoolClient, changes: readonly DoneToPort[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ vlan, isUp: _, ...change }, index) => ({
    ...change,
    errorMessage: change.errorMessage?.slice(0, messageCharacters) ?? null,
    durationMs: Math.max(0, Math.round(change.durationMs)),
    fromVlan: vlan?.from ?? null,
    toVlan: vlan?.to ?? null,
    summary: summaryOf(changes[index]!).slice(0, summaryCharacters),
  }));
  await client.query({ name: 'port-change.write', text: insertSql, values: [JSON.stringify(rows)] });
}

/** Returns a change in one line, for lastChangeSummary of the port. */
export function summaryOf({ vlan, isUp, reason, triggeredBy, errorMessage }: DoneToPort): string {
  const what = vlan ? `VLAN ${vlan.from ?? '?'} → ${vlan.to}` : isUp ? 'put up' : 'put down';
  const why = reason === 'MANUAL' ? `by ${triggeredBy}` : `for ${reason}`;
  return errorMessage === null ? `${what} ${why}` : `${what} ${why} failed: ${errorMessage}`;
}
