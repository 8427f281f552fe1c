/** A metric of a node or of the cell that the service monitors, with the limits of a new cell. */
export interface Threshold {
  name: string;
  metric: string;
  unit: string;
  scope: 'node' | 'cell';
  warning: number;
  critical: number;
  forSeconds: number;
}

export const thresholds = [
  { name: 'CPU', metric: 'CPU in use', unit: '%', scope: 'node', warning: 80, critical: 95, forSeconds: 300 },
  { name: 'MEMORY', metric: 'Memory in use', unit: '%', scope: 'node', warning: 85, critical: 95, forSeconds: 60 },
  { name: 'DISK', metric: 'Disk in use', unit: '%', scope: 'node', warning: 80, critical: 90, forSeconds: 60 },
  {
    name: 'DATABASE_CONNECTIONS',
    metric: 'Database connections in use',
    unit: '%',
    scope: 'cell',
    warning: 70,
    critical: 90,
    forSeconds: 60,
  },
  {
    name: 'QUEUE_DEPTH',
    metric: 'Waiting jobs',
    unit: 'jobs',
    scope: 'cell',
    warning: 5_000,
    critical: 50_000,
    forSeconds: 60,
  },
  {
    name: 'PARTITION_GROWTH',
    metric: 'Rows in 24 hours of the fastest growing log',
    unit: 'times its 7-day mean',
    scope: 'cell',
    warning: 3,
    critical: 10,
    forSeconds: 60,
  },
  {
    name: 'RADIUS_LATENCY',
    metric: 'Time for a RADIUS reply, 95th percentile in 5 minutes',
    unit: 'ms',
    scope: 'cell',
    warning: 100,
    critical: 500,
    forSeconds: 60,
  },
  {
    name: 'RADIUS_REJECT_RATE',
    metric: 'Rejects among the RADIUS replies in 5 minutes',
    unit: '%',
    scope: 'cell',
    warning: 30,
    critical: 60,
    forSeconds: 60,
  },
  {
    name: 'CONCURRENT_CONNECTIONS',
    metric: 'Open connections, of the 200,000 that a cell is made for',
    unit: '%',
    scope: 'cell',
    warning: 75,
    critical: 95,
    forSeconds: 60,
  },
] as const satisfies readonly Threshold[];
