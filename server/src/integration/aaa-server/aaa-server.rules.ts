import { rules } from '../../context.ts';
import { invalidField, rejected } from '../../kernel/failure.ts';
import { isAddress } from '../../kernel/values/address.ts';
import { isUsableSecret } from '../../radius/engine-files/engine-files.ts';
import { raiseGenerationAfterDelete, raiseRadius } from '../../radius/rollout/rollout.service.ts';
import { raiseIfForwarded, refuseLoop } from '../aaa-mappings/aaa-mappings.service.ts';
import { aaaServer } from './aaa-server.ts';

/** Labels of letters, digits, hyphens and underscores, as resolvers accept them. The last label is not a number. */
const hostName =
  /^(?=.{1,253}$)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.)*(?!\d+\.?$)[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.?$/u;

const secretBytes = { min: 8, max: 128 } as const;

export const aaaServerRules = rules(aaaServer, {
  async beforeSave({ after, before, sent: requestBody }, context) {
    for (const field of ['secret', 'checkPassword'] as const) refuseLong(field, requestBody[field]);
    if (requestBody.secret === '')
      throw invalidField('secret', 'a RADIUS server needs a shared secret; send a new one, or leave it out to keep it');
    if (!before && typeof requestBody.secret !== 'string') throw invalidField('secret', 'this field is required');
    if (typeof requestBody.secret === 'string' && !isUsableSecret(requestBody.secret))
      throw invalidField('secret', 'must not have a backslash or a control character');
    if (after.netId !== before?.netId && !isAddress(after.netId) && !hostName.test(after.netId))
      throw rejected('netId: expected an IP address or a host name.', '/netId');
    if (after.authPort === 0 && after.acctPort === 0)
      throw rejected('Set authPort or acctPort: a server without ports is never used.', '/authPort');
    if (after.netId !== before?.netId || after.authPort !== before?.authPort)
      await refuseLoop(context, after.netId, after.authPort);
  },

  /** Rolls out a server that logins are forwarded to. Removes the default from the other servers, because at most one server is the default. */
  async afterSave({ id, after, before, sent: requestBody }, { tx, db }) {
    const isMoved = before && (after.netId !== before.netId || after.authPort !== before.authPort);
    if (after.flrPriority !== (before?.flrPriority ?? 0)) await raiseRadius(tx.client);
    else if (isMoved || (before && requestBody.secret)) await raiseIfForwarded(tx.client, id);
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

  /** Rolls out the removal of a federation-level server; mapped servers cannot be deleted. */
  beforeDeleteMany: raiseGenerationAfterDelete,
});

/** RADIUS counts bytes, not characters. */
function refuseLong(field: string, value: unknown): void {
  if (typeof value === 'string' && Buffer.byteLength(value) > secretBytes.max) {
    throw invalidField(field, `has more than ${secretBytes.max} bytes`);
  }
}
