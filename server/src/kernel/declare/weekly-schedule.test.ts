import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nestedSchedule, type WeeklySchedule } from './weekly-schedule.ts';

const merge = (part: object, before?: object) => nestedSchedule.merge(part, before);
const faults = (part: object, before?: object) =>
  nestedSchedule.faultsIn(part, before, '/when').map(({ pointer, message }) => `${pointer} ${message}`);
const office = merge({ startTimeOfDay: 480, endTimeOfDay: 1_080, daysOfWeek: 62 });

describe('a weekly schedule', () => {
  test('is not always on if a time or days are sent without alwaysOn', () => {
    expect(office).toMatchObject({ alwaysOn: false, startTimeOfDay: 480, endTimeOfDay: 1_080, daysOfWeek: 62 });
    for (const part of [{ startTimeOfDay: 480 }, { endTimeOfDay: 480 }, { daysOfWeek: 62 }])
      expect(merge(part), JSON.stringify(part)).toMatchObject({ alwaysOn: false, ...part });
    expect(merge({ daysOfWeek: 62 }, merge({}))).toMatchObject({ alwaysOn: false, daysOfWeek: 62 });
  });

  test('is always on if nothing limits it', () => {
    for (const part of [{}, { version: 3 }, { alwaysOn: true }]) expect(merge(part).alwaysOn).toBe(true);
  });

  test('keeps what a part of it leaves out', () => {
    expect(merge({ version: 3 }, office)).toMatchObject({ alwaysOn: false, startTimeOfDay: 480, version: 3 });
    expect(merge({ endTimeOfDay: 600 }, office)).toMatchObject({ startTimeOfDay: 480, endTimeOfDay: 600 });
  });

  test('loses its limits when it is turned always on', () => {
    expect(faults({ ...office, alwaysOn: true }, office)).toEqual([]);
    expect(merge({ ...office, alwaysOn: true }, office)).toMatchObject({
      alwaysOn: true,
      startTimeOfDay: 0,
      endTimeOfDay: 1_440,
      daysOfWeek: 127,
    });
  });

  test('may be sent back as it was read', () => {
    for (const schedule of [office, merge({}), merge({ startTimeOfDay: 1_380, endTimeOfDay: 60 })]) {
      expect(faults(schedule, schedule)).toEqual([]);
      expect(merge(schedule, schedule)).toEqual(schedule);
    }
  });

  test.each([
    [
      { alwaysOn: true, startTimeOfDay: 480 },
      '/when/startTimeOfDay when.startTimeOfDay: 480 contradicts alwaysOn true',
    ],
    [{ alwaysOn: true, daysOfWeek: 62 }, '/when/daysOfWeek when.daysOfWeek: 62 contradicts alwaysOn true'],
    [{ daysOfWeek: 0 }, '/when when: never holds, because daysOfWeek is 0'],
    [
      { startTimeOfDay: 480, endTimeOfDay: 480 },
      '/when when: never holds, because startTimeOfDay and endTimeOfDay are',
    ],
    [{ startTimeOfDay: 1_440, endTimeOfDay: 0 }, '/when when: never holds'],
    [
      { startTimeOfDayHours: 8 },
      '/when/startTimeOfDayHours when.startTimeOfDayHours: this is a view of startTimeOfDay',
    ],
    [{ endTimeOfDayAM: false }, '/when/endTimeOfDayAM when.endTimeOfDayAM: this is a view of endTimeOfDay'],
  ])('refuses %j', (part, sentence) => {
    expect(faults(part)).toEqual([expect.stringContaining(sentence)]);
  });

  test('ignores the views of a limit that is sent as well', () => {
    expect(faults({ ...office, startTimeOfDay: 540 }, office)).toEqual([]);
    expect(merge({ ...office, startTimeOfDay: 540 }, office)).toMatchObject({ startTimeOfDayHours: 9 });
  });

  test('is never wider than the limits that are sent', () => {
    const minutes = fc.integer({ min: 0, max: 1_440 });
    const part = fc.record(
      {
        startTimeOfDay: minutes,
        endTimeOfDay: minutes,
        daysOfWeek: fc.integer({ min: 0, max: 127 }),
        alwaysOn: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(part, fc.option(part, { nil: undefined }), (input: Partial<WeeklySchedule>, earlier) => {
        const before = earlier && merge(earlier);
        if (faults(input, before).length > 0) return;
        const { alwaysOn, ...limits } = merge(input, before);
        if (input.alwaysOn !== true && !before?.alwaysOn && Object.keys(input).length > 0) expect(alwaysOn).toBe(false);
        if (!alwaysOn) expect(limits).toMatchObject(withoutFlag(input));
      }),
    );
  });
});

const withoutFlag = ({ alwaysOn: _, ...limits }: Partial<WeeklySchedule>) => limits;
