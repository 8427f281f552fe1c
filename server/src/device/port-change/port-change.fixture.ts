import type { Fixtures } from '../../../test/world/fixtures.ts';
import { writePortChanges } from './port-change.service.ts';

export const fixtures: Fixtures = {
  'port-change': {
    async stage({ client }, staged) {
      await staged('ssid-config');
      const byHand = { reason: 'MANUAL', method: 'SNMP', trigger: 'ADMIN', triggeredBy: 'night-shift' } as const;
      const vlan = { from: '10', to: '20' };
      await writePortChanges(client, [
        { ...byHand, portID: await staged('port'), vlan, errorMessage: null, durationMs: 90 },
      ]);
      return (await client.query<{ id: number }>('select c.id from port_change c')).rows[0]!.id;
    },
  },
};
