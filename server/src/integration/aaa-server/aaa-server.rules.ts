import { rules } from '../../context.ts';
import { invalidField, rejected } from '../../kernel/failure.ts';
import { isAddress } from '../../kernel/values/address.ts';
import { aaaServer } from './aaa-server.ts';

/** Labels of letters, digits, hyphens and underscores, as resolvers accept them. The last label is not a number. */
const hostName =
  /^(?=.{1,253}$)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.)*(?!\d+\.?$)[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.?$/u;

const secretBytes = { min: 8, max: 128 } as const;

export const aaaServerRules = rules(aaaServer, {
  beforeSave({ after, before, sent: requestBody }) {
    for (const field of ['secret', 'checkPassword'] as const) refuseLong(field, requestBody[field]);
    if (requestBody.secret === '')
      throw invalidField('secret', 'a RADIUS server needs a shared secret; send a new one, or leave it out to keep it');
    if (!before && typeof requestBody.secret !== 'string') throw invalidField('secret', 'this field is required');
    if (after.netId !== before?.netId && !isAddress(after.netId) && !hostName.test(after.netId))
      throw rejected('netId: expected an IP address or a host name.', '/netId');
    if (after.authPort === 0 && after.acctPort === 0)
      throw rejected('Set authPort or acctPort: a server without ports is never used.', '/authPort');
  },

  /** Removes the default from the other servers, because at most one server is the default. */
  async afterSave({ id, after, before }, { tx, db }) {
    if (!after.localClientDefault || before?.localClientDefault) return;
    // Serialises concurrent requests, which would not see each other's default.
    await tx.client.query(`select pg_advisory_xact_lock(hashtext('aaa-server-default'))`);
    const previousDefaults = await db
      .selectFrom('aaa_server')
      .select('id')
      .where('localClientDefault', '=', true)
      .where('id', '!=', id)
      .execute();
    for (const previousDefault of previousDefaults)
      await tx.records.update(aaaServer, previousDefault.id, { localClientDefault: false });
  },
});

/** RADIUS counts bytes, not characters. */
function refuseLong(field: string, value: unknown): void {
  if (typeof value === 'string' && Buffer.byteLength(value) > secretBytes.max) {
    throw invalidField(field, `has more than ${secretBytes.max} bytes`);
  }
}
