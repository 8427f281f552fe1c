import { rules } from '../../context.ts';
import { invalidField, rejected } from '../../kernel/failure.ts';
import { isAddress } from '../../kernel/values/address.ts';
import { aaaServer } from './aaa-server.ts';

/** Labels of letters, digits, hyphens and underscores, as resolvers take them; the last one is not a number. */
const hostName =
  /^(?=.{1,253}$)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.)*(?!\d+\.?$)[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.?$/u;

const secretBytes = { min: 8, max: 128 } as const;

export const aaaServerRules = rules(aaaServer, {
  beforeSave({ after, before, sent }) {
    for (const field of ['secret', 'checkPassword'] as const) refuseLong(field, sent[field]);
    if (sent.secret === '')
      throw invalidField('secret', 'a RADIUS server cannot be without one; send a new one, or leave it out to keep it');
    if (!before && typeof sent.secret !== 'string') throw invalidField('secret', 'this field is required');
    if (after.netId !== before?.netId && !isAddress(after.netId) && !hostName.test(after.netId))
      throw rejected('netId: expected an IP address or a host name.', '/netId');
    if (after.authPort === 0 && after.acctPort === 0)
      throw rejected('Set authPort or acctPort: a server with neither is never used.', '/authPort');
  },

  /** At most one server is the default: choosing one takes it from the other. */
  async afterSave({ id, after, before }, { tx, db }) {
    if (!after.localClientDefault || before?.localClientDefault) return;
    // One after the other: two that choose at the same time would not see each other.
    await tx.client.query(`select pg_advisory_xact_lock(hashtext('aaa-server-default'))`);
    const others = await db
      .selectFrom('aaa_server')
      .select('id')
      .where('localClientDefault', '=', true)
      .where('id', '!=', id)
      .execute();
    for (const other of others) await tx.records.update(aaaServer, other.id, { localClientDefault: false });
  },
});

/** RADIUS counts bytes, not characters. */
function refuseLong(field: string, value: unknown): void {
  if (typeof value === 'string' && Buffer.byteLength(value) > secretBytes.max) {
    throw invalidField(field, `has more than ${secretBytes.max} bytes`);
  }
}
