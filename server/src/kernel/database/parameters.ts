/** Collects parameters while SQL is written: callers' values never become text of a statement. */
export class Parameters {
  readonly values: unknown[];
  /** Whether a condition reads joined rows, so that evaluating it is most of the work. */
  usesJoins = false;
  /** How many values a row of each table is compared with at most. */
  readonly comparisons = new Map<string, number>();
  constructor(values: unknown[] = []) {
    this.values = values;
  }
  compares(table: string, values: number): void {
    this.comparisons.set(table, (this.comparisons.get(table) ?? 0) + values);
  }
  add(value: unknown, cast = ''): string {
    return `$${this.values.push(value)}${cast}`;
  }
}
