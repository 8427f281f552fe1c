import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, job, reconciler, type WriteTx } from '../../context.ts';
import { certificateExpired, certificateExpiring, certificateReloadFailed } from './certificate-target.events.ts';
import { certificateTarget } from './certificate-target.ts';

/** Days before the end at which it is reported; 0: it has ended. */
const reportedDays = [30, 14, 7, 1, 0];

interface Ending {
  id: number;
  name: string;
  notAfter: string;
  days: number;
  reported: number | null;
}

const endingSql = `select c.id, c.name, to_char(c.not_after at time zone 'UTC', 'YYYY-MM-DD') as "notAfter",
  greatest(0, ceil(extract(epoch from c.not_after - now()) / 86400))::integer as days, c.expiry_reported as reported
from certificate_target c where c.not_after <= now() + interval '30 days' order by c.id for update`;

/** Says in time which certificates end. */
export const certificates = reconciler('certificates', {
  doc: 'Reports certificates that end soon, or have ended.',
  everySeconds: 3_600,
  secondsMax: 60,
  async run({ context }: { context: Context }) {
    await context.write(reportEnding);
  },
});

/** Each certificate once for each number of days. */
export async function reportEnding({ client, records, emit }: WriteTx): Promise<void> {
  const { rows } = await client.query<Ending>(endingSql);
  for (const { id, name, notAfter, days, reported } of rows) {
    const due = reportedDays.findLast((each) => days <= each);
    if (due === undefined || (reported !== null && reported <= due)) continue;
    const type = due === 0 ? certificateExpired : certificateExpiring;
    await emit({ type, element: { id, name }, attributes: { notAfter } });
    await records.update(certificateTarget, id, { expiryReported: due });
  }
}

interface Listener {
  node: string;
  id: number;
  name: string;
  sha256: string;
  fault: string | null;
  hasFollowed: boolean;
}

const raiseSql = `with raised as (update listener_restart set generation = generation + 1 returning generation)
select raised.generation, pg_notify('listeners_changed', '') from raised`;

/** Nodes renew their rows every 2 s. */
const listenersSql = `select l.node, c.id, c.name, l.sha256, l.fault, l.generation >= $1 as "hasFollowed"
from node_listener l join certificate_target c on c.name = l.target
where l.renewed > clock_timestamp() - interval '10 seconds' order by l.node, c.name`;

const followSecondsMax = 30;
const lookMs = 200;

/** Has all nodes take their certificates, and reports what each of them serves then. */
export const restartListeners = job('certificate-restart', {
  doc: 'Take the certificates of listeners',
  secondsMax: 120,
  repeatable: true,
  async run(_payload, { context, signal, progress, report }) {
    const generation = await context.write(async ({ client }) => {
      const { rows } = await client.query<{ generation: number }>(raiseSql);
      return rows[0]!.generation;
    });
    let listeners = await listenersOf(context, generation);
    for (const end = performance.now() + followSecondsMax * 1_000; performance.now() < end && !signal.aborted; ) {
      const followed = listeners.filter(({ hasFollowed }) => hasFollowed).length;
      progress(followed, listeners.length);
      if (followed === listeners.length) break;
      await sleep(lookMs);
      listeners = await listenersOf(context, generation);
    }
    report(listeners.map(outcomeOf));
    const failed = listeners.filter((listener) => outcomeOf(listener).outcome === 'FAILED');
    if (failed.length === 0) return;
    await context.write(async ({ emit }) => {
      for (const { node, id, name, fault } of failed)
        await emit({
          type: certificateReloadFailed,
          element: { id, name },
          attributes: { node, why: fault ?? unfollowed },
        });
    });
  },
});

const unfollowed = `It did not follow within ${followSecondsMax} s.`;

const listenersOf = ({ query }: Context, generation: number): Promise<Listener[]> =>
  query<Listener>(listenersSql, [generation]);

function outcomeOf({ node, name, sha256, fault, hasFollowed }: Listener) {
  const item = `${name} of ${node}`;
  if (!hasFollowed || fault !== null) return { item, outcome: 'FAILED', detail: fault ?? unfollowed };
  return { item, outcome: 'DONE', detail: `serves ${sha256}` };
}
