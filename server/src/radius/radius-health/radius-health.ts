import { log } from '../../kernel/declare/declaration.ts';
import { computed, field, identity, integer, landscape, text } from '../../kernel/declare/field.ts';
import { integerMax } from '../../kernel/declare/shape.ts';
import { engineCounters } from './engine-deltas.ts';

const counter = (doc: string) => integer({ min: 0, max: integerMax, doc });
const count = { kind: 'integer', min: 0, max: integerMax } as const;

/** Maximum number of causes of rejects. */
const causesMax = 60;
/** Maximum number of classes of durations: see `durationBounds`. */
export const durationsMax = 120;

/**
 * What each node counted in an interval: the replies of the node, and what the counters of its engine added. The row is written once, some
 * seconds after the interval, and its id contains the start of the interval.
 */
export const radiusHealth = log({
  name: 'radius-health',
  title: 'RADIUS health interval',
  path: '/radius/radius-health',
  permission: 'radius',
  doc: 'Counts of RADIUS authentication, one row for each node and interval.',
  patterns: [],
  slice: 'day',
  age: { setting: 'radiusResponseDays', days: 30 },
  identity: 'id',
  label: 'clusterNode',
  timeField: 'date',
  indexes: [],
  units: { seconds: 's', durationMsSum: 'ms' },
  sections: {
    Interval: ['date', 'clusterNode', 'seconds'],
    Replies: ['acceptCount', 'rejectCount', 'rejectCountByCause', 'durationMsSum', 'durationCounts'],
    Engine: [...engineCounters, 'acctRequests', 'queueLenAuth', 'ppsIn', 'startSeconds', 'hupSeconds'],
  },
  fields: {
    id: identity('Identity of the row; it contains the start of the interval.'),
    landscape,
    date: computed<string>({ kind: 'time' }, 'r.at', { doc: 'Start of the interval.' }),
    clusterNode: text({ max: 253, doc: 'Name of the node.' }),
    seconds: integer({ min: 1, max: 3_600, doc: 'Length of the interval.' }),
    acceptCount: counter('Accepts that the node sent.'),
    rejectCount: counter('Rejects that the node sent.'),
    rejectCountByCause: field<Record<string, number>>(
      { kind: 'map', value: count, max: causesMax },
      { doc: 'Rejects by cause.' },
    ),
    durationMsSum: counter('Sum of the durations of the replies.'),
    durationCounts: field<Record<string, number>>(
      { kind: 'map', value: count, max: durationsMax },
      { doc: 'Replies by their duration: the largest duration of each class in milliseconds, and its replies.' },
    ),
    requests: counter('Requests that the engine received, including Status-Server.'),
    accepts: counter('Access-Accepts that the engine sent.'),
    rejects: counter('Access-Rejects that the engine sent.'),
    challenges: counter('Access-Challenges that the engine sent.'),
    duplicates: counter('Repeated requests.'),
    malformed: counter('Requests that were malformed, or unsigned from a device that must sign.'),
    invalid: counter('Requests from addresses of no access device.'),
    dropped: counter('Requests that the engine dropped.'),
    conflicts: counter('Requests that replaced an earlier one with the same identifier.'),
    acctRequests: counter('Accounting requests that the node received.'),
    queueLenAuth: counter('Requests in the queue of the engine at the end of the interval.'),
    ppsIn: counter('Packets per second that the engine received at the end of the interval.'),
    startSeconds: counter('Start of the engine, in seconds since 1970; 0: it did not reply.'),
    hupSeconds: counter('Last reload of the engine, in seconds since 1970; 0: it did not reply.'),
  },
});
