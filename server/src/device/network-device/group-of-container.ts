import type { Context } from '../../context.ts';
import { type HeldGroup, join } from '../../system/group/membership.ts';

/** Lets a device join the group that its container gives its devices; whoever puts it there need not see that group. */
export async function joinGroupOfContainer(context: Context, deviceID: number, containerID: number): Promise<void> {
  const { rows } = await context.tx.client.query<HeldGroup>(
    `select g.id, g.name, g.type, g.source, g.user_group as "userGroup"
     from container c join "group" g on g.id = c.group_id where c.id = $1 for key share of g`,
    [containerID],
  );
  await join(context, rows, [deviceID]);
}
