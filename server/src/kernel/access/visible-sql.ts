import { Literals } from '../database/literals.ts';
import { tableOf } from '../declare/declaration.ts';
import type { DeclaredReads } from '../declare/declared-reads.ts';
import { quoted } from '../declare/names.ts';
import type { Visibility } from './visibility.ts';

/** Limits SQL of declarations to what a viewer sees. */
export interface VisibleSql {
  /** Returns the SQL with each table that has hidden rows replaced by a select of its visible rows. */
  restrict(sql: string): string;
  /** Returns the select of the visible rows of a table; undefined if all of them are visible. */
  table(name: string): string | undefined;
  /** The same text for viewers who see the same rows. */
  key: string;
}

/** Returns how to limit declared SQL to what a viewer sees; undefined if the viewer sees every row of every table. */
export function visibleSql(reads: DeclaredReads, visibility: Visibility): VisibleSql | undefined {
  const tables = new Map<string, string>();
  for (const declaration of reads.scoped) {
    const condition = visibility.condition(declaration, new Literals());
    const table = tableOf(declaration);
    if (condition) tables.set(table, `(select r.* from ${quoted(table)} r where ${condition})`);
  }
  if (tables.size === 0) return undefined;
  const names = new RegExp(`\\b(from|join) "?(${[...tables.keys()].join('|')})"?(?= \\w)`, 'g');
  const visibleRows = (sql: string) =>
    sql.replace(names, (_, word: string, table: string) => `${word} ${tables.get(table)}`);
  const restrictedIn = (text: string): string =>
    reads.restrictedSql.reduce((changed, { sql, restricted }) => changed.replaceAll(sql, () => restricted), text);
  // SQL that reads every row on purpose is not changed: only the text around it is.
  const restrictAround = (sql: string, everyRowSql: readonly string[]): string => {
    const [first, ...remainingSql] = everyRowSql;
    if (first === undefined) return visibleRows(sql);
    return sql
      .split(first)
      .map((part) => restrictAround(part, remainingSql))
      .join(first);
  };
  return {
    restrict: (sql) => restrictAround(restrictedIn(sql), reads.everyRow),
    table: (name) => tables.get(name),
    key: [...tables.values()].join('\n'),
  };
}
