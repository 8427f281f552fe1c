import type { Fixtures } from '../../../test/world/fixtures.ts';
import { observePorts } from './observe-ports.ts';

export const fixtures: Fixtures = {
  port: {
    async stage({ client }, staged) {
      await observePorts(client, [{ deviceID: await staged('staged-device'), name: 'Gi1/0/1', ifindex: '1' }]);
      const { rows } = await client.query<{ id: number }>(`select p.id from port p where p.name = 'Gi1/0/1'`);
      return rows[0]!.id;
    },
    parameters: { 'by-device': (staged) => `?deviceID=${staged('staged-device')}` },
    restricted: async (limiter, place) => limiter.port(await limiter.device(place)),
  },
};
