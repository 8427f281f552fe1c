/** Matches attributes with a password, secret or key in logs of the engine. */
const secretValue =
  /((?:[\w-]*(?:password|secret|challenge|response)|MS-MPPE-[\w-]+|EAP-Message)["']?\s*(?::=|\+=|==|[=:])\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\S+)/gi;

/** Masks the secrets in a text. */
export const maskSecrets = (text: string): string => text.replaceAll(secretValue, '$1•••');
