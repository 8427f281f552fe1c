import { type Declaration, isLog, tableOf } from '../declare/declaration.ts';
import { quoted, snakeCase } from '../declare/names.ts';
import { columnsOf } from './model.ts';

/** The two relations with the rows of a log: those that have ended, and those that have not. */
export interface OpenRows {
  /** `from` clauses with the alias `r`. */
  closed: string;
  open: string;
  /** The columns that both have, of the row `r`. */
  columns: string;
  /** The end time of the row `r`; null: it is open. */
  end: string;
}

/** Returns the relations of a log with open rows; undefined for all other resources. */
export function openRowsOf(declaration: Declaration): OpenRows | undefined {
  if (!isLog(declaration) || !declaration.openRows) return undefined;
  return {
    closed: `${quoted(tableOf(declaration))} r`,
    open: `${quoted(declaration.openRows)} r`,
    columns: columnNames(declaration)
      .map((name) => `r.${quoted(name)}`)
      .join(', '),
    end: `r.${quoted(snakeCase(declaration.closedBy!))}`,
  };
}

/** Returns the relation with all rows of a resource; it must be followed by an alias. */
export function rowsOf(declaration: Declaration): string {
  const openRows = openRowsOf(declaration);
  if (!openRows) return quoted(tableOf(declaration));
  const { columns, closed, open } = openRows;
  return `(select ${columns} from ${closed} union all select ${columns} from ${open})`;
}

function columnNames({ fields }: Declaration): string[] {
  const stored = Object.entries(fields).flatMap(([name, field]) => columnsOf(name, field).map((column) => column.name));
  return ['id', 'at', 'txid', ...('landscape' in fields ? ['landscape'] : []), ...stored];
}
