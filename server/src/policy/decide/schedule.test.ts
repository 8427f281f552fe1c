import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slowScheduleHolds } from '../../../test/decide/slow-engine.ts';
import type { Schedule } from './policy-set.ts';
import { isInZoneSpan, nextBoundary, scheduleHolds, writeSchedule, type ZoneOffsets } from './schedule.ts';

const utc = (text: string): number => Date.parse(`${text}Z`);
const minuteMs = 60_000;

/** Central Europe in 2027: summer time from 28 March 01:00 to 31 October 01:00 UTC. */
const berlin: ZoneOffsets = {
  name: 'Europe/Berlin',
  fromMs: utc('2027-01-01T00:00'),
  toMs: utc('2028-01-01T00:00'),
  changes: [
    { atMs: utc('2027-01-01T00:00'), offsetMinutes: 60 },
    { atMs: utc('2027-03-28T01:00'), offsetMinutes: 120 },
    { atMs: utc('2027-10-31T01:00'), offsetMinutes: 60 },
  ],
};

const weekly = (daysOfWeek: number, startTimeOfDay: number, endTimeOfDay: number): Schedule => ({
  alwaysOn: false,
  daysOfWeek,
  startTimeOfDay,
  endTimeOfDay,
});

describe('a weekly schedule', () => {
  const office = weekly(62, 8 * 60, 18 * 60);

  test('holds from its start up to its end, on its days, by the wall clock', () => {
    const holds = (time: string) => scheduleHolds(office, berlin, utc(time));
    expect(holds('2027-01-04T06:59')).toBe(false);
    expect(holds('2027-01-04T07:00')).toBe(true);
    expect(holds('2027-01-04T16:59')).toBe(true);
    expect(holds('2027-01-04T17:00')).toBe(false);
    expect(holds('2027-01-03T12:00')).toBe(false);
    expect(holds('2027-07-05T06:00')).toBe(true);
  });

  test('past midnight it belongs to the day on which it starts', () => {
    const night = weekly(64, 22 * 60, 6 * 60);
    expect(scheduleHolds(night, berlin, utc('2027-01-02T22:30'))).toBe(true);
    expect(scheduleHolds(night, berlin, utc('2027-01-03T04:59'))).toBe(true);
    expect(scheduleHolds(night, berlin, utc('2027-01-03T05:00'))).toBe(false);
    expect(scheduleHolds(night, berlin, utc('2027-01-02T03:00'))).toBe(false);
  });

  test('never holds at a local time that a clock change skips, and holds twice at one that it repeats', () => {
    const early = weekly(1, 2 * 60, 3 * 60);
    const minutes = (startTime: string, hours: number) =>
      Array.from({ length: hours * 60 }, (_, minute) => utc(startTime) + minute * minuteMs).filter((instantMs) =>
        scheduleHolds(early, berlin, instantMs),
      ).length;
    expect(minutes('2027-03-27T12:00', 24)).toBe(0);
    expect(minutes('2027-10-30T12:00', 24)).toBe(120);
    expect(nextBoundary(early, berlin, utc('2027-03-22T12:00'))).toBe(utc('2027-04-04T00:00'));
    expect(nextBoundary(early, berlin, utc('2027-10-31T00:30'))).toBe(utc('2027-10-31T02:00'));
  });

  test('has its next boundary at the first minute at which it starts or stops holding', () => {
    expect(nextBoundary(office, berlin, utc('2027-01-04T09:30:15'))).toBe(utc('2027-01-04T17:00'));
    expect(nextBoundary(office, berlin, utc('2027-01-04T17:00'))).toBe(utc('2027-01-05T07:00'));
    expect(nextBoundary(office, berlin, utc('2027-01-08T17:00'))).toBe(utc('2027-01-11T07:00'));
    expect(nextBoundary(weekly(127, 0, 1_440), berlin, utc('2027-01-04T09:30'))).toBeNull();
    expect(nextBoundary(weekly(0, 480, 1_080), berlin, utc('2027-01-04T09:30'))).toBeNull();
    expect(nextBoundary({ ...office, alwaysOn: true }, berlin, utc('2027-01-04T09:30'))).toBeNull();
    expect(nextBoundary(office, berlin, utc('2027-12-31T17:30'))).toBeNull();
  });

  test('agrees with the reference engine, including its next boundary', () => {
    const schedules = fc.record({
      alwaysOn: fc.constant(false),
      daysOfWeek: fc.integer({ min: 0, max: 127 }),
      startTimeOfDay: fc.integer({ min: 0, max: 1_440 }),
      endTimeOfDay: fc.integer({ min: 0, max: 1_440 }),
    });
    const minutes = fc.integer({ min: 0, max: 300 * 1_440 });
    fc.assert(
      fc.property(schedules, minutes, (schedule, minute) => {
        const instantMs = berlin.fromMs + minute * minuteMs;
        const now = slowScheduleHolds(schedule, berlin, instantMs);
        expect(scheduleHolds(schedule, berlin, instantMs)).toBe(now);
        let expected: number | null = null;
        for (
          let nextMs = instantMs + minuteMs;
          nextMs < instantMs + 15 * 1_440 * minuteMs && expected === null;
          nextMs += minuteMs
        )
          if (slowScheduleHolds(schedule, berlin, nextMs) !== now) expected = nextMs;
        expect(nextBoundary(schedule, berlin, instantMs)).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('is written in readable form', () => {
    expect(writeSchedule(office)).toBe('Mon Tue Wed Thu Fri 08:00-18:00');
    expect(writeSchedule(weekly(127, 0, 1_440))).toBe('daily 00:00-24:00');
    expect(writeSchedule(weekly(0, 0, 60))).toBe('no day 00:00-01:00');
  });

  test('reports whether an instant is within the span of its zone', () => {
    expect(isInZoneSpan(berlin, berlin.fromMs)).toBe(true);
    expect(isInZoneSpan(berlin, berlin.toMs)).toBe(false);
  });
});
