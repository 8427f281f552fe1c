import { quoted } from '../declare/names.ts';
import type { DeclaredSchema } from './declared.ts';
import type { TableFacts } from './introspect.ts';

/** Returns statements that migrate a database to the declared schema, as a draft for review. Each drop is explicit. */
export function difference(
  actual: ReadonlyMap<string, TableFacts>,
  desired: ReadonlyMap<string, TableFacts>,
  declared: DeclaredSchema,
): string[] {
  const missing = [...desired.keys()].filter((name) => !actual.has(name));
  return [
    ...missing.flatMap((name) => declared.tables.get(name) ?? []),
    ...missing.flatMap((name) => declared.foreignKeys.get(name) ?? []),
    ...[...desired].flatMap(([name, facts]) =>
      actual.has(name) ? tableDifference(name, actual.get(name)!, facts) : [],
    ),
  ];
}

function tableDifference(name: string, present: TableFacts, desired: TableFacts): string[] {
  const table = quoted(name);
  const statements: string[] = [];
  if (present.partitioned !== desired.partitioned)
    statements.push(
      `-- ${name}: partitioned by ${present.partitioned || 'nothing'}, wanted ${desired.partitioned || 'nothing'}`,
    );
  for (const [constraint, definition] of present.constraints) {
    if (desired.constraints.get(constraint) !== definition)
      statements.push(`alter table ${table} drop constraint ${constraint};`);
  }
  for (const [index, definition] of present.indexes) {
    if (desired.indexes.get(index) !== definition) statements.push(`drop index ${index};`);
  }
  for (const [trigger, definition] of present.triggers) {
    if (desired.triggers.get(trigger) !== definition) statements.push(`drop trigger ${trigger} on ${table};`);
  }
  for (const [column, definition] of desired.columns) {
    const current = present.columns.get(column);
    if (current === undefined) statements.push(`alter table ${table} add column ${quoted(column)} ${definition};`);
    else if (current !== definition)
      statements.push(
        `-- ${name}.${column} is ${current}\nalter table ${table} alter column ${quoted(column)} type ${definition};`,
      );
  }
  for (const column of present.columns.keys()) {
    if (!desired.columns.has(column)) statements.push(`alter table ${table} drop column ${quoted(column)};`);
  }
  for (const [constraint, definition] of desired.constraints) {
    if (present.constraints.get(constraint) !== definition)
      statements.push(`alter table ${table} add constraint ${constraint} ${definition};`);
  }
  for (const [index, definition] of desired.indexes) {
    if (present.indexes.get(index) !== definition) statements.push(statement(definition));
  }
  for (const [trigger, definition] of desired.triggers) {
    if (present.triggers.get(trigger) !== definition) statements.push(statement(definition));
  }
  return statements;
}

/** PostgreSQL qualifies names with the schema, which migrations leave out. */
const statement = (definition: string): string => `${definition.replaceAll('public.', '')};`;
