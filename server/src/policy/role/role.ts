import { collection, deletes, ranking } from '../../kernel/declare.ts';
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
} from '../../kernel/field.ts';
import { integerMax, type Shape } from '../../kernel/shape.ts';

/** What hosts and users have when nothing else gives them a role: built in, and last. */
export const defaultRole = 'NAC-Default';

const count: Shape = { kind: 'integer', min: 0, max: integerMax };

/** An attribute of hosts and users that policies match on; ranked, because several sources may claim one. */
export const role = collection({
  name: 'role',
  title: 'Role',
  path: '/policy/role',
  permission: 'roles',
  doc: 'Attributes of hosts and users that policies match on, in the order they win.',
  columns: ['id', 'rank', 'name', 'groupIDs', 'users', 'hosts', 'note'],
  patterns: ['list', 'fetch', 'usageByPost', 'create', 'update', ...deletes, ...ranking],
  events: { elementType: 9 },
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
      { item: { kind: 'integer', min: 1, max: integerMax }, max: 1_000 },
      {
        default: [],
        inner: [{ path: ['*'], to: 'group', onDelete: 'set null' }],
        doc: 'Members of these host or user groups, and of the groups below them, get the role.',
      },
    ),
    builtIn: derived<boolean>({ kind: 'flag' }, false, 'Comes with the service and cannot be deleted.'),
    hosts: computed<number>(count, '(select count(*) from host h where h.role_id = r.id)', {
      doc: 'Hosts that have it.',
    }),
    users: computed<number>(count, '(select count(*) from user_account a where a.role_id = r.id)', {
      doc: 'User accounts that have it.',
    }),
  },
});
