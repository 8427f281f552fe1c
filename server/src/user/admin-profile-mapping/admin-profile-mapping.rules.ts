import { type Context, type RecordValue, rules, type WriteTx } from '../../context.ts';
import { rejected } from '../../kernel/failure.ts';
import { group } from '../../system/group/group.ts';
import { refuseEscalation } from '../admin-profile/admin-profile.service.ts';
import { forgetCredentials } from '../user-account/user-account.service.ts';
import { adminRemap } from './admin-profile-mapping.jobs.ts';
import { adminProfileMapping } from './admin-profile-mapping.ts';

export const adminProfileMappingRules = rules(adminProfileMapping, {
  async beforeSave({ before, after }, { tx }) {
    if (after.groupDBID !== before?.groupDBID) after.groupName = await groupOfPeople(tx, Number(after.groupDBID));
    await refuseEscalation(tx, await winners(tx, before, after));
  },

  afterSave: (_step, context) => takeEffect(context),

  async beforeDelete(record, context) {
    await refuseEscalation(context.tx, await profilesBehind(context.tx, Number(record.rank)));
    await takeEffect(context);
  },
});

/** Rights act on the next request of everybody; the job writes down whose profile changed. */
async function takeEffect(context: Context): Promise<void> {
  await forgetCredentials(context);
  context.tx.notify(adminRemap.name);
}

/** The name of the group, which names the mapping. One that is not there, or hidden, is the kernel's to refuse. */
async function groupOfPeople({ client, visible }: WriteTx, id: number): Promise<string> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select g.name, g.type from ${visible(group)} g where g.id = $1`,
    [id],
  );
  const [found] = rows;
  if (found && found.type !== 'ADMINISTRATOR' && found.type !== 'USER')
    throw rejected(
      `groupDBID: ${found.name} is a group of type ${found.type}; use a group of administrators or users.`,
      '/groupDBID',
    );
  return found?.name ?? '';
}

/** Profiles that somebody may get by this save: the mapping's own where it is new or rises, and those that decide where it did so far. */
async function winners(tx: WriteTx, before: RecordValue | undefined, after: RecordValue): Promise<number[]> {
  const own = Number(after.adminProfileDBID);
  if (!before) return [own];
  const [from, to] = [Number(before.rank), Number(after.rank)];
  const gives = after.groupDBID !== before.groupDBID || own !== before.adminProfileDBID || to < from;
  const behind = after.groupDBID !== before.groupDBID ? await profilesBehind(tx, from) : [];
  const passed = to > from ? await profilesBehind(tx, from, to) : [];
  return [...(gives ? [own] : []), ...behind, ...passed];
}

async function profilesBehind({ client }: WriteTx, rank: number, upTo?: number): Promise<number[]> {
  const { rows } = await client.query<{ profile: number }>(
    `select distinct m.admin_profile_dbid as profile from admin_profile_mapping m where m.rank > $1 and m.rank <= coalesce($2, m.rank)`,
    [rank, upTo ?? null],
  );
  return rows.map(({ profile }) => profile);
}
