import type { Context } from '../../context.ts';
import type { RecordValue } from '../../kernel/read/select.ts';
import { container } from '../container/container.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { discoveryRun } from './discovery.ts';

const runsMax = 1_000;

/** Runs into containers that the caller sees, newest first. */
export async function seenRuns(context: Context, filter?: string): Promise<RecordValue[]> {
  const { records } = await context.list(discoveryRun, {
    filter: filter === undefined ? [] : [filter],
    start: 0,
    count: runsMax,
    sortKey: 'id',
    sortDir: 'desc',
  });
  const andSeen = context.andSeen(container);
  if (andSeen === '' || records.length === 0) return records;
  const ids = new Set(records.map(({ containerID }) => containerID));
  const seen = await context.query<{ id: number }>(
    `select r.id from container r where r.id = any($1::bigint[])${andSeen}`,
    [[...ids]],
  );
  return records.filter(({ containerID }) => seen.some(({ id }) => id === containerID));
}

interface Item {
  deviceID: number | null;
}

/** The run, without what it tells of devices that the caller does not see: a box may be known in another container. */
export async function withSeenItems(context: Context, run: RecordValue): Promise<RecordValue> {
  const andSeen = context.andSeen(networkDevice);
  if (andSeen === '') return run;
  const items = run.items as Item[];
  const rows = await context.query<{ id: number }>(
    `select r.id from network_device r where r.id = any($1::bigint[])${andSeen}`,
    [items.flatMap(({ deviceID }) => deviceID ?? [])],
  );
  const seen = new Set(rows.map(({ id }) => id));
  const shown = items.map((item) =>
    item.deviceID === null || seen.has(item.deviceID) ? item : { ...item, deviceID: null, name: null, detail: null },
  );
  return { ...run, items: shown };
}
