import { UsageError } from './usage-error.ts';

interface ExitCode {
  code: number;
  /** The status words of the contract that map to it. */
  words: readonly string[];
  doc: string;
}

/** Exit codes for scripts. */
export const exitCodes: readonly ExitCode[] = [
  { code: 0, words: ['success'], doc: 'done' },
  {
    code: 1,
    words: ['error'],
    doc: 'an error of the service or of this program; a failed task; a problem found by doctor; find without a match',
  },
  { code: 2, words: ['invalid', 'unsupported', 'too-large'], doc: 'the command or the record is not valid' },
  { code: 3, words: ['unauthenticated'], doc: 'no token, or an expired or revoked one' },
  { code: 4, words: ['forbidden'], doc: 'a permission is missing; the message names it' },
  { code: 5, words: ['not-found'], doc: 'the record does not exist' },
  { code: 6, words: ['in-use', 'duplicate', 'protected', 'stale'], doc: 'conflict with existing data' },
  { code: 7, words: ['rejected', 'too-expensive'], doc: 'valid, but rejected by a rule or a limit' },
  {
    code: 8,
    words: ['remote-failed', 'remote-timeout'],
    doc: 'another system rejected the request or did not respond',
  },
  { code: 9, words: ['throttled', 'unavailable', 'unreachable'], doc: 'not available now; try again later' },
  { code: 10, words: ['gone'], doc: 'the position of a monitor has expired' },
];

const byWord: ReadonlyMap<string, number> = new Map(
  exitCodes.flatMap(({ code, words }) => words.map((word) => [word, code] as const)),
);

export const exitCodeOfWord = (word: string): number => byWord.get(word) ?? 1;

/** Returns the status word of an error of the service, the SDK or this program. */
function wordOf(error: unknown): string {
  if (error instanceof UsageError) return 'invalid';
  const word = (error as { word?: unknown } | undefined)?.word;
  return typeof word === 'string' ? word : 'error';
}

export const exitCodeOf = (error: unknown): number => exitCodeOfWord(wordOf(error));
