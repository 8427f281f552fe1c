import { followConnections } from '../../host/adapter/follow-connections.ts';
import type { WriteTx } from '../../kernel/runtime.ts';
import { portUplinkChanged } from '../device-event-types.ts';
import { uplink } from '../polling/uplinks.ts';
import { refreshConnectionStates } from './connection-states.ts';

interface Turned {
  /** Who was connected there. */
  gone: string[];
  id: number;
  name: string;
  deviceName: string;
  before: number | null;
}

const turnedSql = (change: string, isOther: string) => `with was as (
  select p.id, p.name, d.name as "deviceName", u.kind as before
  from port p
  join network_device d on d.id = p.device_id
  left join port_uplink u on u.port_id = p.id
  where p.id = any($1::bigint[]) and ${isOther}
), changed as (${change}), closed as (delete from connection_active a using was w where a.port_id = w.id returning a.mac, a.port_id)
select w.*, array(select c.mac from closed c where c.port_id = w.id) as gone from was w order by w.id`;

/** What was connected there belongs to the devices behind. */
const setSql = turnedSql(
  `insert into port_uplink (port_id, kind) select w.id, ${uplink.byHand} from was w
   on conflict (port_id) do update set kind = excluded.kind, since = now()`,
  `u.kind is distinct from ${uplink.byHand}`,
);

const clearSql = turnedSql('delete from port_uplink u using was w where u.port_id = w.id', 'u.kind is not null');

/** An administrator says that ports are uplinks, or edge ports again: audited, and told where it was otherwise. */
export async function turnUplinks(tx: WriteTx, ids: readonly number[], isUplink: boolean): Promise<void> {
  const { client, engine, origin } = tx;
  const { rows } = await client.query<Turned>(isUplink ? setSql : clearSql, [ids]);
  if (rows.length === 0) return;
  await followConnections(tx, { heard: [], added: [], moved: [], gone: rows.flatMap(({ gone }) => gone) });
  await refreshConnectionStates(
    client,
    rows.map(({ id }) => id),
  );
  const after = isUplink ? 'user-defined' : null;
  await engine.sinks.audit(
    client,
    origin,
    rows.map(({ id, name, before }) => ({
      action: 'MODIFY',
      table: 'port',
      recordId: id,
      recordName: name,
      eventTag: portUplinkChanged.name,
      summary: `uplink: ${kindWord(before) ?? 'none'} → ${after ?? 'none'}`,
      changes: [{ field: 'uplink', before: kindWord(before), after }],
    })),
  );
  for (const { id, name, deviceName } of rows)
    await tx.emit({
      type: portUplinkChanged,
      element: { id, name: `${deviceName} ${name}` },
      attributes: { what: isUplink ? 'is an uplink' : 'is no uplink any more', why: 'an administrator said so' },
    });
}

const kindWords: Readonly<Record<number, string>> = {
  [uplink.learned]: 'learned',
  [uplink.threshold]: 'threshold',
  [uplink.byHand]: 'user-defined',
  [uplink.accessPoint]: 'WAP',
};

const kindWord = (kind: number | null): string | null => (kind === null ? null : kindWords[kind]!);
