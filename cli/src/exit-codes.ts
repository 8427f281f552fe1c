import { UsageError } from './usage-error.ts';

interface ExitCode {
  code: number;
  /** The status words of the contract that map to it. */
  words: readonly string[];
  doc: string;
}

/** Exit codes, for scripts. */
export const exitCodes: readonly ExitCode[] = [
  { code: 0, words: ['success'], doc: 'done' },
  {
    code: 1,
    words: ['error'],
    doc: 'a fault of the service or of this program; a failed job; a problem found by doctor; find without a match',
  },
  { code: 2, words: ['invalid', 'unsupported', 'too-large'], doc: 'the command or the record is not valid' },
  { code: 3, words: ['unauthenticated'], doc: 'no token, or one that is expired or revoked' },
  { code: 4, words: ['forbidden'], doc: 'a right is missing; the message names it' },
  { code: 5, words: ['not-found'], doc: 'there is no such record' },
  { code: 6, words: ['in-use', 'duplicate', 'protected', 'stale'], doc: 'conflict with existing data' },
  { code: 7, words: ['rejected', 'too-expensive'], doc: 'well-formed, but refused by a rule or a limit' },
  { code: 8, words: ['remote-failed', 'remote-timeout'], doc: 'another system refused or did not respond' },
  { code: 9, words: ['throttled', 'unavailable', 'unreachable'], doc: 'not available now; try again later' },
  { code: 10, words: ['gone'], doc: 'the position of a monitor has expired' },
];

const byWord: ReadonlyMap<string, number> = new Map(
  exitCodes.flatMap(({ code, words }) => words.map((word) => [word, code] as const)),
);

export const exitCodeOfWord = (word: string): number => byWord.get(word) ?? 1;

/** The status word of an error of the service, of the SDK, or of this program. */
function wordOf(error: unknown): string {
  if (error instanceof UsageError) return 'invalid';
  const word = (error as { word?: unknown } | undefined)?.word;
  return typeof word === 'string' ? word : 'error';
}

export const exitCodeOf = (error: unknown): number => exitCodeOfWord(wordOf(error));
