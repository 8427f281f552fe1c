import { isDeepStrictEqual } from 'node:util';
import { type Context, everyRow, type RecordValue, rules } from '../../context.ts';
import { invalid, rejected } from '../../kernel/failure.ts';
import { group } from '../../system/group/group.ts';
import { directoryAgentConfig, type GroupListItem } from './directory-agent-config.ts';

const everyGroup = everyRow(group, 'visibleRow limits it, but for groups that are in the list already');

/** A group list as a client may write it. */
type SentItem = Partial<GroupListItem>;

const wrong = (field: string, what: string) => invalid([{ pointer: `/${field}`, message: `${field}: ${what}.` }]);

export const directoryAgentConfigRules = rules(directoryAgentConfig, {
  async beforeSave({ before, after, sent }, context) {
    const stored = (before?.addGroupList ?? []) as GroupListItem[];
    const groups = await wantedGroups(context, sent, stored);
    const isSame = isDeepStrictEqual(
      groups.map(({ id }) => id),
      stored.map((item) => item.addGroupID),
    );
    // Unchanged ids keep their entries as they are, so that a rename elsewhere is no change here.
    after.addGroupList = isSame ? stored : await itemsOf(context, groups, stored, String(after.name));
    if (!before) after.addGroupListCopy = after.addGroupList;
  },
});

interface HostGroup {
  id: number;
  name: string;
}

/** The four spellings of the same list must agree; any one of them alone will do. */
async function wantedGroups(
  context: Context,
  sent: Readonly<RecordValue>,
  stored: readonly GroupListItem[],
): Promise<HostGroup[]> {
  const spelled = {
    addGroupList: sent.addGroupList as SentItem[] | undefined,
    addToGroupIDs: (sent.addToGroupIDs as number[] | undefined)?.map((addGroupID) => ({ addGroupID })),
    addToGroupNames: (sent.addToGroupNames as string[] | undefined)?.map((addGroupName) => ({ addGroupName })),
  };
  const lists = new Map<string, HostGroup[]>();
  for (const [field, items] of Object.entries(spelled))
    if (items) lists.set(field, await groupsOf(context, field, items, stored));
  const [first, ...others] = [...lists];
  const wanted = first?.[1] ?? stored.map((item) => ({ id: item.addGroupID, name: item.addGroupName }));
  for (const [field, groups] of others)
    if (!sameGroups(groups, wanted)) throw wrong(field, `differs from ${first![0]}; send one of them`);
  await refuseOtherCopy(context, sent.addGroupListCopy as SentItem[] | undefined, wanted, stored);
  return wanted;
}

const sameGroups = (a: readonly HostGroup[], b: readonly HostGroup[]): boolean =>
  isDeepStrictEqual(
    a.map(({ id }) => id),
    b.map(({ id }) => id),
  );

/** The copy may repeat the new list or the stored one. */
async function refuseOtherCopy(
  context: Context,
  copy: SentItem[] | undefined,
  wanted: readonly HostGroup[],
  stored: readonly GroupListItem[],
): Promise<void> {
  if (!copy) return;
  const groups = await groupsOf(context, 'addGroupListCopy', copy, stored);
  const storedGroups = stored.map((item) => ({ id: item.addGroupID, name: item.addGroupName }));
  if (!sameGroups(groups, wanted) && !sameGroups(groups, storedGroups))
    throw wrong('addGroupListCopy', 'must equal addGroupList; leave it out');
}

/** Each entry names a host group by id, by name, or by both if they agree: one that the caller sees, or that is in the list already. */
async function groupsOf(
  { tx }: Context,
  field: string,
  items: readonly SentItem[],
  stored: readonly GroupListItem[],
): Promise<HostGroup[]> {
  const unnamed = items.findIndex(({ addGroupID, addGroupName }) => !addGroupID && !addGroupName);
  if (unnamed >= 0) throw wrong(field, 'an entry has neither addGroupID nor addGroupName');
  // The database compares the names: its idea of capital letters is the one that keeps them unique.
  const values = [
    items.map(({ addGroupID }) => addGroupID ?? 0),
    items.map(({ addGroupName }) => addGroupName ?? ''),
    stored.map(({ addGroupID }) => addGroupID),
  ];
  const { rows } = await tx.client.query<HostGroup & { asked: number; fits: boolean }>(
    `select i.asked, r.id, r.name, coalesce(nullif(i.name, ''), r.name) is not distinct from r.name or lower(i.name) = lower(r.name) as fits
     from unnest($1::bigint[], $2::text[]) with ordinality i(id, name, asked)
     join ${everyGroup} r on r.type = 'HOST' and (r.id = i.id or (coalesce(i.id, 0) = 0 and lower(r.name) = lower(i.name)))
     where r.id = any($3::bigint[]) or (true${tx.visibleRow(group)})`,
    values,
  );
  const groups = items.map(({ addGroupID, addGroupName }, index) => {
    const found = rows.find(({ asked }) => asked === index + 1);
    if (!found)
      throw rejected(`${field}: there is no host group ${addGroupID || JSON.stringify(addGroupName)}.`, `/${field}`);
    if (!found.fits) throw wrong(field, `group ${found.id} is named ${found.name}, not ${addGroupName}`);
    return { id: found.id, name: found.name };
  });
  if (new Set(groups.map(({ id }) => id)).size !== groups.length) throw wrong(field, 'contains a group twice');
  return groups;
}

/** Entries keep their identity as long as their group stays in the list. */
async function itemsOf(
  { tx }: Context,
  groups: readonly HostGroup[],
  stored: readonly GroupListItem[],
  config: string,
): Promise<GroupListItem[]> {
  const items: GroupListItem[] = [];
  for (const { id, name } of groups) {
    const kept = stored.find((item) => item.addGroupID === id)?.directoryAgentGroupListItemID;
    const { rows } = kept
      ? { rows: [{ next: kept }] }
      : await tx.client.query<{ next: number }>(`select nextval('directory_agent_group_list_item') as next`);
    items.push({ directoryAgentGroupListItemID: rows[0]!.next, addGroupID: id, addGroupName: name, config });
  }
  return items;
}
