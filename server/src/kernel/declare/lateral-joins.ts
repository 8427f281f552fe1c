/** Selects over a row `r` that answer one row or none, by name. */
export type LateralJoins = Readonly<Record<string, string>>;

/** Join clauses for `r`: all of them, or those named. */
export const joinSql = (joins: LateralJoins, names: readonly string[] = Object.keys(joins)): string =>
  names.map((name) => `\nleft join lateral (${joins[name]}) ${name} on true`).join('');

/** An expression over the joins of `r` as a subquery: PostgreSQL removes joins that the expression does not need. */
export const asSubquery = (expression: string, joins: LateralJoins, names: readonly string[]): string =>
  `(select ${expression} from (select) one${joinSql(joins, names)})`;
