import type { Context, WriteTx } from '../../context.ts';

/** Ends all sessions and tokens of an account, on every node. */
export async function revokeCredentials({ client }: WriteTx, accountId: number): Promise<void> {
  for (const table of ['api_token', 'login_session'])
    await client.query(`update ${table} set revoked_at = now() where account_id = $1 and revoked_at is null`, [
      accountId,
    ]);
}

/** Clears the credential caches of all nodes, so that changed rights apply to the next request. */
export const forgetCredentials = async ({ tx }: Pick<Context, 'tx'>): Promise<void> => {
  await tx.client.query(`update auth_epoch set epoch = epoch + 1`);
  await tx.client.query(`select pg_notify('auth_changed', '')`);
};
