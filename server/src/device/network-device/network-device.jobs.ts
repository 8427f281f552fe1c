import { type Context, type Job, job } from '../../context.ts';
import type { DevicePoller } from '../polling/polling.service.ts';
import { type ResyncRequest, resyncJob } from './actions/resync.ts';

const parallel = 8;

const counted = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : []);

/** Reads the interfaces of devices, one after the other, each under its lease: a running poll is waited for. */
export const resyncInterfaces = (poller: DevicePoller): Job<Context> =>
  job(resyncJob, {
    doc: 'Read the interfaces of devices again',
    secondsMax: 7_200,
    repeatable: true,
    async run(payload, { signal, progress, report }) {
      const { id: ids, purge } = payload as ResyncRequest;
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
        if (!outcome) return { item: String(id), outcome: 'GONE', detail: 'The device was deleted in the meantime.' };
        if ('error' in outcome) return { item: outcome.name, outcome: 'FAILED', detail: outcome.error.slice(0, 2_000) };
        if (!outcome.isRead)
          return { item: outcome.name, outcome: 'SKIPPED', detail: 'It is only pinged and has no interfaces to read.' };
        const { ports, added, gone: goneCount, purged } = outcome.stored;
        const detail = [
          `${ports} ports`,
          ...counted(added, 'new'),
          ...counted(goneCount, 'gone'),
          ...counted(purged, 'deleted'),
        ];
        return { item: outcome.name, outcome: 'DONE', detail: detail.join(', ') };
      }
    },
  });
