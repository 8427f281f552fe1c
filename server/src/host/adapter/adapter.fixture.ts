import type { Fixtures } from '../../../test/world/fixtures.ts';
import { staged as values } from '../../../test/world/paths.ts';
import { adapter } from './adapter.ts';

export const fixtures: Fixtures = {
  adapter: {
    parameters: {
      'for-host': () => '?hostID=1',
      'connected-to-ports': (staged) => `?portID=${staged('port')}`,
    },
    restricted: (limiter) => limiter.adapter(),
  },
  'staged-adapter': {
    /** An adapter that is connected to a port; its host has an owner and a logged-on user. */
    async stage({ records, client }, staged) {
      await staged('port-change');
      const { id } = await records.create(adapter, { physicalAddress: values.mac, ipaddress: values.ip });
      await client.query(
        'insert into connection_active (mac, device_id, port_id) select a.physical_address, $1, $2 from adapter a',
        [await staged('staged-device'), await staged('port')],
      );
      await client.query(
        `update host set logged_on_user_id = 'a.turing', owner_id = (select min(u.id) from user_account u)`,
      );
      return id;
    },
  },
};
