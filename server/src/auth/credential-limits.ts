import type pg from 'pg';
import type { Call } from '../kernel/declare/operation.ts';
import { allows } from '../kernel/declare/permissions.ts';
import { Failure } from '../kernel/failure.ts';

/** Locks the credentials of an account until the end of the transaction, so that no other request adds one after they are counted. */
export async function lockCredentials(client: pg.ClientBase, accountId: number): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('account-credentials'), hashtext($1::text))`, [accountId]);
}

/** Throws if a token with scopes changes another credential, unless the scopes include the right for the credentials of other users. */
export function requireUnlimitedCredential({ caller }: Call, publicId: string): void {
  const { credential, rights } = caller;
  if (credential.scopes === null || credential.publicId === publicId || allows(rights, 'admin-profiles', 'modify'))
    return;
  throw new Failure(
    'forbidden',
    'A token with scopes cannot change other tokens or sessions of its owner; sign in, or use a token without scopes.',
  );
}
