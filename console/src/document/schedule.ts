import { text } from '../texts/text.ts';

/** The fields of a weekly schedule that decisions use: minutes after midnight, and one bit per day, Sunday first. */
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

/** Formats minutes after midnight; the end of the day is 00:00. */
export const clockOf = (minutes: number): string =>
  `${two(Math.floor((minutes % minutesOfDay) / 60))}:${two(minutes % 60)}`;

/** Formats a schedule in one line. */
export function scheduleWords({ alwaysOn, startTimeOfDay, endTimeOfDay, daysOfWeek }: Schedule): string {
  if (alwaysOn) return text.form.schedule.always;
  if (daysOfWeek === 0) return text.form.schedule.never;
  const dayNames =
    daysOfWeek === everyDay ? [] : text.form.schedule.days.filter((_, bit) => (daysOfWeek & (1 << bit)) !== 0);
  return [...dayNames, `${clockOf(startTimeOfDay)}–${clockOf(endTimeOfDay)}`].join(' ');
}

/** Returns the change for an entered time. An incomplete time changes nothing, and 00:00 as the end is the end of the day. */
export function withTimes(end: 'startTimeOfDay' | 'endTimeOfDay', clock: string): Partial<Schedule> {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(clock) ?? [];
  if (hours === undefined) return {};
  const time = Number(hours) * 60 + Number(minutes);
  return { [end]: end === 'endTimeOfDay' && time === 0 ? minutesOfDay : time };
}

export const withDay = ({ daysOfWeek }: Schedule, bit: number, isOn: boolean): Partial<Schedule> => ({
  daysOfWeek: isOn ? daysOfWeek | (1 << bit) : daysOfWeek & ~(1 << bit),
});
