import { text } from '../texts/text.ts';

/** A weekly schedule, as far as it decides: minutes after midnight, and a bit for each day, Sunday first. */
export interface Schedule {
  alwaysOn: boolean;
  startTimeOfDay: number;
  endTimeOfDay: number;
  daysOfWeek: number;
}

const minutesOfDay = 1_440;
const everyDay = 127;

export const scheduleOf = ({ alwaysOn, startTimeOfDay, endTimeOfDay, daysOfWeek }: Partial<Schedule>): Schedule => ({
  alwaysOn: alwaysOn ?? true,
  startTimeOfDay: startTimeOfDay ?? 0,
  endTimeOfDay: endTimeOfDay ?? minutesOfDay,
  daysOfWeek: daysOfWeek ?? everyDay,
});

const two = (number: number): string => String(number).padStart(2, '0');

/** The end of a day is its midnight. */
export const clockOf = (minutes: number): string =>
  `${two(Math.floor((minutes % minutesOfDay) / 60))}:${two(minutes % 60)}`;

/** When it holds, in a line. */
export function scheduleWords({ alwaysOn, startTimeOfDay, endTimeOfDay, daysOfWeek }: Schedule): string {
  if (alwaysOn) return text.form.schedule.always;
  if (daysOfWeek === 0) return text.form.schedule.never;
  const dayNames =
    daysOfWeek === everyDay ? [] : text.form.schedule.days.filter((_, bit) => (daysOfWeek & (1 << bit)) !== 0);
  return [...dayNames, `${clockOf(startTimeOfDay)}–${clockOf(endTimeOfDay)}`].join(' ');
}

/** A time that is not written whole changes nothing. Midnight as an end is the end of the day. */
export function withTimes(end: 'startTimeOfDay' | 'endTimeOfDay', clock: string): Partial<Schedule> {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(clock) ?? [];
  if (hours === undefined) return {};
  const time = Number(hours) * 60 + Number(minutes);
  return { [end]: end === 'endTimeOfDay' && time === 0 ? minutesOfDay : time };
}

export const withDay = ({ daysOfWeek }: Schedule, bit: number, isOn: boolean): Partial<Schedule> => ({
  daysOfWeek: isOn ? daysOfWeek | (1 << bit) : daysOfWeek & ~(1 << bit),
});
