import type { Fixtures } from '../../../test/world/fixtures.ts';

export const fixtures: Fixtures = {
  'server-configuration': {
    values: { tlsConfigID: [2], defaultEapType: ['TLS'], ocspUrl: ['http://ocsp.example.org/'] },
    needs: { enabledEapTypes: { defaultEapType: 'TLS' }, ocspEnabled: { ocspUrl: 'http://ocsp.example.org/' } },
  },
};
