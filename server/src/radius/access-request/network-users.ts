import { everyRow, type Runtime, secretPlace } from '../../context.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import type { Cause } from '../radius-response/radius-response.ts';

const everyUser = everyRow(userAccount, 'network logins are checked against all accounts');

/** A network user: the reason why the login is refused, or the password; a null password cannot be checked. */
export type NetworkUser = { id: number } & (
  | { refusal: Cause; password: null }
  | { refusal: null; password: string | null }
);

const userSql = `select u.id, u.state = 'ENABLED' as "isEnabled", coalesce(u.expiration_date <= now(), false) as "isExpired", u.network_password as sealed
from ${everyUser} u where lower(u.user_id) = lower($1)`;

interface Row {
  id: number;
  isEnabled: boolean;
  isExpired: boolean;
  sealed: Buffer | null;
}

/** Looks up a network user by name; undefined if no account has the name. */
export async function readNetworkUser({ pool, engine }: Runtime, name: string): Promise<NetworkUser | undefined> {
  // No account can have such a name, and the database cannot store NUL characters.
  if (name === '' || name.length > 120 || name.includes('\0')) return undefined;
  const { rows } = await pool.query<Row>({ name: 'radius.network-user', text: userSql, values: [name] });
  const [user] = rows;
  if (!user) return undefined;
  if (!user.isEnabled) return { id: user.id, refusal: 'ACCOUNT_DISABLED', password: null };
  if (user.isExpired) return { id: user.id, refusal: 'ACCOUNT_EXPIRED', password: null };
  const password =
    user.sealed &&
    (await engine.secrets.open(pool, user.sealed, secretPlace('user_account', 'network_password', user.id)));
  return { id: user.id, refusal: null, password };
}
