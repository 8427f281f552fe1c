import type { HealthChange } from '@portreeve/sdk/generated/api.ts';
import type { RecordValue } from '../../client/group-calls.ts';
import { readableValue } from '../../document/value.ts';
import { toneOf } from '../../pictures/access-state.tsx';
import type { Entry, Tone } from '../../pictures/lanes.ts';

const asText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
const joinTexts = (...parts: unknown[]): string => parts.map(asText).filter(Boolean).join(' ');

/** What the service gave a host: the access, and the value that enforces it. Changes that failed are none. */
export const accessOf = (portChanges: readonly RecordValue[], hrefOf: (row: RecordValue) => string): Entry[] =>
  portChanges
    .filter(({ success, accessState }) => success === true && accessState !== null)
    .map((row) => ({
      at: Date.parse(String(row.timestamp)),
      label: joinTexts(readableValue(String(row.accessState)), row.toVlan),
      tone: toneOf(String(row.accessState)) as Tone,
      href: hrefOf(row),
    }));

/** Where a host was when something was done for it: ports that changed, and access devices that asked. */
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

/** Who was let in with a host; a device that is known by its MAC address alone is nobody. */
export const usersOf = (answers: readonly RecordValue[]): Entry[] =>
  answers
    .filter(({ reply, eapType, username }) => reply === 'ACCEPT' && eapType !== 'MAB' && asText(username) !== '')
    .map(({ date, username }) => ({ at: Date.parse(String(date)), label: String(username), tone: '' }));

const healthTones: Readonly<Record<string, Tone>> = { AT_RISK: 'bad', PENDING: 'warn' };

/** Before the first change a host was what that one says it was before. */
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

/** What access devices were answered. */
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
