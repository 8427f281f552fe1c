import type { Fault } from '../failure.ts';
import type { Field } from './field.ts';
import { snakeCase } from './names.ts';
import type { ObjectShape } from './shape.ts';

/** A weekly time window: minutes after midnight in the cell's zone, end exclusive; an end before the start wraps past midnight. */
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
    alwaysOn: {
      kind: 'flag',
      doc: 'True: always. False if it is absent and a time or days are sent.',
    },
    startTimeOfDayAM: { kind: 'flag', doc: 'View of startTimeOfDay on a 12-hour clock.' },
    endTimeOfDayAM: { kind: 'flag', doc: 'View of endTimeOfDay on a 12-hour clock.' },
    startTimeOfDayHours: { kind: 'integer', min: 0, max: 12, doc: 'View of startTimeOfDay on a 12-hour clock.' },
    endTimeOfDayHours: { kind: 'integer', min: 0, max: 12, doc: 'View of endTimeOfDay on a 12-hour clock.' },
    startTimeOfDayMinutes: { kind: 'integer', min: 0, max: 59, doc: 'View of startTimeOfDay.' },
    endTimeOfDayMinutes: { kind: 'integer', min: 0, max: 59, doc: 'View of endTimeOfDay.' },
  },
};

const always: Stored = { version: 0, startTimeOfDay: 0, endTimeOfDay: 1_440, daysOfWeek: 127, alwaysOn: true };

/** Adds the 12-hour clock, which is computed from the minutes and never stored. */
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

const limits = ['startTimeOfDay', 'endTimeOfDay', 'daysOfWeek'] as const;

const views = {
  startTimeOfDay: ['startTimeOfDayAM', 'startTimeOfDayHours', 'startTimeOfDayMinutes'],
  endTimeOfDay: ['endTimeOfDayAM', 'endTimeOfDayHours', 'endTimeOfDayMinutes'],
} as const;

/** Merges a part of a schedule into the stored one. A limit without `alwaysOn` means that it is limited. */
function merged(input: unknown, before: unknown): WeeklySchedule {
  const part = input as Partial<WeeklySchedule>;
  const previous = (before as WeeklySchedule | undefined) ?? viewed(always, true);
  const hasLimit = limits.some((name) => part[name] !== undefined);
  const alwaysOn = part.alwaysOn ?? (hasLimit ? false : previous.alwaysOn);
  const isTurnedOn = alwaysOn && !(before as WeeklySchedule | undefined)?.alwaysOn;
  // Resets the limits of a schedule that is always on: stored limits would mislead readers.
  return viewed(storedPart({ ...previous, ...part, ...(isTurnedOn && always), alwaysOn }), previous.validTime);
}

/** True for a window without length or days. */
const isNever = ({ alwaysOn, startTimeOfDay, endTimeOfDay, daysOfWeek }: Stored): boolean =>
  !alwaysOn &&
  (daysOfWeek === 0 || startTimeOfDay === endTimeOfDay || (startTimeOfDay === 1_440 && endTimeOfDay === 0));

/** Returns the contradictions of a part of a schedule. Values that are sent back unchanged are not contradictions. */
function contradictions(input: unknown, before: unknown, pointer: string): Fault[] {
  const part = input as Partial<WeeklySchedule>;
  const previous = before as WeeklySchedule | undefined;
  const result = merged(part, previous);
  const faults: Fault[] = [];
  const name = pointer.slice(1).replaceAll('/', '.');
  const fault = (field: string, message: string) =>
    faults.push({ pointer: `${pointer}/${field}`, message: `${name}.${field}: ${message}.` });
  for (const limit of limits) {
    const value = part[limit];
    if (part.alwaysOn === true && value !== undefined && value !== always[limit] && value !== previous?.[limit])
      fault(limit, `${value} contradicts alwaysOn true; send alwaysOn false, or leave ${limit} out`);
  }
  for (const [limit, names] of Object.entries(views)) {
    const view = names.find((viewName) => part[viewName] !== undefined && part[viewName] !== result[viewName]);
    if (view && part[limit as keyof typeof views] === undefined)
      fault(view, `this is a view of ${limit}; send ${limit} in minutes after midnight instead`);
  }
  if (isNever(result) && !(previous && isNever(previous)))
    faults.push({
      pointer,
      message: `${name}: never holds, because ${
        result.daysOfWeek === 0 ? 'daysOfWeek is 0' : 'startTimeOfDay and endTimeOfDay are the same time'
      }; send a schedule that holds at some time.`,
    });
  return faults;
}

/** Returns the views as SQL over the stored value, for filters. */
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

/** A schedule inside another object: its shape, its default, and how it is merged, stored and read. */
export const nestedSchedule = {
  shape,
  initial: viewed(always, true),
  merge: merged,
  faultsIn: contradictions,
  store: (value: unknown): object => storedPart(value as Stored),
  /** Returns SQL for the complete schedule with views. */
  sql: (stored: string): string =>
    `jsonb_build_object(${Object.entries(withinSql(stored))
      .map(([key, sql]) => `'${key}', ${sql}`)
      .join(', ')})`,
} as const;

/** Declares a field with a weekly schedule; always on by default. */
export const weeklySchedule = (name: string, doc: string): Field<WeeklySchedule> => ({
  shape: { ...shape, doc },
  access: 'write',
  stored: true,
  default: viewed(always, true),
  sql: `(r.${snakeCase(name)} || jsonb_build_object('validTime', weekly_schedule_holds(r.${snakeCase(name)})))`,
  propertySql: withinSql(`r.${snakeCase(name)}`),
  render: (cell) => viewed(storedPart(cell as Stored), (cell as WeeklySchedule).validTime),
  merge: merged,
  faultsIn: contradictions,
  store: (value) => storedPart(value as Stored),
});
