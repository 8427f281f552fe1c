import { collection, type RowOf } from '../../kernel/declare/declaration.ts';
import { computed, field, flag, identity, integer, modified, text, version } from '../../kernel/declare/field.ts';

const limit = { kind: 'decimal', min: 0.001, max: 1_000_000_000, nullable: true } as const;

/** Recent measurements of nodes; those of stopped nodes are excluded by their age. */
const recentStatesSql = `from threshold_state s where s.threshold_id = r.id and s.measured_at > now() - interval '2 minutes'`;

/** A threshold for self-monitoring of the service. */
export const eventThreshold = collection({
  name: 'event-threshold',
  title: 'Event threshold',
  permission: 'events-alarms',
  doc: 'Thresholds for self-monitoring of the service; crossing one emits an event.',
  patterns: [],
  fields: {
    id: identity(),
    version,
    ...modified,
    name: text({
      min: 1,
      max: 60,
      unique: true,
      doc: 'Name of the threshold, and prefix of its event names: CPU gives CPU_WARNING.',
    }),
    metric: text({ max: 120, doc: 'Description of the measured value.' }),
    unit: text({ max: 40 }),
    warning: field<number | null>(limit, { default: null, doc: 'Limit for a warning; null: none.' }),
    critical: field<number | null>(limit, { default: null, doc: 'Limit for the state CRITICAL; null: none.' }),
    forSeconds: integer({
      min: 0,
      max: 86_400,
      default: 60,
      doc: 'Seconds for which the value must be at or above the limit before an event is emitted.',
    }),
    enabled: flag({ default: true }),
    current: computed<number | null>(
      { kind: 'decimal', min: 0, max: Number.MAX_SAFE_INTEGER, nullable: true },
      `(select max(s.current) ${recentStatesSql})`,
      { doc: 'Highest current value of all nodes; null: none yet.' },
    ),
    state: computed<string>(
      { kind: 'choice', values: ['OK', 'WARNING', 'CRITICAL'] },
      `coalesce((select s.state ${recentStatesSql} order by array_position('{CRITICAL,WARNING,OK}', s.state) limit 1), 'OK')`,
      { doc: 'The worst state of any node.' },
    ),
  },
});

declare module '../../database.ts' {
  interface Database {
    event_threshold: RowOf<typeof eventThreshold>;
  }
}
