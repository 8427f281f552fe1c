import pg from 'pg';
import { type Collection, isLog, isRanked, isSingle } from '../../../src/kernel/declare/declaration.ts';
import { quoted, snakeCase } from '../../../src/kernel/declare/names.ts';
import { type Model, type Table, uniqueKeys } from '../../../src/kernel/model/model.ts';
import type { TestDatabase } from '../../world/databases.ts';

/** How many rows each collection and log gets: enough that a scan is visible, and that an index lookup is cheaper. */
export const rowsEach = 1_000;
/** How many different records the references of the copies point to. */
const referredEach = 50;

/**
 * Copies the newest row of each table until it has many rows, with triggers, so totals and feed are right. Keys and
 * searched columns differ from copy to copy.
 */
export async function fillTables(database: TestDatabase, model: Model): Promise<void> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    for (const table of inOrderOfReference(model)) if (!isSingle(table.declaration)) await copyRows(client, table);
    for (const statement of joins) await client.query(statement);
    await client.query(withoutAutovacuum);
    // ANALYZE samples tables of more than 30,000 rows, and a sample differs from run to run.
    await client.query(`delete from change_feed where seq <= (select max(f.seq) - ${rowsEach} from change_feed f)`);
  } finally {
    await client.end();
  }
}

async function copyRows(client: pg.Client, table: Table): Promise<void> {
  const name = quoted(table.name);
  // Stays below the maximum number of records, so that the walk can create more.
  const rows = Math.min(rowsEach, ((table.declaration as Collection).recordsMax ?? Number.POSITIVE_INFINITY) * 0.9);
  if (isRanked(table.declaration)) await client.query(`update ${name} set rank = rank + ${rows}`);
  // Some records have the identity of a record of another table, and so did not use the sequence of their own.
  if (!isLog(table.declaration))
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), max(id)) from ${name} having max(id) > 0`, [
      name,
    ]);
  const columns = table.columns.map((column) => quoted(column.name));
  const values = table.columns.map((column) => copied(table, column));
  await client.query(
    `insert into ${name} (${columns.join(', ')})
     select ${values.join(', ')}
     from (select * from ${name} order by id desc limit 1) r, generate_series(1, ${rows}) i`,
  );
  // References are copied for as many ids as all other tables have.
  if (rows < rowsEach)
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), max(id) + ${rowsEach - rows}) from ${name}`, [
      name,
    ]);
}

/**
 * Orders tables so that referrers come after the tables that they refer to. A table that refers to itself is no
 * referrer.
 */
function inOrderOfReference(model: Model): Table[] {
  const ordered = new Set<Table>();
  const place = (table: Table, referrers: readonly Table[]) => {
    if (ordered.has(table) || referrers.includes(table)) return;
    for (const { to: target } of table.links) place(model.byName(target), [...referrers, table]);
    ordered.add(table);
  };
  for (const table of model.tables) place(table, []);
  return [...ordered];
}

/** Returns SQL for one of the newest records of a table, by the number of the copy. */
const oneOf = (table: string, place = `i % ${referredEach}`): string =>
  `(select o.id from ${quoted(table)} o order by o.id desc limit 1 offset ${place})`;

/** How the copy number `i` differs from its original, by the type of the column; columns of other types do not. */
const differing: Readonly<Record<string, (value: string) => string>> = {
  text: (value) => `${value} || '-' || i`,
  integer: (value) => `${value} + i`,
  bigint: (value) => `${value} + i`,
  inet: (value) => `${value} + i`,
  'timestamptz(3)': (value) => `${value} + i * interval '1 second'`,
};

/** Returns SQL for the value of a column in the copy number `i` of the row `r`. */
function copied(table: Table, { name, type, known: isLoaded }: Table['columns'][number]): string {
  const value = `r.${quoted(name)}`;
  const link = table.links.find(({ column }) => column === name);
  if (link && link.toTable !== table.name) {
    const isOwn = table.fields.get(link.field)!.unique;
    return `case when ${value} is not null then ${isOwn ? oneOf(link.toTable, 'i - 1') : oneOf(link.toTable)} end`;
  }
  if (name === 'rank') return 'i';
  return !isLoaded && distinctColumns(table).has(name) && differing[type] ? differing[type](value) : value;
}

/** Returns the columns that identify rows, or that filters use. */
function distinctColumns({ declaration, fields }: Table): ReadonlySet<string> {
  const searched = [...fields].filter(([, field]) => field.index || field.search).map(([name]) => name);
  // A code with few valid values keeps its value in a copy.
  const isCode = (name: string) => {
    const shape = fields.get(name)?.shape;
    return shape?.kind === 'integer' && shape.max < rowsEach;
  };
  const keys = isLog(declaration)
    ? declaration.indexes.flat()
    : [...uniqueKeys(declaration), declaration.exactKey ?? []].flat();
  const all = [declaration.label, ...searched, ...keys];
  return new Set(all.filter((name) => name !== 'landscape' && !isCode(name)).map(snakeCase));
}

/** The planner's statistics must not change during a walk. */
const withoutAutovacuum = `do $$
declare
  name regclass;
begin
  for name in select c.oid from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace loop
    execute format('alter table %s set (autovacuum_enabled = off)', name);
  end loop;
end $$`;

const copies = `generate_series(1, ${rowsEach}) i`;

/** Statements that copy the rows of tables that no resource declares. */
const joins = [
  `insert into reference (from_table, from_id, field, to_table, to_id)
   select x.from_table, x.from_id + i, x.field, x.to_table, x.to_id
   from (select distinct on (from_table, field, to_table) * from reference
     order by from_table, field, to_table, from_id desc, to_id) x, ${copies}`,
  `insert into latest_event (element_type, element_id, name, event)
   select e.element_type, e.element_id + i, e.name, e.event
   from (select * from latest_event order by element_id desc, element_type, name limit 1) e, ${copies}`,
  `insert into monitor (table_name, credential, filter, acknowledged)
   select 'container', 'somebody-' || i % ${referredEach}, '{}', '' from ${copies}`,
  `insert into idempotency_key (owner, key, request_hash, expires_at)
   select (i % ${referredEach})::text, 'key-' || i, '', now() + interval '1 day' from ${copies}`,
  `insert into api_token (public_id, hash, account_id, name, expires_at)
   select 'token-' || i, '', ${oneOf('user_account')}, 'copy', now() + interval '1 day' from ${copies}`,
  `insert into login_session (public_id, hash, account_id, expires_at)
   select 'session-' || i, '', ${oneOf('user_account')}, now() + interval '1 day' from ${copies}`,
  `insert into login_failure (user_id, address, at)
   select 'somebody-' || i, '198.51.100.0'::inet + i % 250, now() - interval '1 hour' from ${copies}`,
  `insert into password (account_id, hash)
   select a.id, '' from user_account a order by a.id desc limit ${rowsEach}`,
  `insert into login_network (account_id, network)
   select a.id, '192.0.2.0/24' from user_account a order by a.id desc limit ${rowsEach}`,
  `insert into network_login_attempt (account_id, mac)
   select ${oneOf('user_account')}, '02:00:00:00:' || i from ${copies}`,
  `insert into network_login_device (account_id, mac)
   select ${oneOf('user_account')}, '02:00:00:00:' || i from ${copies}`,
  `insert into network_login_lock (name, until)
   select 'pair ' || i || ' 02:00:00:00:00:01', now() + interval '1 hour' from ${copies}`,
];
