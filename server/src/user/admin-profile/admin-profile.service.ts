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

/** Nobody makes somebody else mightier than they are themselves, by none of these profiles. One that does not exist is the kernel's to refuse. */
export async function refuseEscalation(tx: WriteTx, profileIds: readonly number[]): Promise<void> {
  if (tx.origin.rights === 'everything') return;
  for (const id of profileIds) {
    const profile = await profileOf(tx, id);
    if (profile) requireProfileNotExceeding(tx, profile);
  }
}

/**
 * Nobody changes, resets, unlocks or removes an account that may do or see more than they. Both the profile that is written down and the
 * one that mappings give count, and of two who see what their groups manage, what these groups are.
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
    throw new Failure(
      'forbidden',
      'This account manages groups that the caller does not, and is not theirs to change.',
    );
}

function requireProfileNotExceeding({ origin: { rights: callerRights, limits } }: WriteTx, profile: Profile): void {
  const granted: Rights = profile.administrator ? 'everything' : rightsOf(grantsOf(profile.permissions));
  const missingRight = firstBeyond(callerRights, granted);
  if (missingRight) throw forbidden(...missingRight);
  refuseWiderVisibility(limits, profile);
  if (granted === 'everything')
    throw new Failure('forbidden', 'adminProfileDBID: only an administrator with all rights can grant all rights.');
}

/** Nobody puts people into groups that make them mightier than themselves: by joining these, or by being nested in them. */
export async function requireMembersNotExceeding(tx: WriteTx, groupIds: readonly number[]): Promise<void> {
  await refuseMapped(tx, groupIds, 'm');
}

/** Nor takes them out of groups that kept them from more: a mapping behind would decide instead. */
export async function requireNotExceedingWithout(tx: WriteTx, groupIds: readonly number[]): Promise<void> {
  await refuseMapped(tx, groupIds, 'b');
}

/** Profiles that the mappings `m` of groups give, or those `b` behind them. */
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

/** Groups that members of these get with them: what they and those above them manage. */
const managedBy = `select g.managed_id from group_closure u join group_manages g on g.group_id = u.ancestor_id
  where u.descendant_id = any($1::bigint[])`;

/**
 * Who sees only what their groups manage lets nobody see more, themselves included. `joined`: groups that people or groups come into;
 * `shown`: groups whose members come into the sight of administrators. Asked before the change, which may widen what the caller sees.
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
      'The caller sees only the members of the groups they manage, and cannot grant themselves or others more visibility.',
    );
}
