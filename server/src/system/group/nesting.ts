import type pg from 'pg';
import { everyRow } from '../../context.ts';
import { rejected } from '../../kernel/failure.ts';
import { group } from './group.ts';

const everyGroup = everyRow(group, 'cycles are detected through all groups; the names of hidden ones are not returned');

/** Maximum depth of nesting, in steps from the highest to the lowest group. */
export const depthMax = 16;

/** A group and its direct child. */
export interface Edge {
  parent: number;
  child: number;
}

/**
 * Nests groups: one parent with new children, or one child with new parents. Returns the edges that are new. Requires that the caller has
 * locked the graph. `namedGroups` are the groups whose names an error may contain.
 */
export async function nest(
  client: pg.PoolClient,
  parents: readonly number[],
  children: readonly number[],
  namedGroups = everyGroup,
): Promise<Edge[]> {
  // A path over two new edges would pass their common group twice, so a shortest path uses at most one of them.
  if (parents.length > 1 && children.length > 1) throw new Error('nest takes one parent or one child');
  await refuseCycle(client, parents, children, namedGroups);
  const { rows: added } = await client.query<Edge>(
    `insert into group_edge (parent_id, child_id)
     select p.id, c.id from unnest($1::bigint[]) p(id) cross join unnest($2::bigint[]) c(id)
     on conflict do nothing returning parent_id as parent, child_id as child`,
    [parents, children],
  );
  if (added.length === 0) return added;
  const ends = [added.map(({ parent }) => parent), added.map(({ child }) => child)];
  await refuseTooDeep(client, ends);
  await client.query(
    `insert into group_closure as k (ancestor_id, descendant_id, depth)
     select a.ancestor_id, d.descendant_id, min(a.depth + 1 + d.depth)
     from unnest($1::bigint[], $2::bigint[]) e(parent_id, child_id)
     join group_closure a on a.descendant_id = e.parent_id
     join group_closure d on d.ancestor_id = e.child_id
     group by a.ancestor_id, d.descendant_id
     on conflict (ancestor_id, descendant_id) do update set depth = excluded.depth where excluded.depth < k.depth`,
    ends,
  );
  return added;
}

/** Removes edges; missing ones are ignored. Only the closure between their ancestors and descendants is computed again. */
export async function unnest(client: pg.PoolClient, edges: readonly Edge[]): Promise<Edge[]> {
  const { rows: removed } = await client.query<Edge>(
    `delete from group_edge e using unnest($1::bigint[], $2::bigint[]) x(parent_id, child_id)
     where e.parent_id = x.parent_id and e.child_id = x.child_id returning e.parent_id as parent, e.child_id as child`,
    [edges.map(({ parent }) => parent), edges.map(({ child }) => child)],
  );
  if (removed.length === 0) return removed;
  const { rows } = await client.query<{ above: number[]; below: number[] }>(
    `select
       array(select distinct c.ancestor_id from group_closure c where c.descendant_id = any($1::bigint[])) as above,
       array(select distinct c.descendant_id from group_closure c where c.ancestor_id = any($2::bigint[])) as below`,
    [removed.map(({ parent }) => parent), removed.map(({ child }) => child)],
  );
  const { above, below } = rows[0]!;
  await client.query(
    `delete from group_closure c
     where c.ancestor_id = any($1::bigint[]) and c.descendant_id = any($2::bigint[]) and c.depth > 0`,
    [above, below],
  );
  // Distances that lead out of the upper part have not changed; those within it are computed from there, step by step.
  await client.query(
    `insert into group_closure (ancestor_id, descendant_id, depth)
     with recursive found (ancestor_id, descendant_id, depth) as (
       select e.parent_id, c.descendant_id, c.depth + 1
       from group_edge e
       join group_closure c on c.ancestor_id = e.child_id
       where e.parent_id = any($1::bigint[]) and c.descendant_id = any($2::bigint[])
         and (e.child_id <> all($1::bigint[]) or c.depth = 0)
       union
       select e.parent_id, f.descendant_id, f.depth + 1
       from found f
       join group_edge e on e.child_id = f.ancestor_id
       where e.parent_id = any($1::bigint[]) and f.depth < ${depthMax}
     )
     select f.ancestor_id, f.descendant_id, min(f.depth) from found f group by f.ancestor_id, f.descendant_id`,
    [above, below],
  );
  return removed;
}

/** Returns the edges of a group to its parents and children. */
export async function edgesAt(client: pg.PoolClient, id: number): Promise<Edge[]> {
  const { rows } = await client.query<Edge>(
    'select e.parent_id as parent, e.child_id as child from group_edge e where e.parent_id = $1 or e.child_id = $1',
    [id],
  );
  return rows;
}

async function refuseCycle(
  client: pg.PoolClient,
  parents: readonly number[],
  children: readonly number[],
  namedGroups: string,
): Promise<void> {
  const { rows } = await client.query<{ path: (string | null)[] }>(
    `with recursive met as (
       select c.ancestor_id, c.descendant_id, c.depth from group_closure c
       where c.ancestor_id = any($2::bigint[]) and c.descendant_id = any($1::bigint[]) limit 1
     ), path (id, left_to_go, step) as (
       select m.ancestor_id, m.depth::integer, 0 from met m
       union all
       select n.child_id, p.left_to_go - 1, p.step + 1
       from path p
       cross join met m
       cross join lateral (
         select e.child_id from group_edge e
         join group_closure c on c.ancestor_id = e.child_id and c.descendant_id = m.descendant_id
         where e.parent_id = p.id and c.depth = p.left_to_go - 1
         order by e.child_id limit 1
       ) n
     )
     select array_agg(g.name order by p.step) as path from path p left join ${namedGroups} g on g.id = p.id having count(*) > 0`,
    [parents, children],
  );
  const path = rows[0]?.path;
  if (!path) return;
  const circle = [...path, path[0]].map((name) => (name ? JSON.stringify(name) : 'a hidden group')).join(' → ');
  throw rejected(`A group cannot contain itself, directly or indirectly: this would create the cycle ${circle}.`);
}

/** Throws if the longest path through a new edge is too long. Each group is visited once per depth, however many paths lead to it. */
async function refuseTooDeep(client: pg.PoolClient, ends: readonly (readonly number[])[]): Promise<void> {
  const { rows } = await client.query<{ steps: number }>(
    `with recursive up (id, depth) as (
       select p.id, 0 from unnest($1::bigint[]) p(id)
       union
       select e.parent_id, u.depth + 1 from up u join group_edge e on e.child_id = u.id where u.depth <= ${depthMax}
     ), down (id, depth) as (
       select c.id, 0 from unnest($2::bigint[]) c(id)
       union
       select e.child_id, d.depth + 1 from down d join group_edge e on e.parent_id = d.id where d.depth <= ${depthMax}
     )
     select (select max(u.depth) from up u) + 1 + (select max(d.depth) from down d) as steps`,
    [...ends],
  );
  const { steps } = rows[0]!;
  if (steps > depthMax)
    throw rejected(`Groups nest at most ${depthMax} deep; this would be ${steps > 2 * depthMax ? 'more' : steps}.`);
}
