import type { FieldInfo, GroupInfo } from './group.ts';

/** A value as people read it. */
export interface ShownValue {
  text: string;
  /** The whole of it, where the text is shortened: an exact time, all of a list. */
  whole?: string;
  /** There is nothing to read. */
  isEmpty?: boolean;
}

const empty: ShownValue = { text: '–', isEmpty: true };
const textMax = 200;
/** The instant that the contract writes for "never". */
const neverInstant = '1970-01-01T00:00:00.000Z';

/** Shows a value by what its field says of it. */
export function shownValue(
  field: Pick<FieldInfo, 'kind' | 'words' | 'unit'>,
  value: unknown,
  nowMs: number,
): ShownValue {
  if (value === null || value === undefined || value === '' || value === neverInstant) return empty;
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no' };
  if (field.words && typeof value === 'number') return { text: field.words[value] ?? String(value) };
  if (field.kind === 'choice') return { text: readableValue(String(value)), whole: String(value) };
  if (field.kind === 'time') return { text: relativeTime(String(value), nowMs), whole: String(value) };
  if (Array.isArray(value)) return shownList(value);
  if (typeof value === 'object') return shownObject(value);
  const unit = field.unit ? ` ${field.unit}` : '';
  return shorten(markHidden(String(value)) + unit);
}

/** Abbreviations among the values of the contract. */
const abbreviations =
  /^(?:AAA|AES|API|BYOD|CLI|COA|CSR|DES|DOT1X|EAP|EC|FAST|GTC|ICMP|ID|IDP|IOT|IP|JAMF|JSON|LDAP|MAB|MAC|MD5|MDM|MSCHAPV2|NAS|OK|OUI|P256|P384|PEAP|PSK|PWD|RADIUS|RSA|SHA|SIM|SNMP|SSH|SSID|TCP|TLS|TTLS|UDP|UI|V1|V2C|V3|VLAN|VPN|WLAN)$/;

/** `DEAD_END` is "Dead end": a value in capitals is a constant of the contract, whose abbreviations stay as they are. */
export function readableValue(value: string): string {
  if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(value) || value.length < 3) return markHidden(value);
  const words = value.split('_').map((word) => (abbreviations.test(word) ? word : word.toLowerCase()));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function shownList(values: readonly unknown[]): ShownValue {
  if (values.length === 0) return empty;
  if (values.some((value) => typeof value === 'object'))
    return {
      text: `${values.length} ${values.length === 1 ? 'entry' : 'entries'}`,
      whole: jsonText(values),
    };
  return shorten(values.map((value) => markHidden(String(value))).join(', '));
}

function shownObject(value: object): ShownValue {
  const count = Object.keys(value).length;
  if (count === 0) return empty;
  return { text: `${count} ${count === 1 ? 'value' : 'values'}`, whole: jsonText(value) };
}

const shorten = (text: string): ShownValue =>
  text.length > textMax ? { text: `${text.slice(0, textMax)}…`, whole: text } : { text };

/** Characters that nobody sees, or that turn the order of others around, are shown by their number; not the joiners that some scripts need. */
const hiddenCharacters = /(?!\u200c|\u200d)(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\u034f)/gu;

export const markHidden = (text: string): string =>
  text.replaceAll(
    hiddenCharacters,
    (character) => `‹U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`,
  );

/** What people call a record: its name, or its group and identity while that is not known. */
export const recordName = (
  { label, title }: Pick<GroupInfo, 'label' | 'title'>,
  id: string,
  record: Readonly<Record<string, unknown>> | null | undefined,
): string => markHidden(String(record?.[label ?? ''] || `${title} ${id}`));

/** A value with parts, line by line, each safe to be shown. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).split('\n').map(markHidden).join('\n');

const steps: readonly (readonly [limitSeconds: number, seconds: number, unit: string])[] = [
  [90, 1, 's'],
  [90 * 60, 60, 'min'],
  [36 * 3_600, 3_600, 'h'],
  [60 * 86_400, 86_400, 'd'],
  [Number.POSITIVE_INFINITY, 365.25 * 86_400, 'y'],
];

/** How long ago, or how soon, in one unit. */
export function relativeTime(instant: string, nowMs: number): string {
  const seconds = (Date.parse(instant) - nowMs) / 1_000;
  if (Number.isNaN(seconds)) return instant;
  const size = Math.abs(seconds);
  if (size < 5) return 'now';
  const [, length, unit] = steps.find(([limit]) => size < limit)!;
  const amount = size / length;
  const rounded = unit === 'y' && amount < 10 ? amount.toFixed(1) : String(Math.round(amount));
  return seconds < 0 ? `${rounded} ${unit} ago` : `in ${rounded} ${unit}`;
}
