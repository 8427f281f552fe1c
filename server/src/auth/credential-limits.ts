import type pg from 'pg';
import type { Call } from '../kernel/declare/operation.ts';
import { allows } from '../kernel/declare/permissions.ts';
import { Failure } from '../kernel/failure.ts';

/** Until the transaction ends nobody else adds a credential to the account: limits are counted, then kept. */
export async function lockCredentials(client: pg.ClientBase, accountId: number): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('account-credentials'), hashtext($1::text))`, [accountId]);
}

/** What is limited to scopes touches no credential but itself, unless the scopes include those of others. */
export function requireUnlimitedCredential({ caller }: Call, publicId: string): void {
  const { credential, rights } = caller;
  if (credential.scopes === null || credential.publicId === publicId || allows(rights, 'admin-profiles', 'modify'))
    return;
  throw new Failure(
    'forbidden',
    'A credential with scopes touches no other token or session of its owner; sign in, or use a token without scopes.',
  );
}
