/** Collects parameters while SQL is written: callers' values never become text of a statement. */
export class Parameters {
  readonly values: unknown[];
  /** Whether a condition reads joined rows, so that evaluating it is most of the work. */
  usesJoins = false;
  constructor(values: unknown[] = []) {
    this.values = values;
  }
  add(value: unknown, cast = ''): string {
    return `$${this.values.push(value)}${cast}`;
  }
}
