import type { Fixtures } from '../../../test/world/fixtures.ts';

export const fixtures: Fixtures = {
  'tls-service-configuration': {
    values: {
      certificateAlias: ['agent'],
      protocols: [['TLS_1_2']],
      ciphers: [['TLS_AES_128_GCM_SHA256']],
    },
  },
};
