import { collection, deletes, type RowOf, ranking } from '../../kernel/declare/declaration.ts';
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

/** Name of the built-in last role, for hosts and users that get no other role. */
export const defaultRole = 'NAC-Default';

const { count } = shapes;

const hostCount = '(select count(*) from host h where h.role_id = r.id)';
const userCount = '(select count(*) from user_account a where a.role_id = r.id)';

/** A classification of hosts and users that policies match. Roles are ranked, because groups of one host or user can claim several. */
export const role = collection({
  name: 'role',
  title: 'Role',
  path: '/policy/role',
  permission: 'roles',
  doc: 'Roles of hosts and users that policies match, in order of precedence.',
  columns: ['id', 'rank', 'name', 'groupIDs', 'users', 'hosts', 'note'],
  everyRow: [hostCount, userCount].map((sql) => ({
    sql,
    reason: 'a number of hosts or users with the role discloses no name',
  })),
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
        doc: 'Host and user groups whose members, including those of nested groups, get the role.',
        help: 'Members of these host or user groups get the role. Includes nested groups.',
      },
    ),
    builtIn: derived<boolean>({ kind: 'flag' }, false, 'True: built in; cannot be deleted.'),
    hosts: computed<number>(count, hostCount, {
      doc: 'Number of hosts with this role.',
    }),
    users: computed<number>(count, userCount, {
      doc: 'Number of user accounts with this role.',
    }),
  },
});

declare module '../../database.ts' {
  interface Database {
    role: RowOf<typeof role>;
  }
}
