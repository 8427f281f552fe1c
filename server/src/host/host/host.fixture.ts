import type { Fixtures } from '../../../test/world/fixtures.ts';

export const fixtures: Fixtures = {
  host: {
    parameters: {
      'connected-to-port': (staged) => `?portID=${staged('port')}`,
      search: () => '?q=a.turing',
      'for-user': () => '?userID=a.turing',
    },
    values: { deviceType: [{ tag: 'printer' }] },
    // The caller's row limits would hide the new adapter.
    refused: { 'update-with-adapters': 403 },
  },
};
