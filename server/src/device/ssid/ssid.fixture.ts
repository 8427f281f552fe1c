import type { Fixtures } from '../../../test/world/fixtures.ts';
import { observePorts } from '../port/observe-ports.ts';
import { observeSsids } from './ssid.service.ts';

export const fixtures: Fixtures = {
  ssid: { restricted: async (limiter, place) => limiter.ssid(await limiter.device(place)) },
  'ssid-config': {
    async stage(tx, staged) {
      const id = await staged('staged-device');
      await staged('port');
      await observePorts(tx.client, [{ deviceID: id, name: 'corp', portType: 1 }]);
      await observeSsids(tx, { id, name: 'core' }, [{ name: 'corp', bssid: null, security: 'PSK' }]);
      const { rows } = await tx.client.query<{ id: number }>(`select p.id from port p where p.name = 'corp'`);
      return rows[0]!.id;
    },
  },
};
