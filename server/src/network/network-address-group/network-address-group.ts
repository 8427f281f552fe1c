import { collection, deletes } from '../../kernel/declare/declaration.ts';
import { computed, derived, identity, list, modified, text, version } from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

const { id } = shapes;

/** SQL: its addresses in order, as other records show them. */
const addressesSql = `coalesce((select jsonb_agg((
    select jsonb_build_object('id', n.id, 'name', n.name, 'type', n.type) from network_address n where n.id = i.id::bigint) order by i.place)
  from jsonb_array_elements(r.address_ids) with ordinality i(id, place)), '[]')`;

/** A named set of network addresses. */
export const networkAddressGroup = collection({
  name: 'network-address-group',
  title: 'Network address group',
  path: '/settings/device/network-address-group',
  permission: 'network-settings',
  doc: 'Named sets of network addresses, for firewalls, profiling and discovery.',
  columns: ['id', 'name', 'addressIDs', 'description'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes],
  example: { name: 'Clinic networks', addressIDs: [1, 2] },
  fields: {
    id: identity(),
    name: text({ min: 1, max: 64, unique: true, search: true }),
    tag: {
      ...derived<string | null>(
        { kind: 'text', max: 80, nullable: true },
        null,
        'Stable key of a built-in group, used instead of its name.',
      ),
      unique: true,
    },
    addressIDs: list<number>(
      { item: id, max: 1_000 },
      {
        nestedReferences: [{ path: ['*'], to: 'network-address', onDelete: 'restrict' }],
        doc: 'Addresses of the group; at least one unless it is built in.',
      },
    ),
    addresses: computed<{ id: number; name: string; type: string }[]>(
      {
        kind: 'list',
        max: 1_000,
        item: {
          kind: 'object',
          name: 'NetworkAddressShort',
          properties: {
            id,
            name: { kind: 'text', max: 64 },
            type: { kind: 'choice', values: ['SUBNET', 'RANGE', 'HOST'] },
          },
        },
      },
      addressesSql,
      { doc: 'The same addresses with their names.' },
    ),
    description: text({ max: 2_000, default: '', search: true }),
    ...modified,
    version,
  },
});
