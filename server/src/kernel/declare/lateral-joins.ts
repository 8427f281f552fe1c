/** Selects over a row `r` that return at most one row, by name. */
export type LateralJoins = Readonly<Record<string, string>>;

/** Returns the join clauses for `r`: all of them, or the named ones. */
export const joinSql = (joins: LateralJoins, names: readonly string[] = Object.keys(joins)): string =>
  names.map((name) => `\nleft join lateral (${joins[name]}) ${name} on true`).join('');

/** Returns an expression over the joins of `r` as a subquery: PostgreSQL removes joins that the expression does not need. */
export const asSubquery = (expression: string, joins: LateralJoins, names: readonly string[]): string =>
  `(select ${expression} from (select) one${joinSql(joins, names)})`;
