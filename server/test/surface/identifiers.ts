/** Matches code after which a slash begins a regular expression; after anything else a slash divides. */
const beforeRegExp = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|throw|await|yield))\s*$/;

/**
 * Returns the code of a TypeScript file without comments, texts and regular expressions, but with the code in `${}` of
 * templates.
 */
export function codeOf(source: string): string {
  let code = '';
  let position = 0;
  /** The number of open braces in each `${}` around the position. */
  const templates: number[] = [];
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = position;
    const match = pattern.exec(source);
    if (!match) return false;
    position += match[0].length;
    code += ' ';
    return true;
  };
  /** Skips the text of a template up to its end, or to the next `${}`. */
  const skipTemplate = (): void => {
    skip(/(?:\\[\s\S]|\$(?!\{)|[^\\`$])*/y);
    if (source[position] === '$') templates.push(0);
    position += source[position] === '$' ? 2 : 1;
  };
  while (position < source.length) {
    const character = source[position]!;
    if (skip(/\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y)) continue;
    if (character === '`') {
      position++;
      skipTemplate();
      continue;
    }
    if (character === '/' && beforeRegExp.test(code) && skip(/\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y))
      continue;
    const depth = templates.length - 1;
    if (character === '{' && depth >= 0) templates[depth]!++;
    if (character === '}' && depth >= 0 && templates[depth]!-- === 0) {
      templates.pop();
      position++;
      skipTemplate();
      continue;
    }
    code += character;
    position++;
  }
  return code;
}

/** Returns every name in a TypeScript file, once. */
export const identifiersOf = (source: string): ReadonlySet<string> =>
  new Set(codeOf(source).match(/[A-Za-z_$][\w$]*/g) ?? []);
