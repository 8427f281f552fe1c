import { everyRow, type WriteTx } from '../../context.ts';
import { group } from './group.ts';
import type { LockedGroup } from './membership.ts';

const everyGroup = everyRow(group, 'the service adds its own records to its built-in groups');

/** Returns a built-in group and locks it against deletion. Empty if an administrator has deleted it. */
export async function groupByTag({ client }: WriteTx, tag: string): Promise<LockedGroup[]> {
  const { rows } = await client.query<LockedGroup>(
    `select g.id, g.name, g.type, g.source, g.user_group as "userGroup" from ${everyGroup} g where g.tag = $1 for key share of g`,
    [tag],
  );
  return rows;
}
