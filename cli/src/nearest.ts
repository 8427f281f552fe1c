import { nearest } from '@portreeve/server/kernel/values/nearest.ts';

/** `Did you mean x?`, or nothing. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  // One letter is near to every short word.
  const closest = word.length > 1 ? nearest(word, candidates) : undefined;
  return closest === undefined ? '' : ` Did you mean ${closest}?`;
}

/** A short one is near to too many words. */
const otherNameMin = 4;

/** The same with other names for the candidates, which may be mistyped, too: `whoami` is `status`. */
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
