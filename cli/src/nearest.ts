import { nearest } from '@portreeve/server/kernel/values/nearest.ts';

/** Returns `Did you mean x?`, or an empty text. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  // A single letter is similar to every short word.
  const closest = word.length > 1 ? nearest(word, candidates) : undefined;
  return closest === undefined ? '' : ` Did you mean ${closest}?`;
}

/** Minimum length of a synonym for a suggestion; shorter ones are similar to too many words. */
const otherNameMin = 4;

/** Returns the suggestion for a word that may also be a mistyped synonym: `status` for `whoami`. */
export function suggestionByName(
  word: string,
  candidates: readonly string[],
  otherNames: ReadonlyMap<string, string>,
): string {
  const typed = word.toLowerCase();
  const synonyms = [...otherNames.keys()].filter((name) => name === typed || name.length >= otherNameMin);
  const closest = nearest(typed, [...candidates, ...synonyms]);
  if (closest === undefined) return '';
  return ` Did you mean ${candidates.includes(closest) ? closest : otherNames.get(closest)}?`;
}
