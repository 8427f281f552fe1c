import { Limiter } from '@portreeve/server/test/world/restricted-admins.ts';
import { world as startWorld } from '@portreeve/server/test/world/world.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { runPortreeve } from './testing/run-portreeve.ts';

interface Shown {
  portID: number;
  mac: string;
  active: boolean;
}

describe('portreeve connection', async () => {
  const world = await startWorld();
  const url = await world.service.app.listen({ host: '127.0.0.1', port: 0 });
  const env = { PORTREEVE_URL: url, PORTREEVE_TOKEN: world.admin.token, HOME: '/nonexistent' };
  const limiter = new Limiter(world);
  const mac = '00:1D:09:00:80:01';
  let ports: number[];

  const open = (portID: number, hoursAgo: number) =>
    limiter.sql(
      `insert into connection_active (mac, device_id, port_id, since)
       select $1, p.device_id, p.id, now() - make_interval(hours => $3) from port p where p.id = $2`,
      [mac, portID, hoursAgo],
    );
  const run = (...words: string[]) => runPortreeve(['connection', ...words], env);
  const shown = async (...words: string[]): Promise<Shown[]> => {
    const { code, out, err } = await run(...words, '--json');
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as Shown[];
  };

  beforeAll(async () => {
    const deviceID = await limiter.device('Network');
    ports = [await limiter.port(deviceID), await limiter.port(deviceID)];
    await open(ports[0]!, 5);
    await limiter.sql(`update connection_active set ended = now() - interval '3 hours', disconnect_reason = 'USER'`);
    await limiter.sql('delete from connection_active');
  });

  test('where shows the last connection, the open one, and the one at a time', async () => {
    expect(await shown('where', mac)).toMatchObject([{ portID: ports[0], active: false }]);
    await open(ports[1]!, 1);
    expect(await shown('where', '001d.0900.8001')).toMatchObject([{ portID: ports[1], active: true }]);
    expect(await shown('where', mac, '--at=-4h')).toMatchObject([{ portID: ports[0], active: false }]);
    const { code, err } = await run('where', mac, '--at=-2h');
    expect([code, err]).toEqual([1, expect.stringContaining(`${mac} had no connection at -2h.`)]);
  });

  test('on lists the adapters of a port, now and at a time', async () => {
    const [port] = await limiter.sql<{ name: string }>(
      `select d.name || ':' || p.name as name from port p join network_device d on d.id = p.device_id where p.id = $1`,
      [ports[0]],
    );
    expect(await shown('on', port!.name, '--at=-4h')).toMatchObject([{ mac, active: false }]);
    expect(await shown('on', String(ports[1]))).toMatchObject([{ mac, active: true }]);
    const none = await run('on', port!.name);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining(`No connection on ${port!.name}.`)]);
    const wrong = await run('on', 'no port');
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('DEVICE:PORT')]);
  });
});
