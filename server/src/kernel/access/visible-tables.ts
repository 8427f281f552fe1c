import { Literals } from '../database/literals.ts';
import { type Declaration, tableOf } from '../declare/declaration.ts';
import { quoted } from '../declare/names.ts';
import type { Visibility } from './visibility.ts';

/** Words of SQL that are also names of tables; every other name stands bare. */
const reserved: ReadonlySet<string> = new Set(['group', 'user']);

const nameOf = (declaration: { name: string }): string => {
  const name = tableOf(declaration);
  return reserved.has(name) ? quoted(name) : name;
};

/** How SQL of a group names a table of which somebody may see only some rows. Limits are written out as text, so no parameter is used. */
export interface VisibleTables {
  /** The table as far as the caller sees it, for `from` and `join`; an alias has to follow. */
  visible(of: Declaration): string;
  /** The same behind another condition, over the row `r`, where a statement writes or locks; nothing for a caller who sees every row. */
  visibleRow(of: Declaration): string;
}

export const visibleTables = (visibility: Visibility): VisibleTables => {
  const condition = (of: Declaration) => visibility.condition(of, new Literals());
  return {
    visible: (of) => {
      const isVisible = condition(of);
      return isVisible ? `(select r.* from ${nameOf(of)} r where ${isVisible})` : nameOf(of);
    },
    visibleRow: (of) => {
      const isVisible = condition(of);
      return isVisible ? ` and ${isVisible}` : '';
    },
  };
};

/** The whole table, whoever the caller is; the reason says why nothing hidden gets out by it. */
export const everyRow = (of: Pick<Declaration, 'name'>, _reason: string): string => nameOf(of);
