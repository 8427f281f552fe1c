import type { FieldInfo, GroupInfo } from './group.ts';

/** A value formatted for display. */
export interface ShownValue {
  text: string;
  /** The full text if `text` is shortened, such as an exact time or a long list. */
  whole?: string;
  /** The value is empty. */
  isEmpty?: boolean;
}

const empty: ShownValue = { text: '–', isEmpty: true };
const textMax = 200;
/** The instant that the API uses for "never". */
const neverInstant = '1970-01-01T00:00:00.000Z';

/** Formats a value by the kind, unit and words of its field. */
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

/** Abbreviations in constants of the API. */
const abbreviations =
  /^(?:AAA|AES|API|BYOD|CLI|COA|CSR|DES|DOT1X|EAP|EC|FAST|GTC|ICMP|ID|IDP|IOT|IP|JAMF|JSON|LDAP|MAB|MAC|MD5|MDM|MSCHAPV2|NAS|OK|OUI|P256|P384|PEAP|PSK|PWD|RADIUS|RSA|SHA|SIM|SNMP|SSH|SSID|TCP|TLS|TTLS|UDP|UI|V1|V2C|V3|VLAN|VPN|WLAN)$/;

/** Converts constants of the API to words: `DEAD_END` becomes "Dead end". Abbreviations stay in capitals. */
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

/** Invisible characters and those that change the text direction; without the joiners that some scripts require. */
const hiddenCharacters = /(?!\u200c|\u200d)(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\u034f)/gu;

export const markHidden = (text: string): string =>
  text.replaceAll(
    hiddenCharacters,
    (character) => `‹U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`,
  );

/** Returns the name of a record, or the resource and id if it has none or is not loaded. */
export const recordName = (
  { label, title }: Pick<GroupInfo, 'label' | 'title'>,
  id: string,
  record: Readonly<Record<string, unknown>> | null | undefined,
): string => markHidden(String(record?.[label ?? ''] || `${title} ${id}`));

/** Formats a structured value as JSON with invisible characters marked. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).split('\n').map(markHidden).join('\n');

const steps: readonly (readonly [limitSeconds: number, seconds: number, unit: string])[] = [
  [90, 1, 's'],
  [90 * 60, 60, 'min'],
  [36 * 3_600, 3_600, 'h'],
  [60 * 86_400, 86_400, 'd'],
  [Number.POSITIVE_INFINITY, 365.25 * 86_400, 'y'],
];

/** Formats the distance to an instant in one unit, such as "5 min ago". */
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
