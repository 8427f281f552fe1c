import { action, auditExecuted, type Context, distinctIds, idList } from '../../../context.ts';
import { extended } from '../../../kernel/declare/shapes.ts';
import { notFound } from '../../../kernel/failure.ts';
import { backgroundTask } from '../../../system/background-task/background-task.ts';
import { networkDevice } from '../network-device.ts';

export interface ResyncRequest {
  id: number[];
  purge: boolean;
}

export const resyncJob = 'resync-interfaces';
const seenDevices = async (
  ids: readonly number[],
  { query, visible }: Context,
): Promise<{ id: number; name: string }[]> =>
  query(`select r.id, r.name from ${visible(networkDevice)} r where r.id = any($1::bigint[]) order by r.id`, [ids]);

/** Schedules the reading of interfaces of devices. */
export const resyncDevices = action(networkDevice, {
  name: resyncJob,
  method: 'POST',
  path: '/resync-interfaces',
  doc: 'Read interfaces, VLANs, SSIDs and neighbours of devices again, as a background task',
  body: extended(idList, {
    name: 'ResyncInterfaces',
    properties: {
      purge: {
        kind: 'flag',
        doc: 'Delete ports and SSIDs that no longer exist on the device, have no adapter and are in no group.',
      },
    },
  }),
  success: 202,
  errors: ['not-found'],
  example: { id: [1, 2], purge: false },
  async run(call, context) {
    const { id, purge = false } = call.body;
    const visibleDevices = await seenDevices(distinctIds(id), context);
    const visibleIds = new Set(visibleDevices.map((device) => device.id));
    const unknown = id.find((deviceId) => !visibleIds.has(deviceId));
    if (unknown !== undefined) throw notFound(networkDevice.title, unknown);
    const what = purge ? 'read interfaces; delete ports and SSIDs that are gone' : 'read interfaces';
    await auditExecuted(context.tx, networkDevice, visibleDevices, what);
    const task = await context.startTask(
      { name: resyncJob },
      { id, purge },
      `Read the interfaces of ${id.length} devices`,
    );
    return { location: `/api/v2${backgroundTask.path}/${task}` };
  },
});
