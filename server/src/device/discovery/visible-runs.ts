import type { Context, RecordValue } from '../../context.ts';
import type { RecordOf } from '../../kernel/declare/declaration.ts';
import { container } from '../container/container.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { discoveryRun } from './discovery.ts';

const runsMax = 1_000;

/** Returns runs into containers that the caller sees, newest first. */
export async function visibleRuns(context: Context, filter?: string): Promise<RecordOf<typeof discoveryRun>[]> {
  const { records } = await context.list(discoveryRun, {
    filter: filter === undefined ? [] : [filter],
    start: 0,
    count: runsMax,
    sortKey: 'id',
    sortDir: 'desc',
  });
  if (context.visibleRow(container) === '' || records.length === 0) return records;
  const ids = new Set(records.map(({ containerID }) => containerID));
  const visibleContainers = await context.query<{ id: number }>(
    `select r.id from ${context.visible(container)} r where r.id = any($1::bigint[])`,
    [[...ids]],
  );
  return records.filter(({ containerID }) => visibleContainers.some(({ id }) => id === containerID));
}

interface Item {
  deviceID: number | null;
}

/** Returns the run without details of devices that the caller cannot see: a device may be in another container. */
export async function withSeenItems(context: Context, run: RecordValue): Promise<RecordValue> {
  if (context.visibleRow(networkDevice) === '') return run;
  const items = run.items as Item[];
  const rows = await context.query<{ id: number }>(
    `select r.id from ${context.visible(networkDevice)} r where r.id = any($1::bigint[])`,
    [items.flatMap(({ deviceID }) => deviceID ?? [])],
  );
  const visibleIds = new Set(rows.map(({ id }) => id));
  const shown = items.map((item) =>
    item.deviceID === null || visibleIds.has(item.deviceID)
      ? item
      : { ...item, deviceID: null, name: null, detail: null },
  );
  return { ...run, items: shown };
}
