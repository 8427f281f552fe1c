import { type ListenerTls, type Runtime, secretPlace, type WriteTx } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { certificateTarget } from './certificate-target.ts';
import { ownCertificate } from './own-certificate.ts';

export { apiTarget } from './certificate-target.ts';

const emptySql = `select c.id, (extract(epoch from now()) * 1000)::double precision as "nowMs" from certificate_target c
where c.built_in and c.certificate_pem is null and c.name = $1 for update`;

/** Gives a built-in target without a certificate a self-signed one. Nodes that start at the same time wait for the first of them. */
export async function fillEmpty({ client, records }: WriteTx, name: string): Promise<void> {
  const { rows } = await client.query<{ id: number; nowMs: number }>(emptySql, [name]);
  for (const { id, nowMs } of rows) await records.update(certificateTarget, id, await ownCertificate(nowMs));
}

const usedSql = `select c.id, c.certificate_pem as cert, c.private_key as sealed from certificate_target c where c.name = $1`;

/** The certificate of a listener and its key; a built-in target without one gets a self-signed one. */
export async function listenerCertificate(runtime: Runtime, name: string): Promise<ListenerTls> {
  await runtime.transact(systemOrigin('certificates'), (tx) => fillEmpty(tx, name));
  const { pool, engine } = runtime;
  const { rows } = await pool.query<{ id: number; cert: string; sealed: Buffer }>(usedSql, [name]);
  const { id, cert, sealed } = rows[0]!;
  const key = await engine.secrets.open(pool, sealed, secretPlace('certificate_target', 'private_key', id));
  return { cert, key };
}
