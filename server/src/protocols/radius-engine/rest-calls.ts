/** Attributes of a packet by their names in the engine's dictionary; each has at least one value. */
export type PacketAttributes = ReadonlyMap<string, readonly string[]>;

/**
 * The list that the engine adds an attribute to; `outer.session-state` keeps it from inside a tunnel until the last
 * packet of the session.
 */
export type EngineList = 'control' | 'reply' | 'outer.session-state';

/** An attribute for the engine. The tag joins attributes of one tunnel; 0: no tag. */
export interface EngineAttribute {
  list: EngineList;
  attribute: string;
  tag?: number;
  values: readonly (string | number)[];
}

const valuesMax = 200;

/** Returns the attributes in the body of a call; undefined if the body is invalid. */
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

/** The engine writes each byte above 126 as a separate character. Bytes that are not UTF-8 are read as Latin-1. */
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

/** The engine treats a backslash as the start of an escape in every value. */
const literal = (value: string | number): string | number =>
  typeof value === 'string' ? value.replaceAll('\\', '\\\\') : value;

/**
 * Returns octets as `0x…`: FreeRADIUS 3.2.1 writes this form, 3.2.7 writes one character per octet. Octets that happen
 * to be `0x` and hexadecimal digits look like the first form.
 */
function hexOf(value: unknown): string {
  const text = String(value);
  return /^0x(?:[0-9a-f]{2})*$/i.test(text) ? text.toLowerCase() : `0x${Buffer.from(text, 'latin1').toString('hex')}`;
}

/** Writes the reply in the engine's format, so that it expands nothing in values that were entered by people. */
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
