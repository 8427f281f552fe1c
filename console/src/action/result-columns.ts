type Row = Readonly<Record<string, unknown>>;

const columnsMax = 8;

/** Returns the fields that fit into a table cell, in the order of their first occurrence. */
export function columnsOf(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const plain = names.filter((name) => rows.every((row) => isPlain(row[name])));
  return (plain.length > 0 ? plain : names).slice(0, columnsMax);
}

const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Array.isArray(value) && value.every((item) => typeof item !== 'object'));
