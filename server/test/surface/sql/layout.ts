const lineMax = 118;
const clause =
  /^(from|where|left join|join|order by|group by|limit|offset|values|returning|union all|set|on conflict|for (no key update|update|key share))\b/;
/** Words before a `from`, or a `join`, that it belongs to. */
const belongs = new Set(['delete', 'distinct', 'left']);

/** A clause a line, those of inner selects further in: a change of one shows as one. */
export function clauses(text: string, indent: string): string[] {
  /** Of every open parenthesis, whether a select stands in it: only there is `from` a clause. */
  const open: boolean[] = [];
  const lines = [{ depth: 0, words: [] as string[] }];
  const words = text.split(' ');
  for (const [index, word] of words.entries()) {
    const isClause = clause.test(words.slice(index, index + 4).join(' ')) && !belongs.has(words[index - 1] ?? '');
    if (isClause && (open.at(-1) ?? true)) lines.push({ depth: open.filter(Boolean).length, words: [] });
    lines.at(-1)!.words.push(word);
    for (const [place, sign] of [...word].entries()) {
      if (sign === '(') open.push(/^(select|with)\b/.test(word.slice(place + 1)));
      if (sign === ')') open.pop();
    }
  }
  return lines.flatMap((line) => wrapped(line.words, indent + '  '.repeat(line.depth)));
}

/** Puts words into lines that are not too long; all but the first are indented. */
function wrapped(words: readonly string[], indent: string): string[] {
  const [first = '', ...rest] = words;
  const lines = [indent + first];
  for (const word of rest) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= lineMax) lines[lines.length - 1] = longer;
    else lines.push(`${indent}  ${word}`);
  }
  return lines;
}
