import { type Context, everyRow } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { closeMarked } from './close-marked.ts';
import { emitStaleSessions, type StaleSessions } from './connection-log.events.ts';

const everyDevice = everyRow(networkDevice, 'the service closes sessions whoever may view the device');

const closedMax = 1_000;
/** A minute of the job; the rest is closed by its next run. */
const roundsMax = 50;

/**
 * Sessions with accounting whose access device has missed three interim updates, and that nothing else has seen since. A session that
 * has sent none yet is judged by the interval of its access device. Time in which no node received accounting was not missed by devices.
 */
const markSql = `with lost as (
  select a.mac
  from connection_active a
  join accounting_nas n on n.device_id = a.device_id
  cross join accounting_receiver r
  where a.session_id is not null
    and greatest(a.last_seen, a.counted_at, r.receiving_since) < now() - make_interval(secs => 3 * coalesce(a.interim_seconds, n.interim_seconds) + 30)
  order by a.mac
  limit ${closedMax}
  for update of a skip locked
)
update connection_active a set disconnect_reason = 'LOST', ended = greatest(a.last_seen, a.counted_at)
from lost l, ${everyDevice} d
where l.mac = a.mac and d.id = a.device_id
returning a.mac, d.id as "deviceID", d.name as "deviceName"`;

interface Lost {
  mac: string;
  deviceID: number;
  deviceName: string;
}

/** Closes sessions whose Stop never came, with their last sighting as end. Returns how many there were. */
export async function closeLostSessions({ write }: Pick<Context, 'write'>, signal: AbortSignal): Promise<number> {
  let closed = 0;
  for (let round = 0; round < roundsMax && !signal.aborted; round++) {
    const count = await write(async (tx) => {
      const { rows } = await tx.client.query<Lost>(markSql);
      await emitStaleSessions(tx, byDevice(rows));
      return closeMarked(
        tx,
        rows.map(({ mac }) => mac),
      );
    });
    closed += count;
    if (count < closedMax) break;
  }
  return closed;
}

function byDevice(rows: readonly Lost[]): StaleSessions[] {
  const devices = new Map<number, StaleSessions>();
  for (const { deviceID: id, deviceName: name } of rows) {
    const device = devices.get(id) ?? { id, name, count: 0, why: 'three interim updates are missing' };
    device.count += 1;
    devices.set(id, device);
  }
  return [...devices.values()];
}
