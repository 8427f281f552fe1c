import { collection, deletes } from '../../kernel/declare.ts';
import { choice, field, identity, modified, text, version } from '../../kernel/field.ts';

const address = (doc: string) => field<string | null>({ kind: 'address', nullable: true }, { default: null, doc });

/** A named subnet, range or single address, used by firewalls, profiling and scans. */
export const networkAddress = collection({
  name: 'network-address',
  title: 'Network address',
  path: '/settings/device/network-address',
  permission: 'network-settings',
  doc: 'Named subnets, ranges and single addresses, for groups of them.',
  columns: ['id', 'name', 'type', 'network', 'start', 'end', 'address', 'description'],
  patterns: ['list', 'fetch', 'usage', 'create', 'update', ...deletes],
  example: { name: 'Radiology', type: 'SUBNET', network: '10.20.0.0/16' },
  fields: {
    id: identity(),
    name: text({ min: 1, max: 64, unique: true, search: true }),
    type: choice(['SUBNET', 'RANGE', 'HOST'], { doc: 'Which of the following fields it has.' }),
    network: field<string | null>({ kind: 'network', nullable: true }, { default: null, doc: 'Of a subnet.' }),
    start: address('First address of a range.'),
    end: address('Last address of a range.'),
    address: address('The address of a single host.'),
    description: text({ max: 2_000, default: '', search: true }),
    ...modified,
    version,
  },
});
