import { everyRow, type WriteTx } from '../../context.ts';
import { followConnections } from '../../host/adapter/adapter.service.ts';
import { anyEvent } from '../../kernel/declare/event-type.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { uplink } from '../polling/polling.service.ts';
import { refreshConnectionStates } from './connection-states.ts';
import { nameOfPort } from './desired-port-state.ts';
import { emitOfPorts } from './emit-of-ports.ts';
import { portUplinkChanged } from './port.events.ts';
import { port } from './port.ts';

const everyPort = everyRow(port, 'the ports of this change were found as the caller sees them');

interface ChangedUplink {
  /** MAC addresses whose connections were closed. */
  gone: string[];
  id: number;
  name: string;
  deviceName: string;
  before: number | null;
}

const turnedSql = ({ visible }: WriteTx, change: string, isOther: string) => `with was as (
  select p.id, p.name, d.name as "deviceName", u.kind as before
  from ${visible(port)} p
  join ${visible(networkDevice)} d on d.id = p.device_id
  left join port_uplink u on u.port_id = p.id
  where p.id = any($1::bigint[]) and ${isOther}
), changed as (${change}), closed as (delete from connection_active a using closing_because('ADMIN'), was w where a.port_id = w.id returning a.mac, a.port_id)
select w.*, array(select c.mac from closed c where c.port_id = w.id) as gone from was w order by w.id`;

/** Closes the connections of the port: its hosts are connected to the devices behind it. */
const setSql = (tx: WriteTx) =>
  turnedSql(
    tx,
    `insert into port_uplink (port_id, kind) select w.id, ${uplink.byHand} from was w
   on conflict (port_id) do update set kind = excluded.kind, since = now()`,
    `u.kind is distinct from ${uplink.byHand}`,
  );

const clearSql = (tx: WriteTx) =>
  turnedSql(tx, 'delete from port_uplink u using was w where u.port_id = w.id', 'u.kind is not null');

/** Sets or clears uplinks for an administrator, with an audit row, and an event for each port that changes. */
export async function turnUplinks(tx: WriteTx, ids: readonly number[], isUplink: boolean): Promise<void> {
  const { client, engine, origin } = tx;
  const { rows } = await client.query<ChangedUplink>((isUplink ? setSql : clearSql)(tx), [ids]);
  if (rows.length === 0) return;
  await followConnections(tx, {
    learned: [],
    added: [],
    moved: [],
    gone: rows.flatMap(({ gone: goneMacs }) => goneMacs),
  });
  await refreshConnectionStates(
    client,
    rows.map(({ id }) => id),
  );
  const after = isUplink ? 'user-defined' : null;
  const audits = await nextAudits(tx, rows);
  await engine.sinks.audit(
    client,
    origin,
    rows.map(({ before, ...turnedPort }) => ({
      auditId: audits.get(turnedPort.id)!,
      action: 'MODIFY',
      table: 'port',
      recordId: turnedPort.id,
      recordName: nameOfPort(turnedPort),
      eventTag: portUplinkChanged.name,
      summary: `uplink: ${kindWord(before) ?? 'none'} → ${after ?? 'none'}`,
      changes: [{ field: 'uplink', before: kindWord(before), after }],
    })),
  );
  await emitOfPorts(
    tx,
    rows.map((turnedPort) =>
      anyEvent({
        type: portUplinkChanged,
        element: { id: turnedPort.id, name: nameOfPort(turnedPort) },
        attributes: { what: isUplink ? 'is an uplink' : 'is no longer an uplink', why: 'set by an administrator' },
      }),
    ),
  );
}

/** An uplink set by an administrator is configuration: the port gets a new version and refers to the audit row. */
async function nextAudits({ client, origin }: WriteTx, ports: readonly { id: number }[]): Promise<Map<number, number>> {
  const { rows } = await client.query<{ id: number; auditId: number }>(
    `update ${everyPort} p set version = p.version + 1, last_modified_by = $2, last_modified_date = now(), audit_id = log_id(),
       audit_action = 'MODIFY', audit_tag = $3, audit_text = 'changed uplink'
     where p.id = any($1::bigint[]) returning p.id, p.audit_id as "auditId"`,
    [ports.map(({ id }) => id), origin.user, portUplinkChanged.name],
  );
  return new Map(rows.map(({ id, auditId }) => [id, auditId]));
}

const kindWords: Readonly<Record<number, string>> = {
  [uplink.learned]: 'learned',
  [uplink.threshold]: 'threshold',
  [uplink.byHand]: 'user-defined',
  [uplink.accessPoint]: 'WAP',
};

const kindWord = (kind: number | null): string | null => (kind === null ? null : kindWords[kind]!);
