import { action } from '../../context.ts';
import type { ObjectShape, Shape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { roleSources } from '../../user/user-account/user-account.ts';
import { role } from './role.ts';

const { id, count } = shapes;
const rolesMax = 10_000;
const groupsMax = 5_000;

const namedShape = (name: string, words: number) =>
  ({
    kind: 'object',
    name,
    properties: { id, name: { kind: 'text', max: words } },
  }) as const satisfies ObjectShape;

const simple = action(role, {
  name: 'simple',
  method: 'GET',
  path: '/simple',
  doc: 'List the ids and names of the roles, by rank',
  result: namedShape('SimpleRole', 120),
  async run(_call, { db }) {
    return db.selectFrom('role').select(['id', 'name']).orderBy('rank').limit(rolesMax).execute();
  },
});

const groups = (doc: string) =>
  ({ kind: 'list', item: namedShape('RoleGroup', 120), max: groupsMax, doc }) as const satisfies Shape;

const supportingInfo = action(role, {
  name: 'supporting-info',
  method: 'GET',
  path: '/supporting-info',
  doc: 'Return the choices for a role form, with usage counts',
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
        doc: 'Sources of roles, in order of precedence.',
      },
      counts: {
        kind: 'list',
        item: { kind: 'object', name: 'RoleCount', properties: { roleID: id, hosts: count, users: count } },
        max: rolesMax,
        doc: 'Numbers of hosts and users with each role.',
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
