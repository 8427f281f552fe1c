import type { Context } from '../../context.ts';

/** Changed rights apply to the next request: the caches of all nodes are invalidated. */
export const forgetCredentials = async ({ tx }: Pick<Context, 'tx'>): Promise<void> => {
  await tx.client.query(`update auth_epoch set epoch = epoch + 1`);
  await tx.client.query(`select pg_notify('auth_changed', '')`);
};
