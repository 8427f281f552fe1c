import { isDeepStrictEqual } from 'node:util';
import { type Context, everyRow, type RecordValue, rules } from '../../context.ts';
import { invalid, rejected } from '../../kernel/failure.ts';
import { group } from '../../system/group/group.ts';
import { directoryAgentConfig, type GroupListItem } from './directory-agent-config.ts';

const everyGroup = everyRow(group, 'visibleRow limits it, except for groups that are already in the list');

/** An entry of a group list in a request. */
type SentItem = Partial<GroupListItem>;

const fieldFault = (field: string, what: string) => invalid([{ pointer: `/${field}`, message: `${field}: ${what}.` }]);

export const directoryAgentConfigRules = rules(directoryAgentConfig, {
  async beforeSave({ before, after, sent: requestBody }, context) {
    const stored = (before?.addGroupList ?? []) as GroupListItem[];
    const groups = await requestedGroupsOf(context, requestBody, stored);
    const isSame = isDeepStrictEqual(
      groups.map(({ id }) => id),
      stored.map((item) => item.addGroupID),
    );
    // If the ids are unchanged, the stored entries are kept, so that a renamed group is not a change of this record.
    after.addGroupList = isSame ? stored : await itemsOf(context, groups, stored, String(after.name));
    if (!before) after.addGroupListCopy = after.addGroupList;
  },
});

interface HostGroup {
  id: number;
  name: string;
}

/** Returns the groups of the request. The list can be sent in four fields; if several are sent, they must agree. */
async function requestedGroupsOf(
  context: Context,
  requestBody: Readonly<RecordValue>,
  stored: readonly GroupListItem[],
): Promise<HostGroup[]> {
  const spelled = {
    addGroupList: requestBody.addGroupList as SentItem[] | undefined,
    addToGroupIDs: (requestBody.addToGroupIDs as number[] | undefined)?.map((addGroupID) => ({ addGroupID })),
    addToGroupNames: (requestBody.addToGroupNames as string[] | undefined)?.map((addGroupName) => ({ addGroupName })),
  };
  const lists = new Map<string, HostGroup[]>();
  for (const [field, items] of Object.entries(spelled))
    if (items) lists.set(field, await groupsOf(context, field, items, stored));
  const [first, ...otherLists] = [...lists];
  const requestedGroups = first?.[1] ?? stored.map((item) => ({ id: item.addGroupID, name: item.addGroupName }));
  for (const [field, groups] of otherLists)
    if (!sameGroups(groups, requestedGroups)) throw fieldFault(field, `differs from ${first![0]}; send one of them`);
  await refuseOtherCopy(context, requestBody.addGroupListCopy as SentItem[] | undefined, requestedGroups, stored);
  return requestedGroups;
}

const sameGroups = (a: readonly HostGroup[], b: readonly HostGroup[]): boolean =>
  isDeepStrictEqual(
    a.map(({ id }) => id),
    b.map(({ id }) => id),
  );

/** Throws unless the copy equals the new list or the stored one. */
async function refuseOtherCopy(
  context: Context,
  copy: SentItem[] | undefined,
  requestedGroups: readonly HostGroup[],
  stored: readonly GroupListItem[],
): Promise<void> {
  if (!copy) return;
  const groups = await groupsOf(context, 'addGroupListCopy', copy, stored);
  const storedGroups = stored.map((item) => ({ id: item.addGroupID, name: item.addGroupName }));
  if (!sameGroups(groups, requestedGroups) && !sameGroups(groups, storedGroups))
    throw fieldFault('addGroupListCopy', 'must equal addGroupList; leave it out');
}

/** Returns the host groups of a list, by id, by name, or by both if they agree. The caller must see a group unless it is already stored. */
async function groupsOf(
  { tx }: Context,
  field: string,
  items: readonly SentItem[],
  stored: readonly GroupListItem[],
): Promise<HostGroup[]> {
  const unnamed = items.findIndex(({ addGroupID, addGroupName }) => !addGroupID && !addGroupName);
  if (unnamed >= 0) throw fieldFault(field, 'an entry has neither addGroupID nor addGroupName');
  // PostgreSQL compares the names, because its rules for upper and lower case also make them unique.
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
    const matchingRow = rows.find(({ asked: position }) => position === index + 1);
    if (!matchingRow)
      throw rejected(`${field}: there is no host group ${addGroupID || JSON.stringify(addGroupName)}.`, `/${field}`);
    if (!matchingRow.fits)
      throw fieldFault(field, `group ${matchingRow.id} is named ${matchingRow.name}, not ${addGroupName}`);
    return { id: matchingRow.id, name: matchingRow.name };
  });
  if (new Set(groups.map(({ id }) => id)).size !== groups.length) throw fieldFault(field, 'contains a group twice');
  return groups;
}

/** Returns the entries of the groups. An entry keeps its id while its group stays in the list. */
async function itemsOf(
  { tx }: Context,
  groups: readonly HostGroup[],
  stored: readonly GroupListItem[],
  config: string,
): Promise<GroupListItem[]> {
  const items: GroupListItem[] = [];
  for (const { id, name } of groups) {
    const existingItemID = stored.find((item) => item.addGroupID === id)?.directoryAgentGroupListItemID;
    const { rows } = existingItemID
      ? { rows: [{ next: existingItemID }] }
      : await tx.client.query<{ next: number }>(`select nextval('directory_agent_group_list_item') as next`);
    items.push({ directoryAgentGroupListItemID: rows[0]!.next, addGroupID: id, addGroupName: name, config });
  }
  return items;
}
