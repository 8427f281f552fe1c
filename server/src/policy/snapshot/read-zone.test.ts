import { expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { readZone } from './read-zone.ts';

const { service } = await world();
const nowMs = Date.parse('2025-01-01T00:00Z');
const hourMs = 3_600_000;

/** Returns the offsets according to the time zone data of Node. */
function minutesOf(zone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return (atMs) => {
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(format.format(atMs))!;
    return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  };
}

test.each([
  ['UTC', 0],
  ['Europe/Berlin', 4],
  ['America/New_York', 4],
  // Lord Howe changes by half an hour, Casablanca twice a year around Ramadan.
  ['Australia/Lord_Howe', 4],
  ['Africa/Casablanca', 4],
])('the offsets of %s are those of each hour of two years', async (name, changes) => {
  const client = await service.runtime.pool.connect();
  const zone = await readZone(client, name, nowMs, undefined).finally(() => client.release());
  expect(zone.changes).toHaveLength(1 + changes);
  const minutes = minutesOf(name);
  const wrong: string[] = [];
  for (let atMs = zone.fromMs; atMs < zone.toMs; atMs += hourMs) {
    const offsetMinutes = zone.changes.findLast((change) => change.atMs <= atMs)!.offsetMinutes;
    if (offsetMinutes !== minutes(atMs)) wrong.push(new Date(atMs).toISOString());
  }
  expect(wrong).toEqual([]);
});
