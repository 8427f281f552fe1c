import type { Schedule } from './policy-set.ts';

/** A change of a zone's offset: minutes to add to UTC from that instant on. */
export interface OffsetChange {
  atMs: number;
  offsetMinutes: number;
}

/** The offsets of a time zone in a span, from PostgreSQL. The first change is at the start of the span. */
export interface ZoneOffsets {
  name: string;
  fromMs: number;
  toMs: number;
  changes: readonly OffsetChange[];
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const minutesOfDay = 1_440;

/** Five weeks: a clock change can skip a weekly window, but no zone changes its clock in five consecutive weeks. */
const searchMs = 35 * dayMs;

export const isInZoneSpan = (zone: ZoneOffsets, atMs: number): boolean => atMs >= zone.fromMs && atMs < zone.toMs;

/** Returns the index of the change in force: the last one that is not later, or the first one before the span. */
function changeIndex({ changes }: ZoneOffsets, atMs: number): number {
  let index = changes.length - 1;
  while (index > 0 && changes[index]!.atMs > atMs) index--;
  return index;
}

/** Converts an instant to wall-clock milliseconds, counted as if the wall clock were UTC. */
const localMs = (zone: ZoneOffsets, atMs: number): number =>
  atMs + (zone.changes[changeIndex(zone, atMs)]?.offsetMinutes ?? 0) * minuteMs;

/** Sunday 0 … Saturday 6; 1970 began on a Thursday. */
const weekday = (days: number): number => (((days + 4) % 7) + 7) % 7;

const isOnDay = (mask: number, days: number): boolean => ((mask >> weekday(days)) & 1) === 1;

/** True if a weekly schedule holds at an instant, by the wall clock of the zone. */
export function scheduleHolds(schedule: Schedule, zone: ZoneOffsets, atMs: number): boolean {
  if (schedule.alwaysOn) return true;
  const local = localMs(zone, atMs);
  const days = Math.floor(local / dayMs);
  const minute = Math.floor((local - days * dayMs) / minuteMs);
  const { startTimeOfDay: start, endTimeOfDay: end, daysOfWeek } = schedule;
  if (end >= start) return minute >= start && minute < end && isOnDay(daysOfWeek, days);
  // The window ends after midnight and belongs to the day on which it starts.
  return (minute >= start && isOnDay(daysOfWeek, days)) || (minute < end && isOnDay(daysOfWeek, days - 1));
}

/** True if the schedule never changes: an empty window or no day never holds, the full day on every day always does. */
const isConstant = ({ startTimeOfDay: start, endTimeOfDay: end, daysOfWeek }: Schedule): boolean =>
  start === end || daysOfWeek === 0 || (daysOfWeek === 127 && start === 0 && end === minutesOfDay);

/** Returns the first minute after an instant at which the schedule starts or stops holding; null if none within five weeks or the zone's span. */
export function nextBoundary(schedule: Schedule, zone: ZoneOffsets, atMs: number): number | null {
  if (schedule.alwaysOn || isConstant(schedule)) return null;
  const holdsNow = scheduleHolds(schedule, zone, atMs);
  const untilMs = Math.min(atMs + searchMs, zone.toMs);
  const early = Math.min(schedule.startTimeOfDay, schedule.endTimeOfDay) * minuteMs;
  const late = Math.max(schedule.startTimeOfDay, schedule.endTimeOfDay) * minuteMs;
  const first = changeIndex(zone, atMs);
  for (let index = first; index < zone.changes.length; index++) {
    const change = zone.changes[index]!;
    const endMs = Math.min(zone.changes[index + 1]?.atMs ?? untilMs, untilMs);
    const fromMs = index === first ? atMs : change.atMs;
    if (fromMs >= untilMs) break;
    // A clock change can skip an edge of the window, or repeat it.
    if (index > first && scheduleHolds(schedule, zone, fromMs) !== holdsNow) return fromMs;
    const offsetMs = change.offsetMinutes * minuteMs;
    for (let midnight = Math.floor((fromMs + offsetMs) / dayMs) * dayMs - offsetMs; midnight < endMs; midnight += dayMs)
      for (const edge of [midnight + early, midnight + late])
        if (edge > fromMs && edge < endMs && scheduleHolds(schedule, zone, edge) !== holdsNow) return edge;
  }
  return null;
}

const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Writes a schedule as text, such as `Mon Tue Fri 08:00-18:00`. */
export function writeSchedule({ alwaysOn, daysOfWeek, startTimeOfDay, endTimeOfDay }: Schedule): string {
  if (alwaysOn) return 'always';
  const days = dayNames.filter((_, day) => (daysOfWeek >> day) & 1);
  return `${days.length === 7 ? 'daily' : days.join(' ') || 'no day'} ${clock(startTimeOfDay)}-${clock(endTimeOfDay)}`;
}

/** Writes an instant by the wall clock of the zone, such as `Sat 12:30`. */
export function writeLocalTime(zone: ZoneOffsets, atMs: number): string {
  const local = localMs(zone, atMs);
  const days = Math.floor(local / dayMs);
  return `${dayNames[weekday(days)]} ${clock(Math.floor((local - days * dayMs) / minuteMs) % minutesOfDay)}`;
}
