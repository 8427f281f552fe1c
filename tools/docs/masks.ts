import { stripVTControlCharacters } from 'node:util';

/** Values that differ from run to run, and their replacement when outputs are compared. */
export const masks: readonly { what: string; pattern: RegExp; by: string }[] = [
  { what: 'tokens and session keys', pattern: /\b(pr[ts])_[\w-]+/g, by: '$1_…' },
  { what: 'identifiers of requests', pattern: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, by: 'UUID' },
  { what: 'times', pattern: /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, by: 'TIME' },
  { what: 'days', pattern: /\b\d{4}-\d\d-\d\d\b/g, by: 'DAY' },
  { what: 'durations', pattern: /\b\d+(?:\.\d+)? (?:ms|s)\b/g, by: 'DURATION' },
  { what: 'numbers of records in JSON', pattern: /"(id|\w*ID|dbid|landscape)":\d+/g, by: '"$1":ID' },
  { what: 'numbers of records in paths', pattern: /(\/api\/v2\/[\w/-]+\/|\/auth\/\w+\/)\d+/g, by: '$1ID' },
  {
    what: 'numbers of records in tables of one record',
    pattern: /\b(id|\w+ID|dbid|landscape):( +)\d+/g,
    by: '$1:$2ID',
  },
  {
    what: 'numbers of records and tasks in sentences',
    pattern: /\b((?:Created|Deleted) [\w -]+|Task|task) \d+/g,
    by: '$1 ID',
  },
  { what: 'positions and generations', pattern: /\b(position|generation) \d+/g, by: '$1 N' },
  { what: 'ports of loopback addresses', pattern: /\b(127(?:\.\d+){3}):\d+/g, by: '$1:PORT' },
  { what: 'packets of RADIUS', pattern: /\bId \d+ from/g, by: 'Id N from' },
  {
    what: 'who called: the demonstration is demo, npm run dev is developer',
    pattern: /\b(?:developer|demo)\b/g,
    by: 'USER',
  },
  { what: 'spaces between columns', pattern: /[ \t]+/g, by: ' ' },
];

const maskLine = (line: string): string =>
  masks.reduce((text, { pattern, by }) => text.replaceAll(pattern, by), line).trim();

/** Returns the final content of a terminal: neither colours, nor text that a progress bar has overwritten. */
export const shown = (output: string): string[] =>
  stripVTControlCharacters(output.replaceAll('\r\n', '\n'))
    .split('\n')
    .map((line) => line.replace(/\r+$/, ''))
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd());

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns a pattern for one line of a page: `…` is any text, and in a line of its own any number of lines. */
const patternOf = (line: string): string =>
  line.trim() === '…' ? '(?:[^\\n]*\\n)*?' : `${maskLine(line).split('…').map(escaped).join('[^\\n]*')}\\n`;

/** True if a command printed the output in the page. */
export function matches(expected: readonly string[], printed: readonly string[]): boolean {
  const text = printed
    .map(maskLine)
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');
  const patterns = expected.filter((line) => line.trim() !== '').map(patternOf);
  return new RegExp(`^${patterns.join('')}$`).test(text);
}
