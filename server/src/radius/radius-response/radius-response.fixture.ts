import type { Fixtures } from '../../../test/world/fixtures.ts';
import { writeResponses } from './radius-response.service.ts';

export const fixtures: Fixtures = {
  'radius-response': {
    async stage({ client }, staged) {
      const { rows } = await client.query<{ id: number }>('select p.device_id as id from port p where p.id = $1', [
        await staged('port'),
      ]);
      await writeResponses(client, [
        {
          callingStationId: '00:1D:09:00:00:77',
          username: '001d09000077',
          deviceID: rows[0]!.id,
          nas: 'sw-3',
          nasPort: 'Gi1/0/7',
          ssid: null,
          outerEapType: null,
          eapType: 'MAB',
          reply: 'ACCEPT',
          cause: 'NONE',
          message: 'Nothing is enforced: the port is in no enforcement group.',
          decisionID: null,
          durationMs: 3,
          clusterNode: 'node-1',
        },
      ]);
      return (await client.query<{ id: number }>('select r.id from radius_response r')).rows[0]!.id;
    },
  },
};
