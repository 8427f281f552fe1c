import type { Fixtures } from '../../../test/world/fixtures.ts';

export const fixtures: Fixtures = {
  'logical-network-configuration': {
    parameters: {
      'element-properties': () => '?elementType=CONTAINER&elementID=1',
      radius: (staged) => `?logicalNetworkID=1&deviceID=${staged('staged-device')}`,
    },
  },
};
