/** Escapes that mean the same to RE2 and to JavaScript: classes, borders, control characters, two hexadecimal digits, punctuation. */
const sharedEscape = /^(?:[dDwWsSbBtnrfv]|x[0-9A-Fa-f]{2}|[!-/:-@[-`{-~])/;

/** Groups that both know: capturing, named, plain, and with flags. */
const sharedGroup = /^\((?:\?(?:<[A-Za-z_]\w*>|[ims]{0,3}:))?(?!\?)/;

const repeatMax = 1_000;

/**
 * Why a text is no regular expression that RE2 takes; undefined when it is one. RE2 itself is not installed: what both dialects share is taken,
 * and all that RE2 cannot do (references back, looking around) or that the two may read differently is refused.
 */
export function faultInPattern(source: string): string | undefined {
  let isInClass = false;
  for (let at = 0; at < source.length; at++) {
    const rest = source.slice(at);
    if (rest.startsWith('\\')) {
      if (/^\\[1-9k]/.test(rest)) return 'refers back to a group, which RE2 does not do';
      if (!sharedEscape.test(rest.slice(1))) return `has the escape ${rest.slice(0, 2)}, which is not taken`;
      at++;
    } else if (isInClass) {
      if (rest.startsWith('[:')) return 'has a named class, which is not taken; spell it out';
      isInClass = !rest.startsWith(']');
    } else if (rest.startsWith('[')) {
      if (/^\[\^?\]/.test(rest)) return 'has an empty class';
      isInClass = true;
    } else if (/^\(\?<?[=!]/.test(rest)) {
      return 'looks ahead or behind, which RE2 does not do';
    } else if (rest.startsWith('(') && !sharedGroup.test(rest)) {
      return `has the group ${rest.slice(0, 3)}, which is not taken`;
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
    return 'is no regular expression';
  }
}
