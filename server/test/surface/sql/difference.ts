import { diff } from 'node:util';

const context = 3;

/** The lines that differ between what is checked in and what was found, under the heading of their section; empty: none. */
export function difference(stands: string, found: string): string {
  const lines = diff(stands.split('\n'), found.split('\n')).map(([side, text]) => ({
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

/** What to do about files that differ. */
export const advice = (differing: string): string =>
  `What operations ask of PostgreSQL is not what server/sql has. If the change is intended, run \`npm run generate\` and commit the files.\n\n${differing}\n`;
