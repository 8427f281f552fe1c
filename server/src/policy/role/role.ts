import { collection } from '../../kernel/declare.ts';
import { flag, identity, landscape, list, modified, rank, text, version } from '../../kernel/field.ts';
import { integerMax } from '../../kernel/shape.ts';

/** An attribute of hosts and users that policies match on; ranked, because several sources may claim one. */
export const role = collection({
  name: 'role',
  title: 'Role',
  permission: 'roles',
  doc: 'Attributes of hosts and users that policies match on, in the order they win.',
  patterns: [],
  fields: {
    id: identity(),
    landscape,
    version,
    ...modified,
    name: text({ min: 1, max: 120, unique: true, search: true }),
    rank,
    groupIDs: list<number>(
      { item: { kind: 'integer', min: 1, max: integerMax }, max: 1_000 },
      {
        default: [],
        inner: [{ path: ['*'], to: 'group', onDelete: 'set null' }],
        doc: 'Members of these host or user groups get the role.',
      },
    ),
    builtIn: flag({ default: false }),
    note: text({ max: 2_000, default: '' }),
  },
});
