import { type Context, everyRow } from '../../context.ts';
import type { Collection } from '../../kernel/declare/declaration.ts';
import { tableOf } from '../../kernel/declare/declaration.ts';
import { quoted } from '../../kernel/declare/names.ts';
import type { Call } from '../../kernel/declare/operation.ts';
import { allows } from '../../kernel/declare/permissions.ts';
import { notFound } from '../../kernel/failure.ts';
import { group } from './group.ts';

const everyGroup = everyRow(group, 'hidden groups are only counted');
const groupsMax = 1_000;

/** Returns the groups that an element is a direct member of. Hidden groups are only counted. */
export async function usageInGroups(collection: Collection, { id, caller }: Call, context: Context): Promise<object[]> {
  const [element] = await context.query(
    `select from ${quoted(tableOf(collection))} r where r.id = $1${context.visibleRow(collection)}`,
    [id],
  );
  if (!element) throw notFound(collection.title, id);
  const membersOf = (groups: string) =>
    `from group_member m join ${groups} r on r.id = m.group_id where m.element_type = $1 and m.member_id = $2`;
  const values = [collection.events.elementType, id];
  const visibleGroups = allows(caller.rights, group.permission, 'view')
    ? await context.query<{ name: string }>(
        `select r.name ${membersOf(context.visible(group))} order by r.name limit ${groupsMax}`,
        values,
      )
    : [];
  const [all] = await context.query<{ count: number }>(
    `select count(*)::integer as count ${membersOf(everyGroup)}`,
    values,
  );
  const hidden = all!.count - visibleGroups.length;
  const children = [...visibleGroups.map(({ name }) => name), ...(hidden > 0 ? [`${hidden} hidden`] : [])];
  return children.length > 0 ? [{ name: group.title, children }] : [];
}
