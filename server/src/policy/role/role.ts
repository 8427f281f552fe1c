import { collection, deletes, ranking } from '../../kernel/declare/declaration.ts';
import {
  computed,
  derived,
  identity,
  landscape,
  list,
  managed,
  modified,
  rank,
  text,
  version,
} from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { connectionChange } from '../connection-change/connection-change.ts';

/** What hosts and users have when nothing else gives them a role: built in, and last. */
export const defaultRole = 'NAC-Default';

const { count } = shapes;

const hostCount = '(select count(*) from host h where h.role_id = r.id)';
const userCount = '(select count(*) from user_account a where a.role_id = r.id)';

/** An attribute of hosts and users that policies match on; ranked, because several sources may claim one. */
export const role = collection({
  name: 'role',
  title: 'Role',
  path: '/policy/role',
  permission: 'roles',
  doc: 'Roles of hosts and users that policies match on, in order of precedence.',
  columns: ['id', 'rank', 'name', 'groupIDs', 'users', 'hosts', 'note'],
  everyRow: [hostCount, userCount].map((sql) => ({ sql, reason: 'a number of all who have the role names nobody' })),
  patterns: ['list', 'fetch', 'usageByPost', 'create', 'update', ...deletes, ...ranking],
  events: { elementType: 9 },
  deciding: { fields: ['rank', 'groupIDs'], impact: connectionChange },
  example: { name: 'Laboratory', note: 'Instruments and the people who run them' },
  fields: {
    id: identity(),
    landscape,
    version,
    ...modified,
    guid: managed.guid,
    globalModifiedDate: managed.globalModifiedDate,
    note: text({ max: 2_000, default: '' }),
    name: text({ min: 1, max: 120, unique: true, search: true }),
    rank,
    groupIDs: list<number>(
      { item: shapes.id, max: 1_000 },
      {
        default: [],
        nestedReferences: [{ path: ['*'], to: 'group', onDelete: 'set null' }],
        doc: 'Members of these host or user groups, including nested groups, get the role.',
      },
    ),
    builtIn: derived<boolean>({ kind: 'flag' }, false, 'Built in; cannot be deleted.'),
    hosts: computed<number>(count, hostCount, {
      doc: 'Number of hosts with this role.',
    }),
    users: computed<number>(count, userCount, {
      doc: 'Number of user accounts with this role.',
    }),
  },
});
