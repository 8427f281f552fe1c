import type { Context } from '../../context.ts';
import type { ElementType } from '../../kernel/declare/element-type.ts';
import { rejected } from '../../kernel/failure.ts';
import { andVisibleMember, elementSql, memberCountSql } from './element-view.ts';
import { group as groups } from './group.ts';

/** A member in a list. */
export interface Member {
  id: number;
  name: string;
  img: string;
  via: { id: number; name: string } | null;
}

export interface MemberPage {
  group: number;
  type: ElementType;
  nested: boolean;
  start: number;
  count: number;
  /** Only members with a higher id. */
  after: number;
}

/** Returns a page of the members of a group, sorted by id. */
export async function membersOf({ query, elements, visible }: Context, page: MemberPage): Promise<Member[]> {
  const { group, type, nested, start, count, after } = page;
  const source = elements.get(type);
  if (!source || count === 0) return [];
  return query<Member>(
    `select x.id, x.name, x.img, case when p.group_id <> $1 and g.id is not null then jsonb_build_object('id', g.id, 'name', g.name) end as via
     from (${(nested ? nestedSql : directSql)(andVisibleMember(source))}) p
     left join ${visible(groups)} g on g.id = p.group_id
     cross join lateral (${elementSql(type, source, 'p.member_id')}) x
     order by x.id`,
    [group, after, start, count],
  );
}

const directSql = (andVisible: string): string => `
  select m.member_id, m.group_id from group_member m
  where m.group_id = $1 and m.member_id > $2${andVisible}
  order by m.member_id limit $4 offset $3`;

/** Reads the first n members of each nested group in index order, which include the first n of all groups together. */
const nestedSql = (andVisible: string): string => `
  select distinct on (m.member_id) m.member_id, c.descendant_id as group_id
  from group_closure c
  cross join lateral (
    select m.member_id from group_member m
    where m.group_id = c.descendant_id and m.member_id > $2${andVisible}
    order by m.member_id limit $3::bigint + $4::bigint
  ) m
  where c.ancestor_id = $1
  order by m.member_id, c.depth, c.descendant_id
  limit $4 offset $3`;

const idsMax = 500_000;

/** Returns the ids of all members of a group, in order. */
export async function memberIdsOf(
  { query, elements }: Context,
  group: number,
  type: ElementType,
  nested: boolean,
): Promise<number[]> {
  const source = elements.get(type);
  const andVisible = source ? andVisibleMember(source) : '';
  const condition = 'c.ancestor_id = $1 and ($2 or c.depth = 0)';
  const tooMany = rejected(`The group has more than ${idsMax} members; read them in pages with GET …/members.`);
  // One large nested group exceeds the limit, and its count is stored, so its members need not be read.
  const [large] = await query(
    `select from group_closure c where ${condition} and ${memberCountSql('c.descendant_id')} > ${idsMax} limit 1`,
    [group, nested],
  );
  if (large && !andVisible) throw tooMany;
  const [result] = await query<{ ids: number[] }>(
    `select array(
       select distinct m.member_id from group_closure c
       join group_member m on m.group_id = c.descendant_id
       where ${condition}${andVisible}
       order by m.member_id limit ${idsMax + 1}) as ids`,
    [group, nested],
  );
  const { ids } = result!;
  if (ids.length > idsMax) throw tooMany;
  return ids;
}
