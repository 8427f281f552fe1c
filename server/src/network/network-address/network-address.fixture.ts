import type { Fixtures } from '../../../test/world/fixtures.ts';

const range = { type: 'RANGE', network: null, start: '192.0.2.1', end: '192.0.2.200' };
const single = { type: 'HOST', network: null, address: '192.0.2.9' };

export const fixtures: Fixtures = {
  'network-address': {
    values: { type: ['HOST'], start: ['192.0.2.7'], end: ['192.0.2.99'] },
    needs: { type: single, address: single, start: range, end: range },
  },
};
