import { Literals } from '../database/literals.ts';
import { tableOf } from '../declare/declaration.ts';
import type { DeclaredReads } from '../declare/declared-reads.ts';
import { quoted } from '../declare/names.ts';
import type { Visibility } from './visibility.ts';

/** How somebody reads SQL of declarations. */
export interface VisibleSql {
  /** The same SQL over the rows that they see: another table with a row scope is read as a select of those. */
  of(sql: string): string;
  /** The table of a declaration as they see it; undefined: they see all of it. */
  table(name: string): string | undefined;
  /** The same text for viewers who see the same. */
  key: string;
}

/** Makes declared SQL read what somebody sees; undefined for a viewer who sees every row of every table. */
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
  // What reads every row is cut out before, and put back after.
  const around = (sql: string, kept: readonly string[]): string => {
    const [first, ...others] = kept;
    if (first === undefined) return visibleRows(sql);
    return sql
      .split(first)
      .map((part) => around(part, others))
      .join(first);
  };
  return {
    of: (sql) => around(restrictedIn(sql), reads.everyRow),
    table: (name) => tables.get(name),
    key: [...tables.values()].join('\n'),
  };
}
