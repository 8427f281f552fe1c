/** Selects over a row `r` that answer one row or none, by name. */
export type Beside = Readonly<Record<string, string>>;

/** Joins what lies beside `r`: all of it, or what is named. */
export const besideJoins = (beside: Beside, names: readonly string[] = Object.keys(beside)): string =>
  names.map((name) => `\nleft join lateral (${beside[name]}) ${name} on true`).join('');

/** An expression over what lies beside `r`, where nothing is joined: PostgreSQL leaves out what the expression does not need. */
export const aloneSql = (expression: string, beside: Beside, names: readonly string[]): string =>
  `(select ${expression} from (select) one${besideJoins(beside, names)})`;
