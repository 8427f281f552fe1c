import { type Context, everyRow } from '../../context.ts';
import { join, type LockedGroup } from '../../system/group/group.service.ts';
import { group } from '../../system/group/group.ts';
import { container } from '../container/container.ts';

const everyContainer = everyRow(container, 'who adds a device need not see the group that its container gives it');
const everyGroup = everyRow(group, 'who adds a device need not see the group that its container gives it');

/** Adds a device to the group that its container defines for devices; the caller need not see that group. */
export async function joinGroupOfContainer(context: Context, deviceID: number, containerID: number): Promise<void> {
  const { rows } = await context.tx.client.query<LockedGroup>(
    `select g.id, g.name, g.type, g.source, g.user_group as "userGroup"
     from ${everyContainer} c join ${everyGroup} g on g.id = c.group_id where c.id = $1 for key share of g`,
    [containerID],
  );
  await join(context, rows, [deviceID]);
}
