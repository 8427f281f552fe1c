/** What carries a password, a secret or a key, in the words of the engine. */
const secretValue =
  /((?:[\w-]*(?:password|secret|challenge|response)|MS-MPPE-[\w-]+|EAP-Message)["']?\s*(?::=|\+=|==|[=:])\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\S+)/gi;

/** The same text without them. */
export const maskSecrets = (text: string): string => text.replaceAll(secretValue, '$1•••');
