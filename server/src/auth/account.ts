import { everyRow } from '../kernel/access/visible-tables.ts';
import { Failure, rejected } from '../kernel/failure.ts';
import { passwordFault } from '../kernel/values/password-rules.ts';
import type { WriteTx } from '../kernel/write/runtime.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { hashPassword } from './password.ts';

const everyAccount = everyRow(
  userAccount,
  'user names are unique among all accounts, and a password must not be the user name',
);

type PasswordField = 'password' | 'newPassword';

/** Throws 422 for a password that attackers try first. `field` is its name in the request. */
export async function requireUsablePassword(
  tx: WriteTx,
  accountId: number,
  password: string,
  field: PasswordField,
): Promise<void> {
  const { rows } = await tx.client.query<{ userID: string }>(
    `select a.user_id as "userID" from ${everyAccount} a where a.id = $1`,
    [accountId],
  );
  const fault = passwordFault(password, rows[0]?.userID ?? '');
  if (fault !== undefined) throw rejected(`${field}: ${fault}; choose another password.`, `/${field}`);
}

/** Stores the local password of an account. `field` is its name in the request. Returns whether the account had one before. */
export async function setPassword(
  tx: WriteTx,
  accountId: number,
  password: string,
  field: PasswordField = 'newPassword',
): Promise<boolean> {
  await requireUsablePassword(tx, accountId, password, field);
  const { rows } = await tx.client.query<{ hadPassword: boolean }>(
    `with held as (select from password where account_id = $1)
     insert into password (account_id, hash) values ($1, $2)
     on conflict (account_id) do update set hash = excluded.hash, changed_at = now()
     returning exists (select from held) as "hadPassword"`,
    [accountId, await hashPassword(password)],
  );
  return rows[0]!.hadPassword;
}

/** Creates an administrator with a local password; the first one is created on the command line. */
export async function createAdministrator(
  tx: WriteTx,
  administrator: { userID: string; password: string; profile: string },
): Promise<number> {
  const { rows } = await tx.client.query<{ id: number }>('select id from admin_profile where lower(name) = lower($1)', [
    administrator.profile,
  ]);
  if (!rows[0]) throw rejected(`There is no admin profile ${JSON.stringify(administrator.profile)}.`);
  const { rowCount } = await tx.client.query(`select from ${everyAccount} a where lower(a.user_id) = lower($1)`, [
    administrator.userID,
  ]);
  if (rowCount) throw new Failure('duplicate', `There is already an account named ${administrator.userID}.`);
  const { id } = await tx.records.create(userAccount, { userID: administrator.userID, adminProfileDBID: rows[0].id });
  await setPassword(tx, id, administrator.password, 'password');
  return id;
}
