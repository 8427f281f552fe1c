/** Attributes of a packet by name, in the words of the engine's dictionary; each has at least one value. */
export type PacketAttributes = ReadonlyMap<string, readonly string[]>;

/** Where the engine puts an attribute; `outer.session-state` keeps it from inside a tunnel for the last packet of the session. */
export type EngineList = 'control' | 'reply' | 'outer.session-state';

/** An attribute for the engine. The tag groups attributes of one tunnel; 0: none. */
export interface EngineAttribute {
  list: EngineList;
  attribute: string;
  tag?: number;
  values: readonly (string | number)[];
}

const valuesMax = 200;

/** The attributes in the body of a call; undefined: it is none. */
export function readCall(body: string): PacketAttributes | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  const attributes = new Map<string, readonly string[]>();
  for (const [name, item] of Object.entries(parsed)) {
    const { type, value: values } = (item ?? {}) as { type?: unknown; value?: unknown };
    if (!Array.isArray(values) || values.length === 0 || values.length > valuesMax) return undefined;
    attributes.set(name, values.map(type === 'octets' ? hexOf : textOf));
  }
  return attributes;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The engine writes each byte above 126 as a character of its own. Bytes that are not UTF-8 are read as Latin-1. */
function textOf(value: unknown): string {
  const text = String(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bytes
  if (!/[\x80-\xff]/.test(text) || /[^\x00-\xff]/.test(text)) return text;
  try {
    return utf8.decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

/** The engine takes a backslash for the begin of an escape, in whatever way the value came. */
const literal = (value: string | number): string | number =>
  typeof value === 'string' ? value.replaceAll('\\', '\\\\') : value;

/**
 * Octets as `0x…`: FreeRADIUS 3.2.1 writes them so, 3.2.7 writes a character for each octet. Octets that happen to spell hexadecimal
 * digits after `0x` look like the first form.
 */
function hexOf(value: unknown): string {
  const text = String(value);
  return /^0x(?:[0-9a-f]{2})*$/i.test(text) ? text.toLowerCase() : `0x${Buffer.from(text, 'latin1').toString('hex')}`;
}

/** An answer as the engine reads it: it must expand nothing in a value that somebody typed. */
export function writeAnswer(attributes: readonly EngineAttribute[]): string {
  const byKey = new Map<string, (string | number)[]>();
  for (const { list, attribute, tag = 0, values } of attributes) {
    const key = `${list}:${attribute}${tag > 0 ? `:${tag}` : ''}`;
    byKey.set(key, [...(byKey.get(key) ?? []), ...values.map(literal)]);
  }
  const entries = [...byKey].map(
    ([key, value]) => [key, { do_xlat: false, is_json: false, op: value.length > 1 ? '+=' : ':=', value }] as const,
  );
  return JSON.stringify(Object.fromEntries(entries));
}
