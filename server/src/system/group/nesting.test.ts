import fc from 'fast-check';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { depthMax, type Edge, nest, unnest } from './nesting.ts';

/** A simple model of the same graph in memory. */
class Model {
  readonly edges = new Map<string, Edge>();

  add(parents: readonly number[], children: readonly number[]): boolean {
    const newEdges = parents.flatMap((parent) => children.map((child) => ({ parent, child })));
    const before = [...this.edges.values()];
    for (const edge of newEdges) this.edges.set(`${edge.parent} ${edge.child}`, edge);
    if (this.longest() <= depthMax) return true;
    this.edges.clear();
    for (const edge of before) this.edges.set(`${edge.parent} ${edge.child}`, edge);
    return false;
  }

  remove(edges: readonly Edge[]): void {
    for (const { parent, child } of edges) this.edges.delete(`${parent} ${child}`);
  }

  below(id: number): number[] {
    return [...this.edges.values()].filter(({ parent }) => parent === id).map(({ child }) => child);
  }

  /** Returns the length of the longest path; more than the number of groups if there is a cycle. */
  longest(): number {
    let reached = new Set([...this.edges.values()].map(({ parent }) => parent));
    for (let steps = 0; ; steps++) {
      if (reached.size === 0 || steps > depthMax + 1) return steps - 1;
      reached = new Set([...reached].flatMap((id) => this.below(id)));
    }
  }

  /** Returns all connected pairs with the lengths of their shortest paths. */
  closure(ids: readonly number[]): string[] {
    return ids.flatMap((ancestor) => {
      const depths = new Map([[ancestor, 0]]);
      for (const [id, depth] of depths)
        for (const childId of this.below(id)) if (!depths.has(childId)) depths.set(childId, depth + 1);
      return [...depths].map(([descendant, depth]) => `${ancestor} ${descendant} ${depth}`);
    });
  }
}

const closureOf = async (client: pg.PoolClient): Promise<string[]> =>
  (
    await client.query<{ row: string }>(
      `select c.ancestor_id || ' ' || c.descendant_id || ' ' || c.depth as row from group_closure c
       join "group" g on g.id = c.ancestor_id where g.name like 'n-%'`,
    )
  ).rows.map(({ row }) => row);

async function makeGroups(client: pg.PoolClient, count: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `with made as (
       insert into "group" (type, name, description, user_group, source, enforcement, access_policy, days_valid, days_inactive)
       select 'PORT', 'n-' || n, '', true, 'LOCAL', 'NONE', -1, 0, 0 from generate_series(1, $1::integer) n returning id
     ), own as (insert into group_closure (ancestor_id, descendant_id, depth) select m.id, m.id, 0 from made m)
     select m.id from made m order by m.id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/** Runs an attempt in a savepoint, and rolls back only a refused attempt. */
async function attempt(client: pg.PoolClient, work: () => Promise<unknown>): Promise<string | undefined> {
  await client.query('savepoint attempt');
  try {
    await work();
    return undefined;
  } catch (error) {
    await client.query('rollback to savepoint attempt');
    return (error as Error).message;
  }
}

/** Runs in a transaction that is rolled back. */
async function inVain(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await work(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

describe('nesting', async () => {
  const { service } = await world();
  const { pool } = service.runtime;
  const size = 9;
  const place = fc.integer({ min: 0, max: size - 1 });
  const edit = fc.record({
    adds: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
    isParent: fc.boolean(),
    one: place,
    many: fc.uniqueArray(place, { minLength: 1, maxLength: 4 }),
  });

  test('keeps the closure equal to the edges after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 25 }), (edits) =>
        inVain(pool, async (client) => {
          const ids = await makeGroups(client, size);
          const model = new Model();
          for (const { adds, isParent, one: singleIndex, many } of edits) {
            const [single, several] = [[ids[singleIndex]!], many.map((index) => ids[index]!)];
            const [parents, children] = isParent ? [single, several] : [several, single];
            if (adds) {
              const refused = await attempt(client, () => nest(client, parents, children));
              expect(refused === undefined, refused).toBe(model.add(parents, children));
            } else {
              const edges = parents.flatMap((parent) => children.map((child) => ({ parent, child })));
              await unnest(client, edges);
              model.remove(edges);
            }
            expect((await closureOf(client)).sort()).toEqual(model.closure(ids).sort());
          }
        }),
      ),
      { numRuns: 25 },
    );
  });

  test('removes several edges at once, also if one is below another', async () => {
    await inVain(pool, async (client) => {
      const ids = await makeGroups(client, 6);
      const [a, b, c, d, e, f] = ids as [number, number, number, number, number, number];
      const model = new Model();
      for (const [parent, ...children] of [
        [a, b, c],
        [b, d],
        [c, d, e],
        [d, f],
        [e, f],
      ] as [number, ...number[]][]) {
        await nest(client, [parent], children);
        model.add([parent], children);
      }
      const removedEdges = [
        { parent: a, child: b },
        { parent: c, child: d },
        { parent: d, child: f },
      ];
      expect(await unnest(client, [...removedEdges, { parent: f, child: a }])).toHaveLength(3);
      model.remove(removedEdges);
      expect((await closureOf(client)).sort()).toEqual(model.closure(ids).sort());
    });
  });

  test('refuses a cycle with its path', async () => {
    await inVain(pool, async (client) => {
      const [a, b, c] = (await makeGroups(client, 3)) as [number, number, number];
      await nest(client, [a], [b]);
      await nest(client, [b], [c]);
      expect(await attempt(client, () => nest(client, [c], [a]))).toContain('"n-1" → "n-2" → "n-3" → "n-1"');
      expect(await attempt(client, () => nest(client, [a], [a]))).toContain('"n-1" → "n-1"');
    });
  });

  test('allows a depth of sixteen by the longest path', async () => {
    await inVain(pool, async (client) => {
      const ids = await makeGroups(client, depthMax + 2);
      for (let depth = 0; depth < depthMax; depth++) await nest(client, [ids[depth]!], [ids[depth + 1]!]);
      const [last, extraGroup] = [ids[depthMax]!, ids[depthMax + 1]!];
      expect(await attempt(client, () => nest(client, [last], [extraGroup]))).toContain(
        'at most 16 deep; this would be 17',
      );
      expect(await attempt(client, () => nest(client, [extraGroup], [ids[0]!]))).toContain('16 deep');
      // An additional shorter path does not reduce the depth.
      await nest(client, [ids[0]!], [last]);
      expect(await attempt(client, () => nest(client, [last], [extraGroup]))).toContain('16 deep');
    });
  });
});
