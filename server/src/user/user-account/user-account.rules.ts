import { forgetNetworkFailures, requireNetworkPassword } from '../../auth/auth.service.ts';
import { everyRow, type RecordValue, rules, type WriteTx } from '../../context.ts';
import { host } from '../../host/host/host.ts';
import { rejected } from '../../kernel/failure.ts';
import { assignRoles, claimRole } from '../../policy/role/role.service.ts';
import { followProfile } from '../../system/group/group.service.ts';
import { profileOf, refuseEscalation } from '../admin-profile/admin-profile.service.ts';
import { forgetCredentials, revokeCredentials } from './user-account.service.ts';
import { userAccount } from './user-account.ts';

const everyUser = everyRow(userAccount, 'the last administrator is counted among all accounts');
const everyHost = everyRow(host, 'a deleted user is logged off from all hosts, also hidden ones');

export const userAccountRules = rules(userAccount, {
  async beforeSave({ id, before, after, sent: requestBody }, { tx }) {
    if (requestBody.role !== undefined) claimRole(after);
    if (typeof requestBody.networkPassword === 'string')
      requireNetworkPassword(requestBody.networkPassword, String(after.userID));
    if (after.adminProfileDBID !== before?.adminProfileDBID) {
      if (after.adminProfileDBID) await refuseEscalation(tx, [Number(after.adminProfileDBID)]);
      const isMapped = tx.origin.credential.kind === 'system' && requestBody.adminProfileSource === 'MAPPING';
      after.adminProfileSource = after.adminProfileDBID === null ? null : isMapped ? 'MAPPING' : 'ASSIGNED';
    }
    if (before && deciding.some((field) => before[field] !== after[field]))
      await refuseLastAdministrator(tx, id, before, after);
  },

  /** Ends the sessions and tokens of an account that is disabled or loses its profile, and updates what depends on the account. */
  async afterSave(step, context) {
    const { before, after, id } = step;
    const isOut = after.state !== 'ENABLED' || (before?.adminProfileDBID !== null && after.adminProfileDBID === null);
    if (before && isOut) await revokeCredentials(context.tx, id);
    await forgetCredentials(context);
    // Devices that kept sending the old password may be locked for this account.
    if (before && typeof step.sent.networkPassword === 'string') await forgetNetworkFailures(context.tx, id);
    await followProfile(step, context);
    if (step.sent.role === '') await assignRoles(context.tx, [id]);
  },

  async beforeDelete(record, { tx }) {
    await refuseLastAdministrator(tx, Number(record.id), record, undefined);
    await logOffEverywhere(tx, String(record.userID));
  },
});

/** Logs a user off from all hosts. Hosts store the name of the user, so a new account with the same name would be logged on there. */
async function logOffEverywhere({ client }: WriteTx, userID: string): Promise<void> {
  await client.query(
    `with held as (
       select h.id from ${everyHost} h where lower(h.logged_on_user_id) = lower($1) order by h.id for no key update of h
     )
     update ${everyHost} h
     set authenticated = false, authenticated_user_id = null, authentication_expires = null, logged_on_user_id = null
     from held where held.id = h.id`,
    [userID],
  );
}

/** The fields that determine whether an account can sign in. */
const deciding = ['state', 'source', 'adminProfileDBID', 'expirationDate'] as const;

const isOpen = ({ state, source }: RecordValue): boolean => state === 'ENABLED' && source === 'LOCAL';

/** Throws if no other local account with all rights could sign in after the change. */
async function refuseLastAdministrator(
  tx: WriteTx,
  id: number,
  before: RecordValue,
  after: RecordValue | undefined,
): Promise<void> {
  if (!isOpen(before) || !(await profileOf(tx, before.adminProfileDBID))?.administrator) return;
  const lasts =
    after && isOpen(after) && (after.expirationDate === null || after.expirationDate === before.expirationDate);
  if (lasts && (await profileOf(tx, after.adminProfileDBID))?.administrator) return;
  // Serialises concurrent changes, so that two administrators cannot be removed at the same time.
  await tx.client.query(`select pg_advisory_xact_lock(hashtext('last-administrator'))`);
  const { rowCount } = await tx.client.query(
    `select from ${everyUser} a
     join admin_profile p on p.id = a.admin_profile_dbid and p.administrator
     join password w on w.account_id = a.id
     where a.id <> $1 and a.state = 'ENABLED' and a.source = 'LOCAL' and (a.expiration_date is null or a.expiration_date > now())
     limit 1`,
    [id],
  );
  if (rowCount === 0)
    throw rejected(
      `${before.userID} is the last enabled local account with all rights and must stay enabled; create another one first.`,
    );
}
