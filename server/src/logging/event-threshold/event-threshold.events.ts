import { eventType } from '../../kernel/declare/event-type.ts';
import { type Threshold, thresholds } from './thresholds.ts';

const system = 0;

const measurementFormat = '{metric} ({element}): {value} {unit}';

const typesOf = ({ name, metric }: Threshold) => {
  const common = { category: 'SYSTEM', elementType: system } as const;
  return {
    WARNING: eventType({
      ...common,
      name: `${name}_WARNING`,
      description: `${metric}: the warning limit was exceeded for the configured time.`,
      format: `${measurementFormat}, a warning from {limit} on.`,
      clear: `${name}_NORMAL`,
      syslogSeverity: 4,
    }),
    CRITICAL: eventType({
      ...common,
      name: `${name}_CRITICAL`,
      description: `${metric}: the critical limit was exceeded for the configured time.`,
      format: `${measurementFormat}, critical from {limit} on.`,
      clear: `${name}_NORMAL`,
      syslogSeverity: 2,
    }),
    NORMAL: eventType({
      ...common,
      name: `${name}_NORMAL`,
      description: `${metric}: at least 10 % below the limit again.`,
      format: `${measurementFormat}, normal again.`,
      syslogSeverity: 5,
    }),
  };
};

/** The events of a threshold, by state. */
export const eventsOf: ReadonlyMap<string, ReturnType<typeof typesOf>> = new Map(
  thresholds.map((threshold) => [threshold.name, typesOf(threshold)]),
);

export const thresholdEventTypes = [...eventsOf.values()].flatMap((types) => Object.values(types));
