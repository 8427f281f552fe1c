import type { Fixtures } from '../../../test/world/fixtures.ts';

export const fixtures: Fixtures = {
  'proxy-settings': {
    needs: {
      httpProxyHost: { httpProxyPort: 3_128 },
      httpsProxyHost: { httpsProxyPort: 3_128 },
    },
  },
};
