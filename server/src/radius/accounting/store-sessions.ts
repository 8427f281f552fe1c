import { copyIn, copyLine, everyRow, type WriteTx } from '../../context.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { learnedChangesSql, storeAddresses, storeLearnedSql } from '../../device/polling/polling.service.ts';
import { refreshConnectionStates } from '../../device/port/port.service.ts';
import { type ConnectionsRead, followConnections } from '../../host/adapter/adapter.service.ts';
import { closeMarked } from '../../logging/connection-log/connection-log.service.ts';
import { connectionLog } from '../../logging/connection-log/connection-log.ts';
import { reasonOf, type SessionPacket } from './accounting-packet.ts';

const everyDevice = everyRow(networkDevice, 'accounting is stored whoever may view the device');
const everyConnection = everyRow(connectionLog, 'accounting is stored whoever may view the connection');

/**
 * What a packet does.
 *
 * OPEN: opens a connection. MOVE: closes the connection of the MAC address at another place and opens one here. REPLACE: the same
 * place has another session, whose Stop was lost. ATTACH: gives its session to the connection that the accept or a poll opened.
 * UPDATE: counts. RECENT, DUPLICATE, LATE: changes nothing.
 */
export type Verdict = 'OPEN' | 'MOVE' | 'REPLACE' | 'ATTACH' | 'UPDATE' | 'RECENT' | 'DUPLICATE' | 'LATE';

const changingVerdicts: readonly Verdict[] = ['OPEN', 'MOVE', 'REPLACE', 'ATTACH', 'UPDATE'];

/** True if the packet changed a connection. */
export const changes = (verdict: Verdict): boolean => changingVerdicts.includes(verdict);

interface Judged {
  place: number;
  mac: string;
  verdict: Verdict;
  portID: number;
  vlan: string;
  /** The log has a row of the same session. */
  goesOn: boolean;
  inputBefore: number;
  outputBefore: number;
}

/** One for each database session; its rows end with the transaction. */
const stageSql = `create temp table if not exists accounting_stage (
  place integer, mac text, device_id bigint, port_id bigint, port_unknown boolean, kind text, session_id text, multi_session_id text,
  seconds bigint, delay_seconds double precision, input_octets bigint, output_octets bigint, ip inet, reason text
) on commit delete rows`;
const copySql = 'copy accounting_stage from stdin';

const isSameSession = 'a.session_id = s.session_id and a.device_id = s.device_id';

/** Interim updates are stored at most once a minute. */
const isRecent = `s.kind = 'INTERIM' and a.counted_at > now() - interval '1 minute' and (s.ip is null or s.ip = a.ip)`;

/** Locks the connections that the packets may change, in the order that all transactions use. A row lock writes the row. */
const holdSql = `select from connection_active a join accounting_stage s on s.mac = a.mac
where not (${isSameSession} and ${isRecent})
order by a.mac
for update of a`;

/** Packets of a session that ended before this are taken for those of a new session with the same number. */
const endedSql = `interval '7 days'`;
/** Between the counter of the access device and the time stamps of the log. */
const toleranceSeconds = 2;

/**
 * Session time and delay are durations, so that the clock of an access device decides nothing. A packet of a session that the log has
 * is late if its session time is not beyond the end: it was sent before. With a higher one the session goes on, such as after an outage
 * between the access device and this service, and the octets of its earlier rows are subtracted. After a restart of the access device
 * session numbers begin anew.
 */
const judgeSql = `with staged as (
  select s.*, now() - make_interval(secs => s.delay_seconds + least(coalesce(s.seconds, 0), 31622400)) as began from accounting_stage s
), judged as (
  select s.place, s.mac, s.port_id, a.port_id as active_port, a.vlan, s.port_unknown and a.device_id = s.device_id as stays, l.input, l.output,
    l.ended is not null and s.kind <> 'START' and coalesce(n.rebooted_at < l.ended, true) and s.began <= l.ended as goes_on,
    case
      when ${isSameSession} then case
        when s.kind = 'START' then 'DUPLICATE'
        when s.seconds < a.session_seconds or s.kind = 'INTERIM' and s.seconds = a.session_seconds then 'LATE'
        when ${isRecent} then 'RECENT'
        else 'UPDATE' end
      when l.ended is not null and case
        when n.rebooted_at >= l.ended then s.began < n.rebooted_at
        when s.kind = 'START' or s.seconds is null then true
        else s.seconds <= extract(epoch from l.ended - l.began) + ${toleranceSeconds} end then 'LATE'
      when a.mac is null then 'OPEN'
      when a.device_id = s.device_id and a.session_id is null and (s.port_unknown or a.port_id = s.port_id) then 'ATTACH'
      when s.began <= a.since then 'LATE'
      when a.device_id = s.device_id and (s.port_unknown or a.port_id = s.port_id) then 'REPLACE'
      else 'MOVE' end as verdict
  from staged s
  left join connection_active a on a.mac = s.mac
  left join accounting_nas n on n.device_id = s.device_id
  left join lateral (
    select min(l.at) as began, max(l.end_time) as ended, sum(l.input_octets)::bigint as input, sum(l.output_octets)::bigint as output
    from ${everyConnection} l
    where l.session_id = s.session_id and l.mac = s.mac and l.device_id = s.device_id and l.end_time > now() - ${endedSql}
  ) l on a.session_id is distinct from s.session_id or a.device_id <> s.device_id
)
select j.place, j.mac, j.verdict, j.goes_on as "goesOn", case when j.stays then j.active_port else j.port_id end as "portID",
  case when j.verdict = 'REPLACE' then j.vlan else '' end as vlan,
  case when j.goes_on then j.input else 0 end as "inputBefore", case when j.goes_on then j.output else 0 end as "outputBefore"
from judged j`;

const connectionsSql = `${storeLearnedSql('$1', 'RADIUS')}, gone as (select null::text as mac, null::bigint as port_id where false) ${learnedChangesSql}`;

/** The last sighting is the end of a session whose Stop never came. */
const markLostSql = `update connection_active a set disconnect_reason = 'LOST', ended = greatest(a.last_seen, a.counted_at, a.since)
where a.mac = any($1::text[])`;

const storeSql = `with stored as (
  select s.*, j."isNew", j."isBegun", j."inputBefore" as input_before, j."outputBefore" as output_before,
    now() - make_interval(secs => s.delay_seconds) as at,
    now() - make_interval(secs => s.delay_seconds + least(coalesce(s.seconds, 0), 31622400)) as began
  from accounting_stage s
  join jsonb_to_recordset($1::jsonb) j(place integer, "isNew" boolean, "isBegun" boolean, "inputBefore" bigint, "outputBefore" bigint)
    on j.place = s.place
)
update connection_active a set
  session_id = s.session_id,
  multi_session_id = coalesce(s.multi_session_id, a.multi_session_id),
  session_seconds = greatest(a.session_seconds, coalesce(s.seconds, 0)),
  interim_seconds = case when not s."isNew" and s.kind = 'INTERIM' and s.seconds > a.session_seconds
    then least(s.seconds - a.session_seconds, 86400) else a.interim_seconds end,
  counted_at = now(),
  last_seen = greatest(a.last_seen, s.at),
  misses = 0,
  ip = coalesce(s.ip, a.ip),
  input_before = case when s."isNew" then s.input_before else a.input_before end,
  output_before = case when s."isNew" then s.output_before else a.output_before end,
  input_octets = greatest(a.input_octets, s.input_octets - case when s."isNew" then s.input_before else a.input_before end),
  output_octets = greatest(a.output_octets, s.output_octets - case when s."isNew" then s.output_before else a.output_before end),
  source = case a.source when 'SNMP' then 'BOTH' else a.source end,
  since = case when s."isBegun" then least(a.since, s.began) else a.since end,
  id = case when s."isBegun" and s.began < a.since then log_id_at(s.began) else a.id end,
  disconnect_reason = case when s.kind = 'STOP' then s.reason end,
  ended = case when s.kind = 'STOP' then s.at end
from stored s
where a.mac = s.mac and a.device_id = s.device_id and (a.session_id is null or a.session_id = s.session_id)`;

const nasSql = `insert into accounting_nas as n (device_id, interim_seconds)
select s.device_id, max(a.interim_seconds) from accounting_stage s
left join connection_active a on a.mac = s.mac and a.session_id = s.session_id and s.kind = 'INTERIM'
where exists (select from ${everyDevice} d where d.id = s.device_id)
group by s.device_id
having not exists (select from accounting_nas o where o.device_id = s.device_id and o.received_at > now() - interval '1 minute')
order by s.device_id
on conflict (device_id) do update set received_at = now(), interim_seconds = coalesce(excluded.interim_seconds, n.interim_seconds)`;

/** Stores packets of sessions with a few statements, at most one packet for each MAC address, and returns what each of them did. */
export async function storeSessions(tx: WriteTx, packets: readonly SessionPacket[]): Promise<Verdict[]> {
  const { client } = tx;
  await client.query(stageSql);
  await copyIn(client, copySql, Buffer.from(packets.map(stageLine).join('')));
  await client.query({ name: 'accounting.hold', text: holdSql });
  const { rows } = await client.query<Judged>({ name: 'accounting.judge', text: judgeSql });
  const having = (...verdicts: Verdict[]) => rows.filter(({ verdict }) => verdicts.includes(verdict));
  await closeLost(tx, having('REPLACE'));
  await openConnections(tx, having('OPEN', 'MOVE', 'REPLACE'));
  const changing = having(...changingVerdicts);
  await store(tx, changing);
  const isChanging = new Set(changing.map(({ place }) => place));
  const changingPackets = packets.filter((_packet, place) => isChanging.has(place));
  await closeMarked(tx, macsOf(changingPackets.filter(({ kind }) => kind === 'STOP')));
  await storeAddresses(
    tx,
    changingPackets.flatMap(({ mac, deviceID, report: { address } }) =>
      address === null ? [] : [{ ip: address, mac, deviceID }],
    ),
  );
  await client.query({ name: 'accounting.nas', text: nasSql });
  const verdicts = new Map(rows.map(({ place, verdict }) => [place, verdict]));
  return packets.map((_packet, place) => verdicts.get(place)!);
}

const stageLine = (packet: SessionPacket, place: number): string => {
  const { mac, deviceID, portID, isPortUnknown, kind, delaySeconds, report } = packet;
  const reason = kind === 'STOP' ? reasonOf(report.terminateCause) : null;
  return copyLine([
    place,
    mac,
    deviceID,
    portID,
    isPortUnknown,
    kind,
    report.sessionID,
    report.multiSessionID,
    report.seconds,
    delaySeconds,
    report.inputOctets,
    report.outputOctets,
    report.address,
    reason,
  ]);
};

const macsOf = (rows: readonly { mac: string }[]): string[] => rows.map(({ mac }) => mac);

async function closeLost(tx: WriteTx, replaced: readonly Judged[]): Promise<void> {
  if (replaced.length === 0) return;
  await tx.client.query({ name: 'accounting.lost', text: markLostSql, values: [macsOf(replaced)] });
  await closeMarked(tx, macsOf(replaced));
}

async function openConnections(tx: WriteTx, opening: readonly Judged[]): Promise<void> {
  if (opening.length === 0) return;
  const { rows } = await tx.client.query<Omit<ConnectionsRead, 'learned'> & { ports: number[] }>({
    name: 'accounting.connections',
    text: connectionsSql,
    values: [JSON.stringify(opening.map(({ mac, portID, vlan }) => ({ mac, portID, vlan })))],
  });
  const { ports, ...connections } = rows[0]!;
  await followConnections(tx, { learned: [], ...connections });
  await refreshConnectionStates(tx.client, ports);
}

async function store({ client }: WriteTx, changing: readonly Judged[]): Promise<void> {
  if (changing.length === 0) return;
  const values = changing.map(({ place, verdict, goesOn, inputBefore, outputBefore }) => ({
    place,
    isNew: verdict !== 'UPDATE',
    // A connection begins with its session at the latest. One that goes on has an earlier row, where its beginning is.
    isBegun: verdict !== 'UPDATE' && !goesOn,
    inputBefore,
    outputBefore,
  }));
  await client.query({ name: 'accounting.store', text: storeSql, values: [JSON.stringify(values)] });
}
