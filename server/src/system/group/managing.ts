import { type Context, everyRow } from '../../context.ts';
import { refuseWiderReach } from '../../user/admin-profile/admin-profile.service.ts';
import { emitChanges, idsSummary, shownIds } from './emit-changes.ts';
import { group } from './group.ts';
import { type HeldGroup, visibleGroups } from './membership.ts';

const everyGroup = everyRow(group, 'the caller has found the group before');

/** Makes these the only groups that an administrator group manages, but for those that the caller does not see. */
export async function setManaged(
  { tx }: Context,
  { id: own, name }: HeldGroup,
  wanted: readonly number[],
): Promise<void> {
  // Two who replace the list at the same time do so one after the other.
  await tx.client.query(`select g.id from ${everyGroup} g where g.id = $1 for no key update`, [own]);
  const read = async () =>
    (
      await tx.client.query<{ id: number }>(
        'select m.managed_id as id from group_manages m where m.group_id = $1 order by m.managed_id',
        [own],
      )
    ).rows.map((row) => row.id);
  const before = await read();
  await refuseWiderReach(tx, { shown: wanted.filter((each) => !before.includes(each)) });
  const without = before.filter((each) => !wanted.includes(each));
  await tx.client.query('delete from group_manages where group_id = $1 and managed_id = any($2::bigint[])', [
    own,
    await visibleGroups(tx, without),
  ]);
  await tx.client.query(
    'insert into group_manages (group_id, managed_id) select $1, w.id from unnest($2::bigint[]) w(id) on conflict do nothing',
    [own, wanted],
  );
  const after = await read();
  if (shownIds(before) === shownIds(after)) return;
  await emitChanges(tx, [
    {
      id: own,
      name,
      field: 'managesGroupIDs',
      before: shownIds(before),
      after: shownIds(after),
      summary: idsSummary('managesGroupIDs', before, after),
    },
  ]);
}
