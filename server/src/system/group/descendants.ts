import type { Context } from '../../context.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { rejected } from '../../kernel/failure.ts';
import { group } from './group.ts';
import { depthMax } from './nesting.ts';

const groupsMax = 50_000;

const { name, type, memberCount, childCount, parentIDs } = group.fields;

/** A group that another group contains, directly or indirectly. */
export const descendantShape = {
  kind: 'object',
  name: 'GroupDescendant',
  properties: {
    dbid: { kind: 'integer', min: 1, max: Number.MAX_SAFE_INTEGER },
    name: name.shape,
    type: type.shape,
    memberCount: memberCount.shape,
    childCount: childCount.shape,
    parentIDs: parentIDs.shape,
    depth: { kind: 'integer', min: 1, max: depthMax, doc: 'Depth on the shortest path.' },
    path: {
      kind: 'text',
      max: 3_000,
      doc: 'Names on that path, separated by slashes, starting with the requested group.',
    },
  },
  columns: ['dbid', 'depth', 'path', 'memberCount', 'childCount'],
} as const satisfies ObjectShape;

interface Descendant {
  dbid: number;
  name: string;
  depth: number;
  parentIDs: number[];
  path: string;
}

/** Returns all descendants of a group, nearest first. */
export async function descendantsOf({ query, visible, visibleRow }: Context, groupID: number): Promise<Descendant[]> {
  const rows = await query<Descendant>(
    `select r.id as dbid, r.name, r.type, ${memberCount.sql} as "memberCount", ${childCount.sql} as "childCount",
       ${parentIDs.sql} as "parentIDs", c.depth, '' as path
     from group_closure c
     join ${visible(group)} r on r.id = c.descendant_id
     where c.ancestor_id = $1
     order by c.depth, r.id limit ${groupsMax + 2}`,
    [groupID],
  );
  if (rows.length > groupsMax + 1)
    throw rejected(`This group has more than ${groupsMax} descendants; request a group further down.`);
  if (visibleRow(group) !== '') await dropHiddenParents({ query, visible }, rows);
  const rowsById = new Map<number, Descendant>();
  for (const row of rows) {
    // Sorted by depth, so the path of the parent is complete. Of several parents, the oldest one is shown.
    const parent = row.parentIDs.map((id) => rowsById.get(id)).find((candidate) => candidate?.depth === row.depth - 1);
    row.path = parent ? `${parent.path}/${row.name}` : row.name;
    rowsById.set(row.dbid, row);
  }
  return rows.slice(1);
}

async function dropHiddenParents(
  { query, visible }: Pick<Context, 'query' | 'visible'>,
  rows: Descendant[],
): Promise<void> {
  const parents = [...new Set(rows.flatMap(({ parentIDs }) => parentIDs))];
  const visibleParents = await query<{ id: number }>(
    `select r.id from ${visible(group)} r where r.id = any($1::bigint[])`,
    [parents],
  );
  const ids = new Set(visibleParents.map(({ id }) => id));
  for (const row of rows) row.parentIDs = row.parentIDs.filter((id) => ids.has(id));
}
