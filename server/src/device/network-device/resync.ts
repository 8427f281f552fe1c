import { action, type Context, job } from '../../context.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Job } from '../../kernel/jobs.ts';
import { idList } from '../../kernel/patterns.ts';
import { distinctIds } from '../../kernel/runtime.ts';
import { backgroundTask } from '../../system/background-task/background-task.ts';
import type { DevicePoller } from '../polling/poller.ts';
import { networkDevice } from './network-device.ts';

interface Wanted {
  id: number[];
  purge: boolean;
}

const jobName = 'resync-interfaces';
const parallel = 8;

const seenDevices = async (ids: readonly number[], { query, andSeen }: Context): Promise<ReadonlySet<number>> => {
  const rows = await query<{ id: number }>(
    `select r.id from network_device r where r.id = any($1::bigint[])${andSeen(networkDevice)}`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
};

/** Lets the interfaces of devices be read again. */
export const resyncDevices = action(networkDevice, {
  name: jobName,
  method: 'POST',
  path: '/resync-interfaces',
  doc: 'Read interfaces, VLANs, SSIDs and neighbours of devices again, as a background task',
  body: {
    ...idList,
    name: 'ResyncInterfaces',
    properties: {
      ...idList.properties,
      purge: { kind: 'flag', doc: 'Delete ports and SSIDs that are gone, carry nobody and are in no group.' },
    },
  },
  success: 202,
  errors: ['not-found'],
  example: { id: [1, 2], purge: false },
  async run(call, context) {
    const { id, purge = false } = call.body as Partial<Wanted> & Pick<Wanted, 'id'>;
    const seen = await seenDevices(distinctIds(id), context);
    const unknown = id.find((each) => !seen.has(each));
    if (unknown !== undefined) throw notFound(networkDevice.title, unknown);
    const task = await context.startTask(
      { name: jobName },
      { id, purge },
      `Read the interfaces of ${id.length} devices`,
    );
    return { location: `/api/v2${backgroundTask.path}/${task}` };
  },
});

const counted = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : []);

/** Does so, device by device, each under its lease: a poll that runs is waited for. */
export const resyncInterfaces = (poller: DevicePoller): Job<Context> =>
  job(jobName, {
    doc: 'Read the interfaces of devices again',
    secondsMax: 7_200,
    repeatable: true,
    async run(payload, { signal, progress, report }) {
      const { id: ids, purge } = payload as Wanted;
      const waiting = [...ids];
      const items: { item: string; outcome: string; detail: string }[] = [];
      const worker = async () => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          items.push(await resyncOne(id));
          progress(items.length, ids.length);
          report(items);
        }
      };
      await Promise.all(Array.from({ length: parallel }, worker));

      async function resyncOne(id: number) {
        const outcome = await poller.resync(id, purge, signal);
        if (!outcome) return { item: String(id), outcome: 'GONE', detail: 'The device was deleted meanwhile.' };
        if ('error' in outcome) return { item: outcome.name, outcome: 'FAILED', detail: outcome.error.slice(0, 2_000) };
        const { ports, added, gone, purged } = outcome.stored;
        const detail = [
          `${ports} ports`,
          ...counted(added, 'new'),
          ...counted(gone, 'gone'),
          ...counted(purged, 'deleted'),
        ];
        return { item: outcome.name, outcome: 'DONE', detail: detail.join(', ') };
      }
    },
  });
