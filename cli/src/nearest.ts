/** The candidate most similar to `word`; undefined if none is close. */
function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.toLowerCase();
  let best: string | undefined;
  let bestSteps = Math.max(2, Math.floor(typed.length / 3)) + 1;
  for (const candidate of candidates) {
    const known = candidate.toLowerCase();
    const isBeginning = typed.length >= 3 && known.startsWith(typed);
    const steps = isBeginning ? 1 : distance(typed, known);
    if (steps < bestSteps) [best, bestSteps] = [candidate, steps];
  }
  return best;
}

/** `Did you mean x?`, or nothing. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  const meant = nearest(word, candidates);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** Letters to insert, delete, replace, or swap with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  let twoBack: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
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
