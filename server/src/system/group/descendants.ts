import type { Context } from '../../context.ts';
import { rejected } from '../../kernel/failure.ts';
import type { ObjectShape } from '../../kernel/shape.ts';
import { group } from './group.ts';
import { depthMax } from './nesting.ts';

const groupsMax = 50_000;

const { name, type, memberCount, childCount, parentIDs } = group.fields;

/** A group that lies below another. */
export const descendantShape: ObjectShape = {
  kind: 'object',
  name: 'GroupDescendant',
  properties: {
    dbid: { kind: 'integer', min: 1, max: Number.MAX_SAFE_INTEGER },
    name: name.shape,
    type: type.shape,
    memberCount: memberCount.shape,
    childCount: childCount.shape,
    parentIDs: parentIDs.shape,
    depth: { kind: 'integer', min: 1, max: depthMax, doc: 'Steps down to it, on the shortest path.' },
    path: { kind: 'text', max: 3_000, doc: 'Names on that path, with slashes, from the group that was asked for.' },
  },
  columns: ['dbid', 'depth', 'path', 'memberCount', 'childCount'],
};

interface Descendant {
  dbid: number;
  name: string;
  depth: number;
  parentIDs: number[];
  path: string;
}

/** All groups below one, nearest first. */
export async function descendantsOf({ query, andSeen }: Context, wanted: number): Promise<Descendant[]> {
  const rows = await query<Descendant>(
    `select r.id as dbid, r.name, r.type, ${memberCount.sql} as "memberCount", ${childCount.sql} as "childCount",
       ${parentIDs.sql} as "parentIDs", c.depth, '' as path
     from group_closure c
     join "group" r on r.id = c.descendant_id
     where c.ancestor_id = $1${andSeen(group)}
     order by c.depth, r.id limit ${groupsMax + 2}`,
    [wanted],
  );
  if (rows.length > groupsMax + 1)
    throw rejected(`More than ${groupsMax} groups lie below this one; ask for one further down.`);
  const known = new Map<number, Descendant>();
  for (const row of rows) {
    // Nearest first: a parent one step higher has its path already. Of several the one made first is shown.
    const parent = row.parentIDs.map((id) => known.get(id)).find((each) => each?.depth === row.depth - 1);
    row.path = parent ? `${parent.path}/${row.name}` : row.name;
    known.set(row.dbid, row);
  }
  return rows.slice(1);
}
