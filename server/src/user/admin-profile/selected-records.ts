import type { WriteTx } from '../../context.ts';
import { container } from '../../device/container/container.ts';
import { deviceProfilingRule } from '../../host/device-profiling-rule/device-profiling-rule.ts';
import type { Declaration } from '../../kernel/declare/declaration.ts';
import { rejected } from '../../kernel/failure.ts';
import { group } from '../../system/group/group.ts';
import type { Permissions } from './permission.ts';

/** The resource of the `selectedIDs` of each key. Guest templates are not supported yet. */
const selectable: Readonly<Record<string, Declaration>> = {
  groups: group,
  devices: container,
  'device-profiling': deviceProfilingRule,
};

/** Throws if a selection adds records that do not exist or that the caller does not see. Selected records that were deleted may stay. */
export async function refuseUnknownSelection(
  { client, visible }: WriteTx,
  before: Permissions | undefined,
  after: Permissions,
): Promise<void> {
  for (const [key, { selectedIDs }] of Object.entries(after)) {
    const previousIds = before?.[key]?.selectedIDs ?? [];
    const added = selectedIDs.filter((id) => !previousIds.includes(id));
    if (added.length === 0) continue;
    const refuse = (why: string) =>
      rejected(`permissions.${key}.selectedIDs: ${why}.`, `/permissions/${key}/selectedIDs`);
    const declaration = selectable[key];
    if (!declaration) throw refuse('records cannot be selected for this permission yet');
    const { rows } = await client.query<{ id: number }>(
      `select r.id from ${visible(declaration)} r where r.id = any($1::bigint[])`,
      [added],
    );
    const visibleIds = new Set(rows.map(({ id }) => id));
    const unknown = added.find((id) => !visibleIds.has(id));
    if (unknown !== undefined) throw refuse(`there is no ${declaration.title} ${unknown}`);
  }
}
