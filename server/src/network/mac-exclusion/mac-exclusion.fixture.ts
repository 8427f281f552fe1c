import type { Fixtures } from '../../../test/world/fixtures.ts';

export const fixtures: Fixtures = {
  'mac-exclusion': { values: { end: ['02:BF:0B:00:00:00'] }, needs: { mask: { end: '02:BF:0A:00:00:00' } } },
};
