import type { Context, ListQuery } from '../../context.ts';
import { portChange } from '../../device/port-change/port-change.ts';
import { type RecordOf, shapesOf } from '../../kernel/declare/declaration.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import type { AnswerOf } from '../../kernel/declare/value-of.ts';
import { logIdAt } from '../../kernel/values/time.ts';
import { connectionLog } from './connection-log.ts';
import type { TimeRange } from './time-range.ts';

const shownFields = [
  'timestamp',
  'mac',
  'hostID',
  'hostName',
  'userName',
  'deviceName',
  'portName',
  'fromVlan',
  'toVlan',
  'accessState',
  'reason',
  'policyName',
  'method',
  'trigger',
  'success',
  'errorMessage',
] as const;

export const vlanChangeShape = {
  kind: 'object',
  name: 'VlanChange',
  properties: {
    ...shapesOf(portChange.fields, shownFields),
    connectionID: {
      ...shapes.count,
      nullable: true,
      doc: 'The connection of that adapter at that port and time; null: the change concerned no adapter, or it had no connection there.',
    },
  },
  columns: ['timestamp', 'deviceName', 'portName', 'fromVlan', 'toVlan', 'reason', 'mac', 'hostName', 'success'],
} as const satisfies ObjectShape;

export type VlanChange = AnswerOf<typeof vlanChangeShape>;

/** A change to another VLAN. Without a requested VLAN the port was set up or down, or got a CLI configuration. */
const isVlanChange = 'r.to_vlan is not null and r.from_vlan is distinct from r.to_vlan';

/** Returns a page of the changes of VLANs, newest first. */
export async function listVlanChanges(
  context: Context,
  query: Pick<ListQuery, 'filter' | 'count' | 'after'>,
  range: TimeRange,
) {
  const { records, ...page } = await context.list(portChange, {
    ...query,
    start: 0,
    extraFilter: (parameters) => {
      const bounds = [isVlanChange];
      if (range.from !== undefined)
        bounds.push(`r.id >= ${parameters.add(logIdAt(Date.parse(range.from)), '::bigint')}`);
      if (range.to !== undefined) bounds.push(`r.id < ${parameters.add(logIdAt(Date.parse(range.to)), '::bigint')}`);
      return bounds.join(' and ');
    },
  });
  const connectionIDs = await connectionsOf(context, records);
  const results = records.map((record, index) => shownChange(record, connectionIDs.get(index) ?? null));
  return { results, ...page };
}

interface Place {
  mac: string | null;
  portID: number;
  timestamp: string;
}

/** Returns the connections that were open at these ports and times, by the index of the place. */
async function connectionsOf(context: Context, places: readonly Place[]): Promise<ReadonlyMap<number, number>> {
  const sought = places.flatMap(({ mac, portID, timestamp }, index) =>
    mac === null ? [] : [{ index, mac, portID, timestamp, before: logIdAt(Date.parse(timestamp) + 1) }],
  );
  if (sought.length === 0) return new Map();
  const rows = await context.query<{ index: number; id: number }>(
    `select s.index, c.id
from jsonb_to_recordset($1::jsonb) s(index integer, mac text, "portID" bigint, timestamp timestamptz, before bigint)
cross join lateral (
  select r.id from ${context.visible(connectionLog)} r
  where r.mac = s.mac and r.port_id = s."portID" and r.id < s.before and (r.end_time >= s.timestamp or r.end_time is null)
  order by r.id desc
  limit 1
) c`,
    [JSON.stringify(sought)],
  );
  return new Map(rows.map(({ index, id }) => [index, id]));
}

/** A connection, with its start and end. */
interface Stay {
  id: number;
  mac: string;
  portID: number;
  startTime: string;
  endTime: string | null;
}

/** Changes of all connections of a response. */
export const changesMax = 1_000;

/**
 * Returns the changes of the VLAN of the ports of some connections while these were open, oldest first, by the id of the connection; at
 * most the newest thousand.
 */
export async function vlanChangesDuring(
  { list }: Context,
  stays: readonly Stay[],
): Promise<ReadonlyMap<number, VlanChange[]>> {
  if (stays.length === 0) return new Map();
  const ports = [...new Set(stays.map(({ portID }) => portID))];
  const starts = stays.map(({ startTime }) => Date.parse(startTime));
  const { records } = await list(portChange, {
    filter: [],
    start: 0,
    count: changesMax,
    extraFilter: (parameters) =>
      `r.port_id = any(${parameters.add(ports, '::bigint[]')}) and r.id >= ${parameters.add(logIdAt(Math.min(...starts)), '::bigint')} and ${isVlanChange}`,
  });
  const changes = new Map<number, VlanChange[]>();
  for (const record of records.reverse())
    for (const stay of stays.filter((candidate) => isDuring(candidate, record)))
      changes.set(stay.id, [...(changes.get(stay.id) ?? []), shownChange(record, stay.id)]);
  return changes;
}

/** A change that concerned no adapter concerned all that were connected to the port. */
const isDuring = ({ mac, portID, startTime, endTime }: Stay, change: Place): boolean =>
  (change.mac === null || mac === change.mac) &&
  portID === change.portID &&
  startTime <= change.timestamp &&
  (endTime === null || change.timestamp <= endTime);

const shownChange = (record: RecordOf<typeof portChange>, connectionID: number | null): VlanChange => ({
  ...(Object.fromEntries(shownFields.map((name) => [name, record[name]])) as Omit<VlanChange, 'connectionID'>),
  connectionID,
});
