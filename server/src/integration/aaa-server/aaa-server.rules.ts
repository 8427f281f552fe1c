import { rules } from '../../context.ts';
import { invalid, rejected } from '../../kernel/failure.ts';
import { aaaServer } from './aaa-server.ts';

const secretBytes = { min: 8, max: 128 } as const;

export const aaaServerRules = rules(aaaServer, {
  beforeSave({ after, before, sent }) {
    for (const field of ['secret', 'checkPassword']) refuseLong(field, sent[field]);
    if (sent.secret === '')
      throw invalid([
        {
          pointer: '/secret',
          message: 'secret: a RADIUS server cannot be without one; send a new one, or leave it out to keep it.',
        },
      ]);
    if (!before && typeof sent.secret !== 'string')
      throw invalid([{ pointer: '/secret', message: 'secret: this field is required.' }]);
    if (after.authPort === 0 && after.acctPort === 0)
      throw rejected('authPort and acctPort are both 0: such a server has no duty.', '/authPort');
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
    throw invalid([{ pointer: `/${field}`, message: `${field}: has more than ${secretBytes.max} bytes.` }]);
  }
}
