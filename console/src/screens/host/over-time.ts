import type { HealthChange } from '@portreeve/sdk/generated/api.ts';
import type { RecordValue } from '../../client/group-calls.ts';
import { inWords } from '../../document/value.ts';
import { toneOf } from '../../pictures/access-state.tsx';
import type { Entry, Tone } from '../../pictures/lanes.ts';

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
const said = (...parts: unknown[]): string => parts.map(textOf).filter(Boolean).join(' ');

/** What the service gave a host: the access, and the value that enforces it. Changes that failed are none. */
export const accessOf = (portChanges: readonly RecordValue[], hrefOf: (row: RecordValue) => string): Entry[] =>
  portChanges
    .filter(({ success, accessState }) => success === true && accessState !== null)
    .map((row) => ({
      at: Date.parse(String(row.timestamp)),
      label: said(inWords(String(row.accessState)), row.toVlan),
      tone: toneOf(String(row.accessState)) as Tone,
      href: hrefOf(row),
    }));

/** Where a host was when something was done for it: ports that changed, and access devices that asked. */
export const placesOf = (portChanges: readonly RecordValue[], answers: readonly RecordValue[]): Entry[] => [
  ...portChanges.map(({ timestamp, deviceName, portName }) => ({
    at: Date.parse(String(timestamp)),
    label: said(deviceName, portName),
    tone: '' as Tone,
  })),
  ...answers.map(({ date, nas, nasPort, ssid }) => ({
    at: Date.parse(String(date)),
    label: said(nas, ssid ?? nasPort),
    tone: '' as Tone,
  })),
];

/** Who was let in with a host; a device that is known by its MAC address alone is nobody. */
export const usersOf = (answers: readonly RecordValue[]): Entry[] =>
  answers
    .filter(({ reply, eapType, username }) => reply === 'ACCEPT' && eapType !== 'MAB' && textOf(username) !== '')
    .map(({ date, username }) => ({ at: Date.parse(String(date)), label: String(username), tone: '' }));

const healthTones: Readonly<Record<string, Tone>> = { AT_RISK: 'bad', PENDING: 'warn' };

/** Before the first change a host was what that one says it was before. */
export function healthOf(changes: readonly HealthChange[]): Entry[] {
  const oldest = changes.at(-1);
  const known = changes.map(({ timestamp, to, reason }) => ({
    at: Date.parse(timestamp),
    label: said(inWords(to), reason && `· ${reason}`),
    tone: healthTones[to] ?? ('' as Tone),
  }));
  return oldest ? [...known, { at: 0, label: inWords(oldest.from), tone: healthTones[oldest.from] ?? '' }] : known;
}

/** What access devices were answered. */
export const radiusRepliesOf = (answers: readonly RecordValue[], hrefOf: (row: RecordValue) => string): Entry[] =>
  answers.map((row) => ({
    at: Date.parse(String(row.date)),
    label: said(inWords(String(row.reply)), `· ${textOf(row.message)}`),
    tone: row.reply === 'ACCEPT' ? '' : 'bad',
    href: hrefOf(row),
  }));

export const eventsOf = (events: readonly RecordValue[], hrefOf: (row: RecordValue) => string): Entry[] =>
  events.map((row) => ({
    at: Number(row.time),
    label: textOf(row.eventFormatString || row.message || row.name),
    tone: '',
    href: hrefOf(row),
  }));
