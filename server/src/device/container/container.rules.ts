import { type Context, everyRow, rules } from '../../context.ts';
import { invalid, protectedRecord, rejected } from '../../kernel/failure.ts';
import { container, containerMask } from './container.ts';

const everyContainer = everyRow(container, 'depth, cycles and the name that children show are those of the whole tree');

const depthMax = 8;

/** Returns the name of the root container; undefined if the caller cannot see it. */
const rootName = async ({ db }: Context): Promise<string | undefined> => {
  const root = await db.selectFrom('container').select('name').where('parent_id', 'is', null).executeTakeFirst();
  return root?.name;
};

export const containerRules = rules(container, {
  async beforeSave({ id, before, after, sent: sentFields }, context) {
    const isRoot = before !== undefined && before.parent === '';
    if (isRoot && after.parent !== '') throw rejected('parent: the root of the topology has no parent.', '/parent');
    if (!isRoot && after.parent === '') {
      const root = await rootName(context);
      if (sentFields.parent === '' || root === undefined)
        throw rejected(
          `parent: only the root has no parent; set it to a container${root ? `, such as ${root}` : ' visible to you'}.`,
          '/parent',
        );
      after.parent = root;
    }
    refuseRepeatedAttributes(after.attribute as { name: string }[]);
    if (after.parent !== before?.parent && after.parent !== '')
      await refuseMisplaced(context, id, String(after.parent));
  },

  /** Children show the name of their parent, so they count as changed too. */
  async afterSave({ id, before, after }, { tx }) {
    if (!before || before.name === after.name) return;
    await tx.client.query(`update ${everyContainer} set last_change_mask = $2 where parent_id = $1`, [
      id,
      containerMask.parent,
    ]);
  },

  beforeDelete(record) {
    if (record.parent === '') throw protectedRecord('The root of the topology cannot be deleted.');
  },
});

function refuseRepeatedAttributes(attributes: readonly { name: string }[]): void {
  const names = attributes.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw invalid([{ pointer: '/attribute', message: `attribute: ${repeated} is given twice.` }]);
}

/**
 * Refuses cycles and a depth of more than eight, including all descendants. The lock serialises moves, so that two of
 * them cannot form a cycle together.
 */
async function refuseMisplaced({ tx }: Context, id: number, parent: string): Promise<void> {
  await tx.client.query(`select pg_advisory_xact_lock(hashtext('container-tree'))`);
  const { rows } = await tx.client.query<{ above: number; below: number; cycle: boolean }>(
    `with recursive up (id, parent_id, depth) as (
       select c.id, c.parent_id, 1 from ${everyContainer} c where lower(c.name) = lower($2)
       union all
       select c.id, c.parent_id, up.depth + 1 from ${everyContainer} c join up on c.id = up.parent_id where up.depth < 100
     ), down (id, depth) as (
       select $1::bigint, 1
       union all
       select c.id, down.depth + 1 from ${everyContainer} c join down on c.parent_id = down.id where down.depth < 100
     )
     select coalesce((select max(up.depth) from up), 0) as above, (select max(down.depth) from down) as below,
       exists (select from up where up.id = $1) as cycle`,
    [id, parent],
  );
  const { above, below, cycle } = rows[0]!;
  if (cycle) throw rejected(`parent: ${parent} is inside this container.`, '/parent');
  if (above + below > depthMax)
    throw rejected(`parent: containers nest at most ${depthMax} deep; this would be ${above + below}.`, '/parent');
}
