import type { ElementSource, Elements, ElementType } from '../../kernel/declare/element-type.ts';
import { literal, quoted } from '../../kernel/declare/names.ts';

/** Members that a fetch shows; `memberCount` is the total. */
export const membersShown = 1_000;

const counterOf = (id: string): string => `'group_member:' || ${id}`;

/** Selects the number of direct members, like `row_total`, but inline, because a function would be called for every group of a list. */
export const memberCountSql = (id: string): string =>
  `(coalesce((select n.rows from row_count n where n.table_name = ${counterOf(id)}), 0)
    + coalesce((select sum(d.delta) from row_count_delta d where d.table_name = ${counterOf(id)}), 0))::bigint`;

/** The icons of elements without their own icon. */
const icons: Readonly<Record<ElementType, string>> = {
  HOST: '/icons/monitor.svg',
  ADAPTER: '/icons/network.svg',
  DEVICE: '/icons/router.svg',
  PORT: '/icons/ethernet-port.svg',
  USER: '/icons/id-card.svg',
  ADMINISTRATOR: '/icons/key-round.svg',
};

/** Selects `id`, `name` and `img` of the element with the id of an outer expression. */
export const elementSql = (type: ElementType, { table, name, img }: ElementSource, id: string): string =>
  `select r.id, ${name} as name, ${img ?? literal(icons[type])} as img from ${quoted(table)} r where r.id = ${id}`;

/** Returns an additional condition for a membership: its member must be visible. */
export const andVisibleMember = ({ table, seen: visibleCondition }: ElementSource, id = 'm.member_id'): string =>
  visibleCondition ? ` and exists (select from ${quoted(table)} r where r.id = ${id} and ${visibleCondition})` : '';

/** Selects the first members of the group `r` in short form. */
export function membersSql(elements: Elements): string {
  const cases = [...elements].map(
    ([type, source]) => `when ${literal(type)} then (
      select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name, 'img', x.img) order by x.id), '[]'::jsonb)
      from (select m.member_id from group_member m where m.group_id = r.id${andVisibleMember(source)} order by m.member_id limit ${membersShown}) m
      cross join lateral (${elementSql(type, source, 'm.member_id')}) x)`,
  );
  return cases.length === 0 ? `'[]'::jsonb` : `case r.type ${cases.join('\n')} else '[]'::jsonb end`;
}
