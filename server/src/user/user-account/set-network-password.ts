import { forgetNetworkFailures, requireNetworkPassword } from '../../auth/auth.service.ts';
import { everyRow, type WriteTx } from '../../context.ts';
import { userAccount } from './user-account.ts';

const everyUser = everyRow(userAccount, 'whoever is at the machine of a node may set any password');

/** Gives somebody a password for the network, and an account if there is none. Returns whether it was made. */
export async function setNetworkPassword(
  { client, records }: WriteTx,
  { userID, password, role }: { userID: string; password: string; role: string | undefined },
): Promise<boolean> {
  requireNetworkPassword(password);
  const { rows } = await client.query<{ id: number }>(
    `select u.id from ${everyUser} u where lower(u.user_id) = lower($1) for update`,
    [userID],
  );
  const values = { networkPassword: password, ...(role !== undefined && { role }) };
  if (rows[0]) {
    await records.update(userAccount, rows[0].id, values);
    // Devices that still send the old password have locked the account for themselves.
    await forgetNetworkFailures({ client }, rows[0].id);
  } else await records.create(userAccount, { userID, ...values });
  return rows[0] === undefined;
}
