import { type Context, reconciler, type WriteTx } from '../../context.ts';
import { certificateExpired, certificateExpiring } from './certificate-target.events.ts';
import { certificateTarget } from './certificate-target.ts';

/** Days before the end at which people are told; 0: it has ended. */
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
