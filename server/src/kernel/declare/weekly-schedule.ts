import type { Field } from './field.ts';
import { snakeCase } from './names.ts';
import type { ObjectShape } from './shape.ts';

/** When something is allowed: minutes after midnight in the cell's zone, end exclusive; an end before the start wraps past midnight. */
export interface WeeklySchedule {
  version: number;
  startTimeOfDay: number;
  endTimeOfDay: number;
  /** Bits, Sunday 1 … Saturday 64. */
  daysOfWeek: number;
  validTime: boolean;
  alwaysOn: boolean;
  startTimeOfDayAM: boolean;
  endTimeOfDayAM: boolean;
  startTimeOfDayHours: number;
  endTimeOfDayHours: number;
  startTimeOfDayMinutes: number;
  endTimeOfDayMinutes: number;
}

type Stored = Pick<WeeklySchedule, 'version' | 'startTimeOfDay' | 'endTimeOfDay' | 'daysOfWeek' | 'alwaysOn'>;

const minuteOfDay = { kind: 'integer', min: 0, max: 1_440 } as const;

const shape: ObjectShape = {
  kind: 'object',
  name: 'WeeklySchedule',
  properties: {
    version: { kind: 'integer', min: 0, max: 2_147_483_647 },
    startTimeOfDay: { ...minuteOfDay, doc: 'Minutes after midnight.' },
    endTimeOfDay: { ...minuteOfDay, doc: 'Minutes after midnight, exclusive; if before the start, on the next day.' },
    daysOfWeek: { kind: 'integer', min: 0, max: 127, doc: 'Bits: Sunday 1, Monday 2 … Saturday 64.' },
    validTime: { kind: 'flag', doc: 'Whether the current time is inside.' },
    alwaysOn: { kind: 'flag', doc: 'True: always; the other fields are ignored.' },
    startTimeOfDayAM: { kind: 'flag' },
    endTimeOfDayAM: { kind: 'flag' },
    startTimeOfDayHours: { kind: 'integer', min: 0, max: 12, doc: 'On a 12-hour clock.' },
    endTimeOfDayHours: { kind: 'integer', min: 0, max: 12 },
    startTimeOfDayMinutes: { kind: 'integer', min: 0, max: 59 },
    endTimeOfDayMinutes: { kind: 'integer', min: 0, max: 59 },
  },
};

const always: Stored = { version: 0, startTimeOfDay: 0, endTimeOfDay: 1_440, daysOfWeek: 127, alwaysOn: true };

/** The clock of twelve hours is a view of the minutes, never stored. */
const viewed = (stored: Stored, validTime: boolean): WeeklySchedule => ({
  ...stored,
  validTime,
  startTimeOfDayAM: stored.startTimeOfDay % 1_440 < 720,
  endTimeOfDayAM: stored.endTimeOfDay % 1_440 < 720,
  startTimeOfDayHours: Math.floor((stored.startTimeOfDay % 720) / 60) || 12,
  endTimeOfDayHours: Math.floor((stored.endTimeOfDay % 720) / 60) || 12,
  startTimeOfDayMinutes: stored.startTimeOfDay % 60,
  endTimeOfDayMinutes: stored.endTimeOfDay % 60,
});

const storedPart = ({ version, startTimeOfDay, endTimeOfDay, daysOfWeek, alwaysOn }: Stored): Stored => ({
  version,
  startTimeOfDay,
  endTimeOfDay,
  daysOfWeek,
  alwaysOn,
});

/** What is sent counts where it decides; the views and `validTime` follow from it. */
function merged(sent: unknown, before: unknown): WeeklySchedule {
  const known = (before as WeeklySchedule | undefined) ?? viewed(always, true);
  return viewed(storedPart({ ...known, ...(sent as Partial<WeeklySchedule>) }), known.validTime);
}

/** The same views for a filter, which looks at what is stored. */
function withinSql(column: string): Record<keyof WeeklySchedule, string> {
  const number = (key: keyof Stored) => `(${column} ->> '${key}')::integer`;
  const [start, end] = [number('startTimeOfDay'), number('endTimeOfDay')];
  const isMorning = (minutes: string) => `(${minutes} % 1440 < 720)`;
  const hours = (minutes: string) => `coalesce(nullif(${minutes} % 720 / 60, 0), 12)`;
  return {
    version: number('version'),
    startTimeOfDay: start,
    endTimeOfDay: end,
    daysOfWeek: number('daysOfWeek'),
    validTime: `weekly_schedule_holds(${column})`,
    alwaysOn: `(${column} ->> 'alwaysOn')::boolean`,
    startTimeOfDayAM: isMorning(start),
    endTimeOfDayAM: isMorning(end),
    startTimeOfDayHours: hours(start),
    endTimeOfDayHours: hours(end),
    startTimeOfDayMinutes: `(${start} % 60)`,
    endTimeOfDayMinutes: `(${end} % 60)`,
  };
}

/** A schedule inside another object: its shape, what it is unless said otherwise, how it is merged, stored and read. */
export const nestedSchedule = {
  shape,
  initial: viewed(always, true),
  merge: merged,
  store: (value: unknown): object => storedPart(value as Stored),
  /** The whole schedule, views included, over the stored one. */
  sql: (stored: string): string =>
    `jsonb_build_object(${Object.entries(withinSql(stored))
      .map(([key, sql]) => `'${key}', ${sql}`)
      .join(', ')})`,
} as const;

/** A field that holds a weekly schedule; always on unless said otherwise. */
export const weeklySchedule = (name: string, doc: string): Field<WeeklySchedule> => ({
  shape: { ...shape, doc },
  access: 'write',
  stored: true,
  default: viewed(always, true),
  sql: `(r.${snakeCase(name)} || jsonb_build_object('validTime', weekly_schedule_holds(r.${snakeCase(name)})))`,
  propertySql: withinSql(`r.${snakeCase(name)}`),
  render: (cell) => viewed(storedPart(cell as Stored), (cell as WeeklySchedule).validTime),
  merge: merged,
  store: (value) => storedPart(value as Stored),
});
