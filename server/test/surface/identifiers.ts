/** What may stand before a regular expression; after anything else a slash divides. */
const beforeRegExp = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|throw|await|yield))\s*$/;

/** The code of a TypeScript file: without comments, texts and regular expressions, with what stands in `${}` of a template. */
export function codeOf(source: string): string {
  let code = '';
  let at = 0;
  /** How many braces are open in each `${}` that the place is in. */
  const templates: number[] = [];
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (!found) return false;
    at += found[0].length;
    code += ' ';
    return true;
  };
  /** Skips the text of a template up to its end, or to the next `${}`. */
  const skipTemplate = (): void => {
    skip(/(?:\\[\s\S]|\$(?!\{)|[^\\`$])*/y);
    if (source[at] === '$') templates.push(0);
    at += source[at] === '$' ? 2 : 1;
  };
  while (at < source.length) {
    const character = source[at]!;
    if (skip(/\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y)) continue;
    if (character === '`') {
      at++;
      skipTemplate();
      continue;
    }
    if (character === '/' && beforeRegExp.test(code) && skip(/\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y))
      continue;
    const depth = templates.length - 1;
    if (character === '{' && depth >= 0) templates[depth]!++;
    if (character === '}' && depth >= 0 && templates[depth]!-- === 0) {
      templates.pop();
      at++;
      skipTemplate();
      continue;
    }
    code += character;
    at++;
  }
  return code;
}

/** Every name in a TypeScript file, once. */
export const identifiersOf = (source: string): ReadonlySet<string> =>
  new Set(codeOf(source).match(/[A-Za-z_$][\w$]*/g) ?? []);
