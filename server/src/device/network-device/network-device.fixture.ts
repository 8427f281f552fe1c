import type { Fixtures } from '../../../test/world/fixtures.ts';
import { networkDevice } from './network-device.ts';

export const fixtures: Fixtures = {
  'network-device': {
    parameters: { move: (staged) => `?id=${staged('staged-device')}&containerID=1` },
    restricted: (limiter, place) => limiter.device(place),
    needs: { radiusEnabled: { radiusSecret: 'of-the-examples' } },
    // The devices of these calls are pingables.
    refused: { 'create-snmp': 422, 'update-snmp': 422 },
  },
  'staged-device': {
    stage: async ({ records }) => (await records.create(networkDevice, { name: 'core', containerID: 1 })).id,
  },
};
