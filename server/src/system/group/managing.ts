import { type Context, everyRow } from '../../context.ts';
import { refuseWiderReach } from '../../user/admin-profile/admin-profile.service.ts';
import { emitChanges, idsSummary, shownIds } from './emit-changes.ts';
import { group } from './group.ts';
import { type LockedGroup, visibleGroups } from './membership.ts';

const everyGroup = everyRow(group, 'the action has checked that the caller sees the group');

/** Replaces the groups that an administrator group manages. Groups that the caller does not see are kept. */
export async function setManaged(
  { tx }: Context,
  { id: groupID, name }: LockedGroup,
  managedIDs: readonly number[],
): Promise<void> {
  // Serialises two requests that replace the list at the same time.
  await tx.client.query(`select g.id from ${everyGroup} g where g.id = $1 for no key update`, [groupID]);
  const loadManagedIds = async () =>
    (
      await tx.client.query<{ id: number }>(
        'select m.managed_id as id from group_manages m where m.group_id = $1 order by m.managed_id',
        [groupID],
      )
    ).rows.map((row) => row.id);
  const before = await loadManagedIds();
  await refuseWiderReach(tx, { shown: managedIDs.filter((managedID) => !before.includes(managedID)) });
  const removedIDs = before.filter((managedID) => !managedIDs.includes(managedID));
  await tx.client.query('delete from group_manages where group_id = $1 and managed_id = any($2::bigint[])', [
    groupID,
    await visibleGroups(tx, removedIDs),
  ]);
  await tx.client.query(
    'insert into group_manages (group_id, managed_id) select $1, w.id from unnest($2::bigint[]) w(id) on conflict do nothing',
    [groupID, managedIDs],
  );
  const after = await loadManagedIds();
  if (shownIds(before) === shownIds(after)) return;
  await emitChanges(tx, [
    {
      id: groupID,
      name,
      field: 'managesGroupIDs',
      before: shownIds(before),
      after: shownIds(after),
      summary: idsSummary('managesGroupIDs', before, after),
    },
  ]);
}
