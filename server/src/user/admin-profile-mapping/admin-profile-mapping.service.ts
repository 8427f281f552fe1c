import { everyRow, type WriteTx } from '../../context.ts';
import { userAccount } from '../user-account/user-account.ts';
import { adminPrivilegeChanged } from './admin-profile-mapping.events.ts';

const everyUser = everyRow(userAccount, 'mappings apply to every account');

interface Remapped {
  id: number;
  userID: string;
  before: string | null;
  after: string | null;
  profile: number | null;
  rank: number | null;
}

const remappedSql = `select a.id, a.user_id as "userID", b.name as before, p.name as after, p.id as profile, m.rank
from ${everyUser} a
left join admin_profile b on b.id = a.admin_profile_dbid
left join admin_profile p on p.id = mapped_admin_profile(a.id)
left join lateral (
  select x.rank from admin_profile_mapping x
  where x.admin_profile_dbid = p.id and exists (
    select from group_closure c
    join group_member g on g.group_id = c.descendant_id and g.element_type in (6, 7)
    where c.ancestor_id = x.group_dbid and g.member_id = a.id)
  order by x.rank limit 1
) m on true
where a.id = $1 and a.admin_profile_source is distinct from 'ASSIGNED' and a.admin_profile_dbid is distinct from p.id
for no key update of a`;

/**
 * Stores the profile that the mappings give an account, or removes it, together with its sessions and tokens if none is left. A profile that
 * was assigned by hand is not changed.
 */
export async function remapAccount(tx: WriteTx, accountId: number): Promise<void> {
  const { rows } = await tx.client.query<Remapped>(remappedSql, [accountId]);
  const account = rows[0];
  if (!account) return;
  await tx.records.update(userAccount, account.id, {
    adminProfileDBID: account.profile,
    adminProfileSource: account.profile === null ? null : 'MAPPING',
  });
  const reason = account.rank === null ? 'no mapping applies any more' : `by mapping ${account.rank}`;
  await tx.emit({
    type: adminPrivilegeChanged,
    element: { id: account.id, name: account.userID },
    attributes: { old: account.before ?? 'none', new: account.after ?? 'none', reason: reason },
  });
}

/** Returns the next accounts after an id whose stored profile differs from that of the mappings. Reads mappings and members once. */
export async function accountsToRemap({ client }: WriteTx, afterID: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `with mapped as (
       select distinct on (g.member_id) g.member_id as id, m.admin_profile_dbid as profile
       from admin_profile_mapping m
       join group_closure c on c.ancestor_id = m.group_dbid
       join group_member g on g.group_id = c.descendant_id and g.element_type in (6, 7)
       order by g.member_id, m.rank
     )
     select a.id
     from ${everyUser} a
     left join mapped m on m.id = a.id
     where a.id > $1 and a.admin_profile_source is distinct from 'ASSIGNED' and a.admin_profile_dbid is distinct from m.profile
     order by a.id
     limit 500`,
    [afterID],
  );
  return rows.map(({ id }) => id);
}
