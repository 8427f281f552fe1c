import { diff } from 'node:util';

const context = 3;

/**
 * Returns the lines that differ between the checked-in text and the actual one, under the heading of their section;
 * empty if none differ.
 */
export function difference(stands: string, actual: string): string {
  const lines = diff(stands.split('\n'), actual.split('\n')).map(([side, text]) => ({
    text,
    sign: side === 0 ? ' ' : side > 0 ? '-' : '+',
  }));
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' '),
  );
  const shown: string[] = [];
  let heading = '';
  for (const [index, { sign, text }] of lines.entries()) {
    if (isNear[index] && !isNear[index - 1] && heading) shown.push(`@@ ${heading}`);
    if (isNear[index]) shown.push(sign + text);
    if (text.startsWith('== ')) heading = text;
  }
  return shown.join('\n');
}

/** Returns the message about files that differ. */
export const advice = (differing: string): string =>
  `The SQL of the operations differs from server/sql. If the change is intended, run \`npm run generate -- --only sql\` and commit the files.\n\n${differing}\n`;
