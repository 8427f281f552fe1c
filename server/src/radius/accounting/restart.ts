import { everyRow, type Runtime, type WriteTx } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { closeMarked, emitStaleSessions } from '../../logging/connection-log/connection-log.service.ts';

const everyDevice = everyRow(networkDevice, 'accounting is stored whoever may view the device');

/** An Accounting-On or Accounting-Off: the access device has no session from before. */
export interface RestartPacket {
  deviceID: number;
  deviceName: string;
  /** Of the request, in hexadecimal: equal in a retransmission. */
  authenticator: string;
  delaySeconds: number;
}

/** Connections of one transaction; a wireless controller may have 200,000. */
const closedMax = 1_000;
const roundsMax = 1_000;

/** A retransmission keeps the time of the first packet: what connected since then stays. */
const restartSql = `insert into accounting_nas as n (device_id, rebooted_at, reboot_authenticator)
select d.id, now() - make_interval(secs => $2), $3 from ${everyDevice} d where d.id = $1
on conflict (device_id) do update set received_at = now(), reboot_authenticator = excluded.reboot_authenticator,
  rebooted_at = case when n.reboot_authenticator = excluded.reboot_authenticator then n.rebooted_at else excluded.rebooted_at end
returning n.rebooted_at as "rebootedAt"`;

const markSql = `with held as (
  select a.mac from connection_active a
  where a.device_id = $1 and a.since < $2 and a.source <> 'SNMP'
  order by a.mac
  limit ${closedMax}
  for update
)
update connection_active a set disconnect_reason = 'NAS_REBOOT', ended = $2 from held where held.mac = a.mac
returning a.mac`;

/** Closes the sessions of an access device that began before its restart, some in each transaction. Returns how many there were. */
export async function storeRestart(runtime: Runtime, restart: RestartPacket): Promise<number> {
  const { deviceID, deviceName, authenticator, delaySeconds } = restart;
  const transact = <T>(work: (tx: WriteTx) => Promise<T>) => runtime.transactAcknowledged(systemOrigin('radius'), work);
  const rebootedAt = await transact(async ({ client }) => {
    const { rows } = await client.query<{ rebootedAt: string }>(restartSql, [deviceID, delaySeconds, authenticator]);
    return rows[0]?.rebootedAt;
  });
  let closed = 0;
  for (let round = 0; rebootedAt !== undefined && round < roundsMax; round++) {
    const count = await transact(async (tx) => {
      const { rows } = await tx.client.query<{ mac: string }>({
        name: 'accounting.restart',
        text: markSql,
        values: [deviceID, rebootedAt],
      });
      return closeMarked(
        tx,
        rows.map(({ mac }) => mac),
      );
    });
    closed += count;
    if (count < closedMax) break;
  }
  if (closed > 0)
    await transact((tx) =>
      emitStaleSessions(tx, [{ id: deviceID, name: deviceName, count: closed, why: 'it restarted' }]),
    );
  return closed;
}
