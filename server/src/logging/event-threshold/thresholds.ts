import { eventType } from '../../kernel/event-type.ts';

/** What the service watches about itself, with the limits a new cell begins with. Of a node, or of what all nodes share. */
export interface Threshold {
  name: string;
  metric: string;
  unit: string;
  of: 'node' | 'cell';
  warning: number;
  critical: number;
  forSeconds: number;
}

export const thresholds = [
  { name: 'CPU', metric: 'CPU in use', unit: '%', of: 'node', warning: 80, critical: 95, forSeconds: 300 },
  { name: 'MEMORY', metric: 'Memory in use', unit: '%', of: 'node', warning: 85, critical: 95, forSeconds: 60 },
  { name: 'DISK', metric: 'Disk in use', unit: '%', of: 'node', warning: 80, critical: 90, forSeconds: 60 },
  {
    name: 'DATABASE_CONNECTIONS',
    metric: 'Database connections in use',
    unit: '%',
    of: 'cell',
    warning: 70,
    critical: 90,
    forSeconds: 60,
  },
  {
    name: 'QUEUE_DEPTH',
    metric: 'Jobs that wait',
    unit: 'jobs',
    of: 'cell',
    warning: 5_000,
    critical: 50_000,
    forSeconds: 60,
  },
  {
    name: 'PARTITION_GROWTH',
    metric: "Today's rows of the log that grows most",
    unit: 'times its 7-day mean',
    of: 'cell',
    warning: 3,
    critical: 10,
    forSeconds: 60,
  },
] as const satisfies readonly Threshold[];

const system = 0;
const measured = '{metric} ({element}): {value} {unit}';

const typesOf = ({ name, metric }: Threshold) => {
  const common = { category: 'SYSTEM', elementType: system } as const;
  return {
    WARNING: eventType({
      ...common,
      name: `${name}_WARNING`,
      description: `${metric}: the warning limit was reached and held.`,
      format: `${measured}, a warning from {limit} on.`,
      clear: `${name}_NORMAL`,
      syslogSeverity: 4,
    }),
    CRITICAL: eventType({
      ...common,
      name: `${name}_CRITICAL`,
      description: `${metric}: the critical limit was reached and held.`,
      format: `${measured}, critical from {limit} on.`,
      clear: `${name}_NORMAL`,
      syslogSeverity: 2,
    }),
    NORMAL: eventType({
      ...common,
      name: `${name}_NORMAL`,
      description: `${metric}: back at least a tenth below the limit.`,
      format: `${measured}, normal again.`,
      syslogSeverity: 5,
    }),
  };
};

/** The events of a threshold, by what they tell. */
export const eventsOf: ReadonlyMap<string, ReturnType<typeof typesOf>> = new Map(
  thresholds.map((threshold) => [threshold.name, typesOf(threshold)]),
);

export const thresholdEventTypes = [...eventsOf.values()].flatMap((types) => Object.values(types));
