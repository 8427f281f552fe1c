const wordMax = 60;
const namesShownMax = 12;

/** Returns the candidate that a mistyped word most likely means; undefined if none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > wordMax) return undefined;
  const typed = word.toLowerCase();
  const limit = Math.max(2, Math.floor(typed.length / 3));
  let best: { candidate: string; score: number } | undefined;
  for (const candidate of candidates) {
    const score = scoreOf(typed, candidate.toLowerCase(), limit);
    if (score !== undefined && score < (best?.score ?? Number.POSITIVE_INFINITY)) best = { candidate, score };
  }
  return best?.candidate;
}

/** Returns the text after "there is no X; ": the nearest name, or some of the existing names. */
export function hintFor(word: string, what: string, names: readonly string[], near: Iterable<string> = names): string {
  const suggestion = nearest(word, near);
  if (suggestion !== undefined) return `did you mean ${suggestion}?`;
  const hiddenCount = names.length - namesShownMax;
  const shown = names.slice(0, namesShownMax).join(', ');
  return `${what} are ${shown}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ''}.`;
}

/**
 * Returns a score that is smaller for a nearer candidate. If the word lacks letters, the shorter of two names is
 * nearer.
 */
function scoreOf(typed: string, candidate: string, limit: number): number | undefined {
  const lengths = Math.abs(candidate.length - typed.length);
  const steps = lengths <= limit ? distance(typed, candidate) : Number.POSITIVE_INFINITY;
  const scores = steps <= limit ? [steps] : [];
  if (typed.length >= 3 && candidate.startsWith(typed)) scores.push(1 + lengths / 100);
  else if (typed.length >= 4 && candidate.includes(typed)) scores.push(1.5 + lengths / 100);
  else if (typed.length >= 4 && candidate[0] === typed[0] && isAbbreviation(typed, candidate))
    scores.push(2 + lengths / 100);
  return scores.length > 0 ? Math.min(...scores) : undefined;
}

/** True if all letters of a word occur in another one, in their order: lastpoll in lastSuccessfulPoll. */
function isAbbreviation(typed: string, candidate: string): boolean {
  let index = 0;
  for (const letter of candidate) if (letter === typed[index]) index++;
  return index === typed.length;
}

/**
 * Returns the number of letters to insert, delete, replace, or swap with their neighbour (optimal string alignment).
 */
function distance(a: string, b: string): number {
  let twoBack: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j]!, twoBack[j - 2]! + 1);
    }
    [twoBack, before] = [before, row];
  }
  return before[b.length]!;
}
