import { isCollection } from '../declare/declaration.ts';
import { literal, quoted } from '../declare/names.ts';
import type { Link, Model, Table } from '../model/model.ts';
import type { Tx } from './engine.ts';

/*
 * A row whose visibility depends on its container can become invisible to a caller when it is moved or deleted. A monitor of a caller
 * with row limits reports that, so the old place is stored. For callers without limits a move is an ordinary change.
 */

const scopeOf = ({ declaration }: Table) => (isCollection(declaration) ? declaration.scopedBy : undefined);

/** The reference that decides whether a row is visible. */
export const placingField = (table: Table): string | undefined =>
  scopeOf(table)?.descendantsBy ?? scopeOf(table)?.seenWith;

const placingLink = (table: Table): Link | undefined => table.links.find(({ field }) => field === placingField(table));

/** Returns the table whose records can be selected, and an expression over `alias` for the one that contains a row. */
function placeOf(model: Model, table: Table, alias: string): { kind: string; sql: string } | undefined {
  const link = placingLink(table);
  if (!link) return undefined;
  const target = model.byName(link.to);
  const column = `${alias}.${quoted(link.column)}`;
  if (scopeOf(target)?.selected) return { kind: target.name, sql: column };
  const above = placeOf(model, target, `${alias}x`);
  return (
    above && {
      kind: above.kind,
      sql: `(select ${above.sql} from ${quoted(target.name)} ${alias}x where ${alias}x.id = ${column})`,
    }
  );
}

const insertSql = (table: Table, kind: string, rowsSql: string): string =>
  `insert into visibility_change (table_name, record_id, kind, place)
select ${literal(table.name)}, d.id, ${literal(kind)}, d.place from (${rowsSql}) d where d.place is not null`;

/** Runs before rows are deleted: stores the container of each, and the container of that, because a list may delete both. */
export async function storePlacesBeforeDelete(
  { client, engine }: Tx,
  table: Table,
  ids: readonly number[],
): Promise<void> {
  const place = placeOf(engine.model, table, 'r');
  if (!place) return;
  const directSql = `select r.id, ${place.sql} as place from ${quoted(table.name)} r where r.id = any($1::bigint[])`;
  const link = placingLink(table)!;
  const all = scopeOf(table)!.descendantsBy
    ? `with recursive up (id, place) as (${directSql} union select up.id, (select r.${quoted(link.column)} from ${quoted(table.name)} r where r.id = up.place) from up where up.place is not null)
select up.id, up.place from up`
    : directSql;
  await client.query(insertSql(table, place.kind, all), [ids]);
}

/** Runs before a row is moved: stores its container, and those of all rows below it. */
export async function storePlacesBeforeMove({ client, engine }: Tx, table: Table, id: number): Promise<void> {
  const place = placeOf(engine.model, table, 'r');
  if (!place) return;
  const place1 = `(select ${place.sql} from ${quoted(table.name)} r where r.id = $1)`;
  for (const movedRows of rowsBelow(engine.model, table, 'select $1::bigint as id'))
    await client.query(
      insertSql(movedRows.table, place.kind, `select h.id, ${place1} as place from (${movedRows.ids}) h`),
      [id],
    );
}

/** Returns the ids of these rows and of all their descendants, by table. */
function rowsBelow(model: Model, table: Table, ids: string): { table: Table; ids: string }[] {
  const { descendantsBy } = scopeOf(table)!;
  const column = quoted(placingLink(table)!.column);
  const ownIds = descendantsBy
    ? `with recursive down (id) as (${ids} union select c.id from ${quoted(table.name)} c join down on c.${column} = down.id) select down.id from down`
    : ids;
  const holders = model.tables.flatMap((dependentTable) =>
    dependentTable.links.filter(
      (link) => link.to === table.declaration.name && scopeOf(dependentTable)?.seenWith === link.field,
    ),
  );
  return [
    { table, ids: ownIds },
    ...holders.flatMap((link) =>
      rowsBelow(
        model,
        link.from,
        `select x.id from ${quoted(link.from.name)} x where x.${quoted(link.column)} in (${ownIds})`,
      ),
    ),
  ];
}
