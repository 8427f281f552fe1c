import { nearest } from '@portreeve/server/kernel/values/nearest.ts';

/** `Did you mean x?`, or nothing. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  // One letter is near to every short word.
  const meant = word.length > 1 ? nearest(word, candidates) : undefined;
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
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
  const others = [...otherNames.keys()].filter((name) => name === typed || name.length >= otherNameMin);
  const meant = nearest(typed, [...candidates, ...others]);
  if (meant === undefined) return '';
  return ` Did you mean ${candidates.includes(meant) ? meant : otherNames.get(meant)}?`;
}
