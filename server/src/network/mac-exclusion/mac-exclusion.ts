import { collection } from '../../kernel/declare.ts';
import { derived, field, flag, identity, modified, observed, text, version } from '../../kernel/field.ts';
import { integerMax } from '../../kernel/shape.ts';

/** MAC addresses that the service must not learn: they show up in forwarding tables and would look like rogues. */
export const macExclusion = collection({
  name: 'mac-exclusion',
  title: 'MAC exclusion',
  path: '/settings/device/mac-exclusion',
  permission: 'network-settings',
  doc: 'MAC addresses of protocols and clusters that are never taken for hosts.',
  columns: ['id', 'name', 'start', 'end', 'mask', 'enabled', 'hits', 'lastHit'],
  patterns: ['list', 'create', 'deleteMany'],
  example: { name: 'Lab cluster', start: '02:BF:0A:00:00:00', end: '02:BF:0A:FF:FF:FF' },
  fields: {
    id: identity(),
    name: text({ min: 1, max: 120, unique: true, search: true }),
    start: field<string>({ kind: 'mac' }, { doc: 'First address; with a mask, the one whose bits are compared.' }),
    end: field<string>({ kind: 'mac' }, { doc: 'Last address; with a mask it is start.' }),
    mask: field<string | null>(
      { kind: 'mac', nullable: true },
      { default: null, doc: 'Instead of a range: the bits that must equal those of start.' },
    ),
    enabled: flag({ default: true }),
    builtIn: derived<boolean>({ kind: 'flag' }, false, 'Shipped: it can be disabled, not deleted.'),
    hits: observed<number>({ kind: 'integer', min: 0, max: integerMax }, 0, 'How often an address was left out by it.'),
    lastHit: observed<string | null>({ kind: 'time', nullable: true }, null, 'When it last was.'),
    description: text({ max: 2_000, default: '', search: true }),
    ...modified,
    version,
  },
});
