import { type Context, job, reconciler, type WriteTx } from '../../context.ts';
import { followListeners, outcomeOf } from '../tls-service-configuration/tls-service-configuration.service.ts';
import { certificateExpired, certificateExpiring, certificateReloadFailed } from './certificate-target.events.ts';

/** Days before expiry at which an event is emitted; 0: expired. */
const reportedDays = [30, 14, 7, 1, 0];

interface Ending {
  id: number;
  name: string;
  notAfter: string;
  days: number;
  reported: number | null;
}

const endingSql = `select c.id, c.name, to_char(c.not_after at time zone 'UTC', 'YYYY-MM-DD') as "notAfter",
  greatest(0, ceil(extract(epoch from c.not_after - now()) / 86400))::integer as days, w.expiry_reported as reported
from certificate_target c left join certificate_report w on w.certificate_id = c.id
where c.not_after <= now() + interval '30 days' order by c.id for update of c`;

const noteExpirySql = `insert into certificate_report (certificate_id, expiry_reported) values ($1, $2)
  on conflict (certificate_id) do update set expiry_reported = excluded.expiry_reported`;

/** Reports certificates before they expire. */
export const certificates = reconciler('certificates', {
  doc: 'Reports certificates that end soon, or have ended, and revocation lists that have.',
  everySeconds: 3_600,
  secondsMax: 60,
  async run({ context }: { context: Context }) {
    await context.write(reportEnding);
  },
});

/** Reports each certificate once per threshold, and each expired revocation list once. */
export async function reportEnding(tx: WriteTx): Promise<void> {
  await reportEndingCertificates(tx);
  await reportEndedLists(tx);
}

async function reportEndingCertificates({ client, emit }: WriteTx): Promise<void> {
  const { rows } = await client.query<Ending>(endingSql);
  for (const { id, name, notAfter, days, reported } of rows) {
    const due = reportedDays.findLast((reportedDay) => days <= reportedDay);
    if (due === undefined || (reported !== null && reported <= due)) continue;
    const type = due === 0 ? certificateExpired : certificateExpiring;
    await emit({ type, element: { id, name }, attributes: { what: 'certificate', notAfter } });
    await client.query(noteExpirySql, [id, due]);
  }
}

interface EndedList {
  id: number;
  name: string;
  notAfter: string;
}

const endedListsSql = `select c.id, c.name, to_char(c.crl_next_update at time zone 'UTC', 'YYYY-MM-DD') as "notAfter"
from certificate_target c left join certificate_report w on w.certificate_id = c.id
where c.crl_next_update <= now() and w.crl_reported is not true order by c.id for update of c`;

const noteListSql = `insert into certificate_report (certificate_id, crl_reported) values ($1, true)
  on conflict (certificate_id) do update set crl_reported = true`;

/** An expired revocation list makes listeners refuse all certificates of its authority. */
async function reportEndedLists({ client, emit }: WriteTx): Promise<void> {
  const { rows } = await client.query<EndedList>(endedListsSql);
  for (const { id, name, notAfter } of rows) {
    await emit({
      type: certificateExpiring,
      element: { id, name },
      attributes: { what: 'revocation list', notAfter },
    });
    await client.query(noteListSql, [id]);
  }
}

/** Makes all nodes load their certificates, and reports the certificate that each one serves then. */
export const restartListeners = job('certificate-restart', {
  doc: 'Take the certificates of listeners',
  secondsMax: 120,
  repeatable: true,
  async run(payload, run) {
    const { certificates } = payload as { certificates?: string[] };
    const listeners = await followListeners(run, { certificates }, run.progress);
    run.report(listeners.map(outcomeOf));
    const failed = listeners.filter(({ fault }) => fault !== null);
    if (failed.length === 0) return;
    await run.context.write(async ({ emit }) => {
      for (const { node, certificateId: id, certificate: name, fault } of failed)
        await emit({ type: certificateReloadFailed, element: { id, name }, attributes: { node, why: fault ?? '' } });
    });
  },
});
