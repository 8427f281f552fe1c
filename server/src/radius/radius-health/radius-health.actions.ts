import { action } from '../../context.ts';
import { integerMax, type ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { invalidField } from '../../kernel/failure.ts';
import { causes } from '../radius-response/radius-response.ts';
import { engineCounters } from './engine-deltas.ts';
import { intervalStart } from './intervals.ts';
import { radiusHealth } from './radius-health.ts';
import { offsets, readClock, readNewestSpan, readSnapshots } from './read-snapshots.ts';

const { count } = shapes;
const rate = { kind: 'decimal', min: 0, max: 1 } as const;
const milliseconds = { kind: 'decimal', min: 0, max: integerMax, nullable: true } as const;
const difference = { kind: 'integer', min: -integerMax, max: integerMax } as const;
const flag = { kind: 'flag' } as const;

/** Snapshots of a response: more than the minutes of a day. */
const snapshotsMax = 1_500;
const spanDaysMax = 31;
const msPerUnit = [60_000, 3_600_000, 86_400_000];

const engineDocs: Record<(typeof engineCounters)[number], string> = {
  requests: 'Requests, including the Status-Server requests of the nodes to their engines.',
  accepts: 'Access-Accepts.',
  rejects: 'Access-Rejects.',
  challenges: 'Access-Challenges.',
  duplicates: 'Repeated requests.',
  malformed: 'Requests that were malformed, or unsigned from a device that must sign.',
  invalid: 'Requests from addresses of no access device.',
  dropped: 'Requests that an engine dropped.',
  conflicts: 'Requests that replaced an earlier one with the same identifier.',
};

const snapshot = {
  kind: 'object',
  name: 'RadiusHealthSnapshot',
  columns: ['date', 'totalCount', 'failureRate', 'p95Ms'],
  properties: {
    date: { kind: 'time', doc: 'Start of the snapshot.' },
    duration: { ...count, doc: 'Seconds that it covers.' },
    acceptCount: { ...count, doc: 'Accepts.' },
    rejectCount: { ...count, doc: 'Rejects.' },
    totalCount: { ...count, doc: 'Accepts and rejects.' },
    failureRate: { ...rate, doc: 'Rejects as a share of all replies.' },
    rejectCountByCause: {
      kind: 'map',
      value: count,
      max: causes.length,
      keys: causes,
      doc: 'Rejects by cause; causes without a reject are absent.',
    },
    meanMs: { ...milliseconds, doc: 'Mean time that the nodes took for a reply; null: there were none.' },
    p95Ms: {
      ...milliseconds,
      doc: '95th percentile of that time, exact up to 20 ms and else rounded up by at most a tenth; null: there were no replies.',
    },
    engine: {
      kind: 'object',
      name: 'RadiusEngineCounters',
      doc: 'What the counters of the engines added, summed over nodes.',
      properties: {
        ...Object.fromEntries(engineCounters.map((name) => [name, { ...count, doc: engineDocs[name] }])),
        acctRequests: { ...count, doc: 'Accounting requests that the nodes received.' },
        queueLenAuth: { ...count, doc: 'Requests in the queues of the engines, at the end of an interval.' },
        ppsIn: { ...count, doc: 'Packets per second that the engines received, at the end of an interval.' },
        startTime: { kind: 'time', nullable: true, doc: 'Newest start of an engine; null: none replied.' },
        hupTime: { kind: 'time', nullable: true, doc: 'Newest reload of an engine; null: none replied.' },
      },
    },
    historicalStats: {
      kind: 'list',
      max: offsets.length,
      doc: 'The same window one hour, day and week before.',
      item: {
        kind: 'object',
        name: 'RadiusHealthComparison',
        properties: {
          offset: { ...count, doc: 'Seconds between the windows.' },
          offsetType: shapes.code(
            offsets.map(({ offsetTypeStr }) => offsetTypeStr),
            1,
          ),
          offsetTypeStr: { kind: 'choice', values: offsets.map(({ offsetTypeStr }) => offsetTypeStr) },
          failureRate: { ...rate, doc: 'Failure rate of the earlier window.' },
          failureRateDelta: { kind: 'decimal', min: -1, max: 1, doc: 'Difference of the failure rates.' },
          failureRateIncrease: { ...flag, doc: 'True: the failure rate is higher than in the earlier window.' },
          failureRateWarning: {
            ...flag,
            doc: 'True: the failure rate is above 10 % and twice that of the earlier window, in at least 50 requests.',
          },
          acceptCount: { ...count, doc: 'Accepts of the earlier window.' },
          acceptDelta: { ...difference, doc: 'Difference of the accepts.' },
          acceptDecrease: { ...flag, doc: 'True: there are fewer accepts.' },
          acceptWarning: {
            ...flag,
            doc: 'True: there are fewer than half of the accepts of an earlier window with at least 50 requests.',
          },
          rejectCount: { ...count, doc: 'Rejects of the earlier window.' },
          rejectDelta: { ...difference, doc: 'Difference of the rejects.' },
          rejectIncrease: { ...flag, doc: 'True: there are more rejects.' },
          rejectWarning: {
            ...flag,
            doc: 'True: there are at least 50 rejects, and more than twice those of the earlier window.',
          },
          totalCount: { ...count, doc: 'Accepts and rejects of the earlier window.' },
        },
      },
    },
  },
} as const satisfies ObjectShape;

const current = action(radiusHealth, {
  name: 'current',
  method: 'GET',
  path: '',
  doc: 'Show how authentication is doing since the last interval began',
  result: snapshot,
  async run(_call, context) {
    const span = await readNewestSpan(context);
    return span ? readSnapshots(context, span) : [];
  },
});

const latest = action(radiusHealth, {
  name: 'latest',
  method: 'GET',
  path: '/latest',
  doc: 'List the snapshots of the last minutes, hours or days',
  query: {
    timespan: { shape: { kind: 'integer', min: 1, max: spanDaysMax * 1_440, doc: 'Length of the time. Default: 60.' } },
    timespanUnit: {
      shape: { ...shapes.code(['minutes', 'hours', 'days'], 1), doc: 'Unit of the time. Default: 1, minutes.' },
    },
  },
  result: snapshot,
  async run({ query: { timespan = 60, timespanUnit = 1 } }, context) {
    const spanMs = timespan * msPerUnit[timespanUnit - 1]!;
    requireSpan('timespan', spanMs);
    const { snapshotSeconds, toMs } = await readClock(context);
    requireCount('timespan', spanMs, snapshotSeconds);
    const fromMs = intervalStart(toMs - spanMs, snapshotSeconds);
    return readSnapshots(context, { fromMs, toMs, bucketSeconds: snapshotSeconds });
  },
});

const timeline = action(radiusHealth, {
  name: 'timeline',
  method: 'GET',
  path: '/timeline',
  doc: 'List snapshots of a time, each of a given length',
  query: {
    start: { shape: { kind: 'time', doc: 'Start of the first snapshot. Default: an hour before the end.' } },
    end: { shape: { kind: 'time', doc: 'End of the last snapshot. Default: now.' } },
    interval: {
      shape: {
        kind: 'integer',
        min: 10,
        max: spanDaysMax * 86_400,
        doc: 'Seconds of a snapshot. Default: the stored interval. A stored interval counts for the snapshot that it began in.',
      },
    },
  },
  result: snapshot,
  async run({ query: { start, end, interval } }, context) {
    const { snapshotSeconds, toMs: storedToMs } = await readClock(context);
    const endMs = end === undefined ? storedToMs : Date.parse(end);
    const fromMs = start === undefined ? endMs - msPerUnit[1]! : Date.parse(start);
    if (fromMs >= endMs) throw invalidField('start', 'must be before the end');
    const bucketSeconds = interval ?? snapshotSeconds;
    requireSpan('start', endMs - fromMs);
    requireCount('interval', endMs - fromMs, bucketSeconds);
    return readSnapshots(context, { fromMs, toMs: Math.min(endMs, storedToMs), bucketSeconds });
  },
});

function requireSpan(parameter: string, spanMs: number): void {
  if (spanMs > spanDaysMax * msPerUnit[2]!) throw invalidField(parameter, `spans more than ${spanDaysMax} days`);
}

function requireCount(parameter: string, spanMs: number, bucketSeconds: number): void {
  if (spanMs / (bucketSeconds * 1_000) > snapshotsMax)
    throw invalidField(
      parameter,
      `makes more than ${snapshotsMax} snapshots; use /radius/radius-health/timeline with a longer interval`,
    );
}

const snapshotInterval = action(radiusHealth, {
  name: 'snapshot-interval',
  method: 'GET',
  path: '/snapshot-interval',
  doc: 'Show the interval of the snapshots',
  result: {
    kind: 'object',
    name: 'RadiusSnapshotInterval',
    properties: { interval: { ...count, doc: 'Seconds.' } },
  } as const satisfies ObjectShape,
  run: (_call, { query }) =>
    query<{ interval: number }>('select g.snapshot_interval as interval from radius_global g', []),
});

export const radiusHealthActions = [current, latest, timeline, snapshotInterval];
