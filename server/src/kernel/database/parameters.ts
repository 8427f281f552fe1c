/** Collects parameters while SQL is written: values from callers never become part of the statement's text. */
export class Parameters {
  readonly values: unknown[];
  /** True if a condition reads joined rows, so that evaluating it is most of the work. */
  usesJoins = false;
  /** The largest number of values that a row of each table is compared with. */
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
