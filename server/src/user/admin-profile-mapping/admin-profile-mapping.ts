import { auditFields, collection } from '../../kernel/declare/declaration.ts';
import {
  computed,
  embedded,
  type Field,
  identity,
  landscape,
  modified,
  rank,
  reference,
  version,
} from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

const ofGroup = (column: string) => `(select g.${column} from "group" g where g.id = r.group_dbid)`;
const ofProfile = (column: string) => `(select p.${column} from admin_profile p where p.id = r.admin_profile_dbid)`;

const { auditObjectName, auditObjectType, yamsEventTag, auditObj } = auditFields(
  'admin-profile-mapping',
  'groupName',
  ofGroup('name'),
);

const groupDBID: Field<number | null> = {
  ...reference('group', 'cascade', {
    doc: 'Group of administrators or of users; one from a directory is a group of users. Each at most once.',
  }),
  unique: true,
};

/** A mapping that gives a profile to the members of a group. */
export const adminProfileMapping = collection({
  name: 'admin-profile-mapping',
  title: 'Admin profile mapping',
  path: '/user/admin-profile/mapping',
  permission: 'admin-profiles',
  doc: 'Maps groups to admin profiles for their members; the first match by rank applies. A profile assigned by hand is not changed.',
  columns: ['dbid', 'rank', 'groupName', 'profileName'],
  patterns: ['list', 'fetch', 'create', 'update', 'deleteOne', 'deleteMany', 'rankSet', 'rankSwap'],
  identity: 'dbid',
  label: 'groupName',
  events: { elementType: 7 },
  example: { adminProfileDBID: 2, groupDBID: 1 },
  fields: {
    dbid: identity(),
    landscape,
    version,
    ...modified,
    rank,
    adminProfileDBID: reference('admin-profile', 'restrict', { doc: 'Profile assigned to members.' }),
    groupDBID,
    groupName: computed<string>({ kind: 'text', max: 120 }, ofGroup('name'), { doc: 'Name of the group.' }),
    profileName: computed<string>({ kind: 'text', max: 64 }, ofProfile('name'), { doc: 'Name of the profile.' }),
    group: embedded('computed', 'MappedGroup', {
      dbid: computed<number>(shapes.count, 'r.group_dbid'),
      name: computed<string>({ kind: 'text', max: 120 }, ofGroup('name')),
      description: computed<string>({ kind: 'text', max: 2_000 }, ofGroup('description')),
      type: computed<string>({ kind: 'choice', values: ['ADMINISTRATOR', 'USER'] }, ofGroup('type')),
      source: computed<string>({ kind: 'choice', values: ['LOCAL', 'DIRECTORY', 'SYSTEM'] }, ofGroup('source')),
    }),
    auditObjectName,
    auditObjectType,
    yamsEventTag,
    auditObj,
  },
});
