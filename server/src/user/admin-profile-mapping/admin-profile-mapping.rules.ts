import { type Context, type RecordValue, rules, type WriteTx } from '../../context.ts';
import { rejected } from '../../kernel/failure.ts';
import { group } from '../../system/group/group.ts';
import { refuseEscalation } from '../admin-profile/admin-profile.service.ts';
import { forgetCredentials } from '../user-account/user-account.service.ts';
import { adminRemap } from './admin-profile-mapping.jobs.ts';
import { adminProfileMapping } from './admin-profile-mapping.ts';

export const adminProfileMappingRules = rules(adminProfileMapping, {
  async beforeSave({ before, after }, { tx }) {
    if (after.groupDBID !== before?.groupDBID)
      after.groupName = await requireGroupOfAccounts(tx, Number(after.groupDBID));
    await refuseEscalation(tx, await profilesThatMayApply(tx, before, after));
  },

  afterSave: (_step, context) => applyChange(context),

  async beforeDelete(record, context) {
    await refuseEscalation(context.tx, await profilesBelow(context.tx, Number(record.rank)));
    await applyChange(context);
  },
});

/** Applies changed rights to the next requests, and starts the reconciler, which stores the changed profiles. */
async function applyChange(context: Context): Promise<void> {
  await forgetCredentials(context);
  context.tx.notify(adminRemap.name);
}

/** Returns the name of the group. Throws if its members are not accounts. The kernel refuses a missing or hidden group. */
async function requireGroupOfAccounts({ client, visible }: WriteTx, id: number): Promise<string> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select g.name, g.type from ${visible(group)} g where g.id = $1`,
    [id],
  );
  const [groupRow] = rows;
  if (groupRow && groupRow.type !== 'ADMINISTRATOR' && groupRow.type !== 'USER')
    throw rejected(
      `groupDBID: ${groupRow.name} is a group of type ${groupRow.type}; use a group of administrators or users.`,
      '/groupDBID',
    );
  return groupRow?.name ?? '';
}

/** Returns the profiles that accounts may get by this save: that of a new or higher ranked mapping, and those of lower ranked mappings that now apply. */
async function profilesThatMayApply(
  tx: WriteTx,
  before: RecordValue | undefined,
  after: RecordValue,
): Promise<number[]> {
  const ownProfile = Number(after.adminProfileDBID);
  if (!before) return [ownProfile];
  const [previousRank, newRank] = [Number(before.rank), Number(after.rank)];
  const mayAssign =
    after.groupDBID !== before.groupDBID || ownProfile !== before.adminProfileDBID || newRank < previousRank;
  const laterProfiles = after.groupDBID !== before.groupDBID ? await profilesBelow(tx, previousRank) : [];
  const passedProfiles = newRank > previousRank ? await profilesBelow(tx, previousRank, newRank) : [];
  return [...(mayAssign ? [ownProfile] : []), ...laterProfiles, ...passedProfiles];
}

async function profilesBelow({ client }: WriteTx, rank: number, upTo?: number): Promise<number[]> {
  const { rows } = await client.query<{ profile: number }>(
    `select distinct m.admin_profile_dbid as profile from admin_profile_mapping m where m.rank > $1 and m.rank <= coalesce($2, m.rank)`,
    [rank, upTo ?? null],
  );
  return rows.map(({ profile }) => profile);
}
