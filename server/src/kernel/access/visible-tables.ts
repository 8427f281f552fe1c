import { Literals } from '../database/literals.ts';
import { type Declaration, tableOf } from '../declare/declaration.ts';
import { quoted } from '../declare/names.ts';
import { openRowsOf, rowsOf } from '../model/open-rows.ts';
import type { Visibility } from './visibility.ts';

/** Table names that are also SQL keywords; only these are quoted. */
const reserved: ReadonlySet<string> = new Set(['group', 'user']);

const nameOf = (declaration: { name: string }): string => {
  const name = tableOf(declaration);
  return reserved.has(name) ? quoted(name) : name;
};

/**
 * Tables in SQL of resources, limited to the rows that the caller sees. Limits are written as literals, so they use no
 * parameter.
 */
export interface VisibleTables {
  /** Returns the visible rows of a table, for `from` and `join`; it must be followed by an alias. */
  visible(declaration: Declaration): string;
  /**
   * Returns a condition over the row `r` to append to another one, for statements that write or lock; empty if every
   * row is visible.
   */
  visibleRow(declaration: Declaration): string;
}

export const visibleTables = (visibility: Visibility): VisibleTables => {
  const condition = (declaration: Declaration) => visibility.condition(declaration, new Literals());
  return {
    visible: (declaration) => {
      const isVisible = condition(declaration);
      const rows = openRowsOf(declaration) ? rowsOf(declaration) : nameOf(declaration);
      return isVisible ? `(select r.* from ${rows} r where ${isVisible})` : rows;
    },
    visibleRow: (declaration) => {
      const isVisible = condition(declaration);
      return isVisible ? ` and ${isVisible}` : '';
    },
  };
};

/** Returns the complete table, for any caller; the reason documents why this reveals nothing hidden. */
export const everyRow = (declaration: Pick<Declaration, 'name'>, _reason: string): string => nameOf(declaration);
