import { nearest } from '@portreeve/server/kernel/values/nearest.ts';

/** `Did you mean x?`, or nothing. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}
