import { collection, deletes } from '../../kernel/declare/declaration.ts';
import { choice, field, identity, modified, text, version } from '../../kernel/declare/field.ts';

const address = (doc: string) => field<string | null>({ kind: 'address', nullable: true }, { default: null, doc });

/** A named subnet, range or single address, used by firewalls, profiling and scans. */
export const networkAddress = collection({
  name: 'network-address',
  title: 'Network address',
  path: '/settings/device/network-address',
  permission: 'network-settings',
  doc: 'Named subnets, ranges and single addresses, for use in network address groups.',
  columns: ['id', 'name', 'type', 'network', 'start', 'end', 'address', 'description'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes],
  example: { name: 'Radiology', type: 'SUBNET', network: '10.20.0.0/16' },
  fields: {
    id: identity(),
    name: text({ min: 1, max: 64, unique: true, search: true }),
    type: choice(['SUBNET', 'RANGE', 'HOST'], { doc: 'Kind of address; it decides which fields apply.' }),
    network: field<string | null>({ kind: 'network', nullable: true }, { default: null, doc: 'Network of a subnet.' }),
    start: address('First address of a range.'),
    end: address('Last address of a range.'),
    address: address('The address of a single host.'),
    description: text({ max: 2_000, default: '', search: true }),
    ...modified,
    version,
  },
});
