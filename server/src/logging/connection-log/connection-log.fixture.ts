import type { Fixtures } from '../../../test/world/fixtures.ts';

const mac = '00:1D:09:00:73:77';
const session = '4D2BB8AC-00000098';

export const fixtures: Fixtures = {
  'connection-log': {
    /** Creates a connection that has ended, in addition to the open one of the staged adapter. */
    async stage({ client }, staged) {
      await staged('staged-adapter');
      await client.query(
        `insert into connection_active (mac, device_id, port_id, vlan, since)
         select $1, p.device_id, p.id, '10', now() - interval '1 hour' from port p where p.id = $2`,
        [mac, await staged('port')],
      );
      await client.query(`update connection_active set session_id = $2 where mac = $1`, [mac, session]);
      await client.query(`delete from connection_active c using closing_because('USER') where c.mac = $1`, [mac]);
      const { rows } = await client.query<{ id: number }>('select l.id from connection_log l where l.mac = $1', [mac]);
      return rows[0]!.id;
    },
    parameters: { 'by-session': () => `?sessionID=${session}` },
  },
};
