import { managedGroups, type Narrowed, refuseWiderVisibility } from '../../auth/auth.service.ts';
import type { WriteTx } from '../../context.ts';
import { firstBeyond, grantsOf, type Rights, rightsOf } from '../../kernel/declare/permissions.ts';
import { Failure, forbidden } from '../../kernel/failure.ts';

export { type PermissionView, permissionPages } from './permission-views.ts';

interface Profile extends Narrowed {
  permissions: NonNullable<Narrowed['permissions']>;
}

export async function profileOf({ client }: WriteTx, id: unknown): Promise<Profile | undefined> {
  const { rows } = await client.query<Profile>(
    'select p.administrator, p.permissions, p.manage_by_groups as "manageByGroups" from admin_profile p where p.id = $1',
    [id],
  );
  return rows[0];
}

/** Throws if one of these profiles exceeds the caller's permissions. The kernel refuses a profile that does not exist. */
export async function refuseEscalation(tx: WriteTx, profileIds: readonly number[]): Promise<void> {
  if (tx.origin.rights === 'everything') return;
  for (const id of profileIds) {
    const profile = await profileOf(tx, id);
    if (profile) requireProfileNotExceeding(tx, profile);
  }
}

/**
 * Throws if an account exceeds the caller's permissions, so that the caller cannot change, reset, unlock or delete it. Checks the stored
 * profile and the one that mappings give. If the caller is limited to managed groups, the account must not manage other groups.
 */
export async function requireNotExceeding(
  tx: WriteTx,
  account: { id: number; profile: number | null; effective: number | null },
): Promise<void> {
  const profiles = new Set([account.profile, account.effective].filter((id) => id !== null));
  await refuseEscalation(tx, [...profiles]);
  const { client, origin } = tx;
  if (!origin.limits?.byGroups || profiles.size === 0 || account.id === origin.limits.accountId) return;
  const { rowCount } = await client.query(
    `select from (${managedGroups('$1::bigint')}) w(id) where w.id not in (${managedGroups('$2::bigint')}) limit 1`,
    [account.id, origin.limits.accountId],
  );
  if (rowCount)
    throw new Failure('forbidden', 'This account manages groups that you do not manage, so you cannot change it.');
}

function requireProfileNotExceeding({ origin: { rights: callerRights, limits } }: WriteTx, profile: Profile): void {
  const granted: Rights = profile.administrator ? 'everything' : rightsOf(grantsOf(profile.permissions));
  const missingRight = firstBeyond(callerRights, granted);
  if (missingRight) throw forbidden(...missingRight);
  refuseWiderVisibility(limits, profile);
  if (granted === 'everything')
    throw new Failure('forbidden', 'adminProfileDBID: only an administrator with all rights can grant all rights.');
}

/** Throws if new members or nested groups of these groups would get a profile that exceeds the caller's permissions. */
export async function requireMembersNotExceeding(tx: WriteTx, groupIds: readonly number[]): Promise<void> {
  await refuseMapped(tx, groupIds, 'm');
}

/** Throws if members removed from these groups could get a profile that exceeds the caller's permissions, by a lower ranked mapping. */
export async function requireNotExceedingWithout(tx: WriteTx, groupIds: readonly number[]): Promise<void> {
  await refuseMapped(tx, groupIds, 'b');
}

/** Checks the profiles of the mappings of groups (`m`), or of all lower ranked mappings (`b`). */
async function refuseMapped(tx: WriteTx, groupIds: readonly number[], giving: 'm' | 'b'): Promise<void> {
  if (tx.origin.rights === 'everything') return;
  const { rows } = await tx.client.query<{ profile: number }>(
    `select distinct ${giving}.admin_profile_dbid as profile
     from group_closure c
     join admin_profile_mapping m on m.group_dbid = c.ancestor_id
     left join admin_profile_mapping b on b.rank > m.rank
     where c.descendant_id = any($1::bigint[]) and ${giving}.id is not null`,
    [groupIds],
  );
  await refuseEscalation(
    tx,
    rows.map(({ profile }) => profile),
  );
}

/** Selects the groups that members of the given groups manage by them and by their ancestors. */
const managedBy = `select g.managed_id from group_closure u join group_manages g on g.group_id = u.ancestor_id
  where u.descendant_id = any($1::bigint[])`;

/**
 * Throws if a caller who is limited to managed groups would widen the visibility of any account, also of their own. `joined` are groups that
 * get new members; `shown` are groups whose members become visible to administrators. Must run before the change, which may widen the
 * visibility of the caller.
 */
export async function refuseWiderReach(
  { client, origin: { limits } }: WriteTx,
  { joined = [], shown = [] }: { joined?: readonly number[]; shown?: readonly number[] },
): Promise<void> {
  if (!limits?.byGroups) return;
  const { rowCount } = await client.query(
    `select from (${managedBy} union all select unnest($2::bigint[])) w(id)
     where w.id not in (${managedGroups('$3::bigint')}) limit 1`,
    [joined, shown, limits.accountId],
  );
  if (rowCount)
    throw new Failure(
      'forbidden',
      'You see only the members of the groups that you manage, and cannot grant more visibility.',
    );
}
