const lineMax = 118;
const clause =
  /^(from|where|left join|join|order by|group by|limit|offset|values|returning|union all|set|on conflict|for (no key update|update|key share))\b/;
/** Words that belong to a following `from` or `join`. */
const belongs = new Set(['delete', 'distinct', 'left']);

/** Puts each clause on a line, with inner selects indented: a change of one clause changes one line. */
export function clauses(text: string, indent: string): string[] {
  /** For every open parenthesis, whether it contains a select: only there is `from` a clause. */
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

/** Splits words into lines of limited length; all but the first are indented. */
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
