import type { Declaration } from './declaration.ts';

/** What SQL of declarations may read in addition to the row `r`. */
export interface DeclaredReads {
  /** Declarations with a row scope. */
  scoped: readonly Declaration[];
  /** SQL that is another for somebody who does not see every row. */
  restrictedSql: readonly { sql: string; restricted: string }[];
  /** SQL that reads every row, whoever the viewer is. */
  everyRow: readonly string[];
}
