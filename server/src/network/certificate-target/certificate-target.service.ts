import type { WriteTx } from '../../context.ts';
import { certificateTarget } from './certificate-target.ts';
import { ownCertificate } from './own-certificate.ts';

const emptySql = `select c.id, (extract(epoch from now()) * 1000)::double precision as "nowMs" from certificate_target c
where c.built_in and c.certificate_pem is null and c.name = $1 for update`;

/**
 * Creates a self-signed certificate for a built-in target without one. Nodes that start at the same time wait for the
 * first of them.
 */
export async function fillEmpty({ client, records }: WriteTx, name: string): Promise<void> {
  const { rows } = await client.query<{ id: number; nowMs: number }>(emptySql, [name]);
  for (const { id, nowMs } of rows) await records.update(certificateTarget, id, await ownCertificate(nowMs));
}
