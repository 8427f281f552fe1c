/** A line of a configuration file, or a section with its lines. */
export type Line = string | { head: string; lines: readonly Line[] };

export const block = (head: string, lines: readonly Line[]): Line => ({ head, lines });

/** Writes lines and sections in the format of the engine. */
export const text = (lines: readonly Line[]): string => `${writeLines(lines, '').join('\n')}\n`;

const writeLines = (lines: readonly Line[], indent: string): string[] =>
  lines.flatMap((line) =>
    typeof line === 'string'
      ? [`${indent}${line}`]
      : [`${indent}${line.head} {`, ...writeLines(line.lines, `${indent}  `), `${indent}}`],
  );

/** True if a value can be quoted: the engine's quotes cannot contain a backslash or control character. */
export const isWritable = (value: string): boolean => !/[\\\p{Cc}]/u.test(value);

/** Quotes a value so that the engine reads it unchanged: nothing is expanded between single quotes. */
export function quoted(value: string): string {
  if (!isWritable(value))
    throw new Error('A value with a backslash or a control character cannot be written for the engine.');
  return `'${value.replaceAll("'", "\\'")}'`;
}
