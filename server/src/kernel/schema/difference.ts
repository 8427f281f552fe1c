import { quoted } from '../declare/names.ts';
import type { DeclaredSchema } from './declared.ts';
import type { TableFacts } from './introspect.ts';

/** Statements that migrate a database to the declared schema, as a draft for review. Each drop is explicit. */
export function difference(
  actual: ReadonlyMap<string, TableFacts>,
  wanted: ReadonlyMap<string, TableFacts>,
  declared: DeclaredSchema,
): string[] {
  const missing = [...wanted.keys()].filter((name) => !actual.has(name));
  return [
    ...missing.flatMap((name) => declared.tables.get(name) ?? []),
    ...missing.flatMap((name) => declared.foreignKeys.get(name) ?? []),
    ...[...wanted].flatMap(([name, facts]) =>
      actual.has(name) ? tableDifference(name, actual.get(name)!, facts) : [],
    ),
  ];
}

function tableDifference(name: string, present: TableFacts, wanted: TableFacts): string[] {
  const table = quoted(name);
  const statements: string[] = [];
  if (present.partitioned !== wanted.partitioned)
    statements.push(
      `-- ${name}: partitioned by ${present.partitioned || 'nothing'}, wanted ${wanted.partitioned || 'nothing'}`,
    );
  for (const [constraint, definition] of present.constraints) {
    if (wanted.constraints.get(constraint) !== definition)
      statements.push(`alter table ${table} drop constraint ${constraint};`);
  }
  for (const [index, definition] of present.indexes) {
    if (wanted.indexes.get(index) !== definition) statements.push(`drop index ${index};`);
  }
  for (const [trigger, definition] of present.triggers) {
    if (wanted.triggers.get(trigger) !== definition) statements.push(`drop trigger ${trigger} on ${table};`);
  }
  for (const [column, definition] of wanted.columns) {
    const current = present.columns.get(column);
    if (current === undefined) statements.push(`alter table ${table} add column ${quoted(column)} ${definition};`);
    else if (current !== definition)
      statements.push(
        `-- ${name}.${column} is ${current}\nalter table ${table} alter column ${quoted(column)} type ${definition};`,
      );
  }
  for (const column of present.columns.keys()) {
    if (!wanted.columns.has(column)) statements.push(`alter table ${table} drop column ${quoted(column)};`);
  }
  for (const [constraint, definition] of wanted.constraints) {
    if (present.constraints.get(constraint) !== definition)
      statements.push(`alter table ${table} add constraint ${constraint} ${definition};`);
  }
  for (const [index, definition] of wanted.indexes) {
    if (present.indexes.get(index) !== definition) statements.push(statement(definition));
  }
  for (const [trigger, definition] of wanted.triggers) {
    if (present.triggers.get(trigger) !== definition) statements.push(statement(definition));
  }
  return statements;
}

/** PostgreSQL qualifies names with the schema, which migrations leave out. */
const statement = (definition: string): string => `${definition.replaceAll('public.', '')};`;
