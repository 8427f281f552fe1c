import type { Fixtures } from '../../../test/world/fixtures.ts';

export const fixtures: Fixtures = {
  'logical-network-configuration': {
    parameters: { 'element-properties': () => '?elementType=CONTAINER&elementID=1' },
  },
};
