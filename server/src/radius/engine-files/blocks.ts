/** A line, or a section with its lines. */
export type Line = string | { head: string; lines: readonly Line[] };

export const block = (head: string, lines: readonly Line[]): Line => ({ head, lines });

/** Lines as the engine reads them, a keyword each. */
export const text = (lines: readonly Line[]): string => `${writeLines(lines, '').join('\n')}\n`;

const writeLines = (lines: readonly Line[], indent: string): string[] =>
  lines.flatMap((line) =>
    typeof line === 'string'
      ? [`${indent}${line}`]
      : [`${indent}${line.head} {`, ...writeLines(line.lines, `${indent}  `), `${indent}}`],
  );

/** The engine has no way to write a backslash between its quotes. */
export const isWritable = (value: string): boolean => !/[\\\p{Cc}]/u.test(value);

/** A value that the engine reads back byte for byte: between single quotes nothing is expanded. */
export function quoted(value: string): string {
  if (!isWritable(value))
    throw new Error('A value with a backslash or a control character cannot be written for the engine.');
  return `'${value.replaceAll("'", "\\'")}'`;
}
