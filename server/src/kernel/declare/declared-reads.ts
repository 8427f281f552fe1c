import type { Declaration } from './declaration.ts';

/** The tables that SQL of declarations may read in addition to the row `r`. */
export interface DeclaredReads {
  /** Declarations with a row scope. */
  scoped: readonly Declaration[];
  /** SQL that differs for a caller with row limits. */
  restrictedSql: readonly { sql: string; restricted: string }[];
  /** SQL that reads every row for every caller. */
  everyRow: readonly string[];
}
