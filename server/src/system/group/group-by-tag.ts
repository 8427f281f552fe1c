import type { WriteTx } from '../../kernel/runtime.ts';
import type { HeldGroup } from './membership.ts';

/** A group that came with the service, held against deletion; none when somebody deleted it. */
export async function groupByTag({ client }: WriteTx, tag: string): Promise<HeldGroup[]> {
  const { rows } = await client.query<HeldGroup>(
    `select g.id, g.name, g.type, g.source, g.user_group as "userGroup" from "group" g where g.tag = $1 for key share of g`,
    [tag],
  );
  return rows;
}
