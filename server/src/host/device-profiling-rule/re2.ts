/** Escapes that mean the same in RE2 and JavaScript: classes, word boundaries, control characters, two hexadecimal digits, punctuation. */
const sharedEscape = /^(?:[dDwWsSbBtnrfv]|x[0-9A-Fa-f]{2}|[!-/:-@[-`{-~])/;

/** Groups that both support: capturing, named, non-capturing, and with flags. */
const sharedGroup = /^\((?:\?(?:<[A-Za-z_]\w*>|[ims]{0,3}:))?(?!\?)/;

const repeatMax = 1_000;

/**
 * Returns why RE2 would refuse a regular expression, or undefined if it would accept it. RE2 is not installed, so only the syntax that
 * RE2 and JavaScript share is accepted. Backreferences, lookaround and everything that the two could interpret differently is refused.
 */
export function faultInPattern(source: string): string | undefined {
  let isInClass = false;
  for (let position = 0; position < source.length; position++) {
    const rest = source.slice(position);
    if (rest.startsWith('\\')) {
      if (/^\\[1-9k]/.test(rest)) return 'contains a backreference, which RE2 does not support';
      if (!sharedEscape.test(rest.slice(1))) return `contains the escape ${rest.slice(0, 2)}, which is not supported`;
      position++;
    } else if (isInClass) {
      if (rest.startsWith('[:')) return 'contains a named character class, which is not supported; list the characters';
      isInClass = !rest.startsWith(']');
    } else if (rest.startsWith('[')) {
      if (/^\[\^?\]/.test(rest)) return 'contains an empty character class';
      isInClass = true;
    } else if (/^\(\?<?[=!]/.test(rest)) {
      return 'contains a lookahead or lookbehind, which RE2 does not support';
    } else if (rest.startsWith('(') && !sharedGroup.test(rest)) {
      return `contains the group ${rest.slice(0, 3)}, which is not supported`;
    } else if (
      Number(/^\{(\d+)/.exec(rest)?.[1] ?? 0) > repeatMax ||
      Number(/^\{\d*,(\d+)/.exec(rest)?.[1] ?? 0) > repeatMax
    ) {
      return `repeats more than ${repeatMax} times`;
    }
  }
  try {
    new RegExp(source, 'u');
    return undefined;
  } catch {
    return 'is not a valid regular expression';
  }
}
