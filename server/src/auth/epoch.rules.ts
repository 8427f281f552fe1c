import type { Context } from '../context.ts';
import { rules } from '../context.ts';
import type { SaveStep } from '../kernel/write/engine.ts';
import { adminProfile } from '../user/admin-profile/admin-profile.ts';
import { userAccount } from '../user/user-account/user-account.ts';

/** Rights act on the next request of every holder: each node is told to forget what it remembers. */
const forgetCredentials = async (_step: SaveStep, { tx }: Context): Promise<void> => {
  await tx.client.query(`update auth_epoch set epoch = epoch + 1`);
  await tx.client.query(`select pg_notify('auth_changed', '')`);
};

export const adminProfileRules = rules(adminProfile, { afterSave: forgetCredentials });

/** An account that is disabled, or loses its profile, loses everything it is signed in with. */
export const userAccountRules = rules(userAccount, {
  async afterSave(step, context) {
    const { before, after, id } = step;
    const isOut = after.state !== 'ENABLED' || (before?.adminProfileDBID !== null && after.adminProfileDBID === null);
    if (before && isOut) {
      for (const table of ['api_token', 'login_session'])
        await context.tx.client.query(
          `update ${table} set revoked_at = now() where account_id = $1 and revoked_at is null`,
          [id],
        );
    }
    await forgetCredentials(step, context);
  },
});
