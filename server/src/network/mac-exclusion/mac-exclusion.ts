import { collection } from '../../kernel/declare/declaration.ts';
import { derived, field, flag, identity, modified, observed, text, version } from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

/** MAC addresses that the service must not learn: they are in forwarding tables and would look like rogues. */
export const macExclusion = collection({
  name: 'mac-exclusion',
  title: 'MAC exclusion',
  path: '/settings/device/mac-exclusion',
  permission: 'network-settings',
  doc: 'MAC addresses of protocols and clusters that are never treated as hosts.',
  columns: ['id', 'name', 'start', 'end', 'mask', 'enabled', 'hits', 'lastHit'],
  patterns: ['list', 'create', 'deleteMany'],
  example: { name: 'Lab cluster', start: '02:BF:0A:00:00:00', end: '02:BF:0A:FF:FF:FF' },
  fields: {
    id: identity(),
    name: text({ min: 1, max: 120, unique: true, search: true }),
    start: field<string>({ kind: 'mac' }, { doc: 'First address; with a mask, the address whose bits are compared.' }),
    end: field<string>(
      { kind: 'mac' },
      { default: '', doc: 'Last address; required without a mask. With one it is equal to start and may be left out.' },
    ),
    mask: field<string | null>(
      { kind: 'mac', nullable: true },
      { default: null, doc: 'Instead of a range: the bits that must equal those of start.' },
    ),
    enabled: flag({ default: true }),
    builtIn: derived<boolean>({ kind: 'flag' }, false, 'Built in; it can be disabled but not deleted.'),
    hits: observed<number>(shapes.count, 0, 'How often it excluded an address.'),
    lastHit: observed<string | null>({ kind: 'time', nullable: true }, null, 'When it last excluded an address.'),
    description: text({ max: 2_000, default: '', search: true }),
    ...modified,
    version,
  },
});
