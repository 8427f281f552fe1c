import { auditFields, collection, deletes, ranking } from '../../kernel/declare/declaration.ts';
import {
  alternative,
  flag,
  identity,
  integer,
  list,
  modified,
  rank,
  reference,
  text,
  version,
  withoutEffect,
} from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

const { yamsEventTag, auditObj, auditObjectName, auditObjectType } = auditFields('directory-agent-config');
const wholeNumber = shapes.count;

/** A host group that a host joins at logon. */
export interface GroupListItem {
  directoryAgentGroupListItemID: number;
  addGroupID: number;
  addGroupName: string;
  config: string;
}

const groupListItem = {
  kind: 'object',
  name: 'DirectoryAgentGroupListItem',
  properties: {
    directoryAgentGroupListItemID: { ...wholeNumber, doc: 'Identity of the entry; assigned by the service.' },
    addGroupID: { ...wholeNumber, doc: 'The host group.' },
    addGroupName: { kind: 'text', max: 120, doc: 'Name of the host group; send this or addGroupID.' },
    config: { kind: 'text', max: 120, doc: 'Name of this configuration.' },
  },
} as const;

const groupList = { item: groupListItem, max: 100 } as const;

/** Selects one value for each stored group, from the current row of the group. */
const eachGroupSql = (expression: string) => `(select coalesce(jsonb_agg(${expression} order by i.place), '[]'::jsonb)
  from jsonb_array_elements(r.add_group_list) with ordinality i(item, place)
  join "group" g on g.id = (i.item ->> 'addGroupID')::bigint)`;

const itemsSql = eachGroupSql(`jsonb_build_object(
  'directoryAgentGroupListItemID', i.item -> 'directoryAgentGroupListItemID', 'addGroupID', g.id, 'addGroupName', g.name, 'config', r.name)`);

const connected = 'directory agents connect';

/** The actions when a directory user logs on to a host that runs the directory agent. */
export const directoryAgentConfig = collection({
  name: 'directory-agent-config',
  title: 'Directory agent config',
  path: '/settings/agent/directory-agent',
  permission: 'agents',
  doc: 'Actions at the logon of a directory user; the first match by rank applies.',
  columns: [
    'dbid',
    'rank',
    'name',
    'enabled',
    'appliedGroupName',
    'registerRogue',
    'registerByUser',
    'scanGraceLength',
  ],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes, 'enable', 'disable', ...ranking],
  identity: 'dbid',
  events: { elementType: 10 },
  example: {
    name: 'Staff laptops',
    registerRogue: true,
    registerByUser: true,
    scanGraceLength: 1_440,
    addGroupList: [],
  },
  sections: {
    Rule: ['name', 'enabled', 'rank', 'appliedGroupName'],
    Hosts: ['registerRogue', 'registerByUser', 'addGroupList', 'addGroupListCopy', 'addToGroupIDs', 'addToGroupNames'],
    Scan: ['policyName', 'scanGraceLength'],
    Debug: ['debug'],
  },
  units: { scanGraceLength: 'min' },
  fields: {
    dbid: identity(),
    rank: withoutEffect(rank, connected),
    version,
    ...modified,
    name: text({ min: 1, max: 120, unique: true, search: true }),
    registerRogue: withoutEffect(flag({ default: true, doc: 'Register an unknown host.' }), connected),
    registerByUser: withoutEffect(
      flag({
        default: true,
        doc: 'True: register to the user; false: register as a device by host name.',
      }),
      connected,
    ),
    appliedGroupName: withoutEffect(
      reference('group', 'restrict', {
        by: 'name',
        empty: true,
        where: { source: 'DIRECTORY' },
        doc: 'Directory group the user must be in; empty: any.',
      }),
      connected,
    ),
    addGroupList: withoutEffect(
      list<GroupListItem>(groupList, {
        default: [],
        sql: itemsSql,
        nestedReferences: [{ path: ['*', 'addGroupID'], to: 'group', onDelete: 'restrict', where: { type: 'HOST' } }],
        store: (value) =>
          (value as GroupListItem[]).map(({ directoryAgentGroupListItemID, addGroupID }) => ({
            directoryAgentGroupListItemID,
            addGroupID,
          })),
        doc: 'Host groups that the host joins.',
      }),
      connected,
    ),
    addGroupListCopy: alternative<GroupListItem[]>(
      { kind: 'list', ...groupList },
      itemsSql,
      'Copy of addGroupList; if sent, it must be equal to it.',
    ),
    policyName: reference('endpoint-compliance-scan', 'restrict', {
      by: 'name',
      empty: true,
      doc: 'Compliance scan to run; empty: the one chosen by policy.',
    }),
    scanGraceLength: withoutEffect(
      integer({
        min: -1,
        max: 525_600,
        default: -1,
        doc: 'Scan if the last scan is older than this many minutes; 0: at every logon; -1: never.',
      }),
      connected,
    ),
    enabled: withoutEffect(flag({ default: true }), connected),
    debug: withoutEffect(flag({ default: false, doc: 'Write each decision to the debug log.' }), connected),
    yamsEventTag,
    auditObj,
    addToGroupIDs: alternative<number[]>(
      { kind: 'list', item: wholeNumber, max: 100 },
      eachGroupSql('to_jsonb(g.id)'),
      'The groups by id; used if addGroupList is absent.',
    ),
    addToGroupNames: alternative<string[]>(
      { kind: 'list', item: { kind: 'text', max: 120 }, max: 100 },
      eachGroupSql('to_jsonb(g.name)'),
      'The groups by name; used if addGroupList is absent.',
    ),
    auditObjectName,
    auditObjectType,
  },
});
