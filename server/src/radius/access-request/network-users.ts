import { everyRow, type Runtime, secretPlace } from '../../context.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import type { Cause } from '../radius-response/radius-response.ts';

const everyUser = everyRow(userAccount, 'who logs in to the network is looked up among all');

/** What is known of a name: whether it may log in, and its password. */
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

/** Looks up who logs in to the network; undefined: nobody has that name. */
export async function readNetworkUser({ pool, engine }: Runtime, name: string): Promise<NetworkUser | undefined> {
  // No account has such a name, and the database takes no zeros.
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
