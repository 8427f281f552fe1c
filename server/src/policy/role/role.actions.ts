import { action } from '../../context.ts';
import { integerMax, type ObjectShape, type Shape } from '../../kernel/shape.ts';
import { roleSources } from '../../user/user-account/user-account.ts';
import { role } from './role.ts';

const id: Shape = { kind: 'integer', min: 1, max: integerMax };
const count: Shape = { kind: 'integer', min: 0, max: integerMax };
const rolesMax = 10_000;
const groupsMax = 5_000;

const named = (name: string, words: number): ObjectShape => ({
  kind: 'object',
  name,
  properties: { id, name: { kind: 'text', max: words } },
});

const simple = action(role, {
  name: 'simple',
  method: 'GET',
  path: '/simple',
  doc: 'List the roles by rank, each with its id and name only',
  result: named('SimpleRole', 120),
  async run(_call, { db }) {
    return db.selectFrom('role').select(['id', 'name']).orderBy('rank').limit(rolesMax).execute();
  },
});

const groups = (doc: string): Shape => ({ kind: 'list', item: named('RoleGroup', 120), max: groupsMax, doc });

const supportingInfo = action(role, {
  name: 'supporting-info',
  method: 'GET',
  path: '/supporting-info',
  doc: 'Answer what a form for roles offers: groups, sources and how often each role is held',
  result: {
    kind: 'object',
    name: 'RoleSupportingInfo',
    properties: {
      hostGroups: groups(`Host groups, by name; at most ${groupsMax}.`),
      userGroups: groups(`User groups, by name; at most ${groupsMax}.`),
      sources: {
        kind: 'list',
        item: { kind: 'choice', values: roleSources },
        max: roleSources.length,
        doc: 'What can give somebody a role, strongest first.',
      },
      counts: {
        kind: 'list',
        item: { kind: 'object', name: 'RoleCount', properties: { roleID: id, hosts: count, users: count } },
        max: rolesMax,
        doc: 'How many hosts and users have each role.',
      },
    },
  },
  async run(_call, { db, list }) {
    const groupsOf = (type: 'HOST' | 'USER') =>
      db.selectFrom('group').select(['id', 'name']).where('type', '=', type).orderBy('name').limit(groupsMax).execute();
    const { records } = await list(role, { filter: [], start: 0, count: rolesMax });
    return [
      {
        hostGroups: await groupsOf('HOST'),
        userGroups: await groupsOf('USER'),
        sources: roleSources,
        counts: records.map(({ id: roleID, hosts, users }) => ({ roleID, hosts, users })),
      },
    ];
  },
});

export const roleActions = [simple, supportingInfo];
