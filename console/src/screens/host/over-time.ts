import type { HealthChange } from '@portreeve/sdk/generated/api.ts';
import type { RecordValue } from '../../client/group-calls.ts';
import { readableValue } from '../../document/value.ts';
import { toneOf } from '../../pictures/access-state.tsx';
import type { Entry, Tone } from '../../pictures/lanes.ts';

const asText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
const joinTexts = (...parts: unknown[]): string => parts.map(asText).filter(Boolean).join(' ');

/** Returns the access states that were applied, with their values; failed port changes are omitted. */
export const accessOf = (portChanges: readonly RecordValue[], hrefOf: (row: RecordValue) => string): Entry[] =>
  portChanges
    .filter(({ success, accessState }) => success === true && accessState !== null)
    .map((row) => ({
      at: Date.parse(String(row.timestamp)),
      label: joinTexts(readableValue(String(row.accessState)), row.toVlan),
      tone: toneOf(String(row.accessState)) as Tone,
      href: hrefOf(row),
    }));

/** Returns the locations of a host, from port changes and RADIUS requests. */
export const placesOf = (portChanges: readonly RecordValue[], answers: readonly RecordValue[]): Entry[] => [
  ...portChanges.map(({ timestamp, deviceName, portName }) => ({
    at: Date.parse(String(timestamp)),
    label: joinTexts(deviceName, portName),
    tone: '' as Tone,
  })),
  ...answers.map(({ date, nas, nasPort, ssid }) => ({
    at: Date.parse(String(date)),
    label: joinTexts(nas, ssid ?? nasPort),
    tone: '' as Tone,
  })),
];

/** Returns the users of accepted 802.1X logins; MAB has no user. */
export const usersOf = (answers: readonly RecordValue[]): Entry[] =>
  answers
    .filter(({ reply, eapType, username }) => reply === 'ACCEPT' && eapType !== 'MAB' && asText(username) !== '')
    .map(({ date, username }) => ({ at: Date.parse(String(date)), label: String(username), tone: '' }));

const healthTones: Readonly<Record<string, Tone>> = { AT_RISK: 'bad', PENDING: 'warn' };

/** Returns the health states; the first change contains the state before it. */
export function healthOf(changes: readonly HealthChange[]): Entry[] {
  const oldest = changes.at(-1);
  const states = changes.map(({ timestamp, to: newState, reason }) => ({
    at: Date.parse(timestamp),
    label: joinTexts(readableValue(newState), reason && `· ${reason}`),
    tone: healthTones[newState] ?? ('' as Tone),
  }));
  return oldest
    ? [...states, { at: 0, label: readableValue(oldest.from), tone: healthTones[oldest.from] ?? '' }]
    : states;
}

/** Returns the RADIUS replies. */
export const radiusRepliesOf = (answers: readonly RecordValue[], hrefOf: (row: RecordValue) => string): Entry[] =>
  answers.map((row) => ({
    at: Date.parse(String(row.date)),
    label: joinTexts(readableValue(String(row.reply)), `· ${asText(row.message)}`),
    tone: row.reply === 'ACCEPT' ? '' : 'bad',
    href: hrefOf(row),
  }));

export const eventsOf = (events: readonly RecordValue[], hrefOf: (row: RecordValue) => string): Entry[] =>
  events.map((row) => ({
    at: Number(row.time),
    label: asText(row.eventFormatString || row.message || row.name),
    tone: '',
    href: hrefOf(row),
  }));
