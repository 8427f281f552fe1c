import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../../test/world/client.ts';
import { Limiter } from '../../test/world/restricted-admins.ts';
import { world } from '../../test/world/world.ts';
import { container } from '../device/container/container.ts';
import { networkDevice } from '../device/network-device/network-device.ts';
import { observePorts } from '../device/port/observe-ports.ts';
import { adapter } from '../host/adapter/adapter.ts';
import { host } from '../host/host/host.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import { role } from '../policy/role/role.ts';
import { userAccount } from '../user/user-account/user-account.ts';

interface Hit {
  group: string;
  id: number | null;
  name: string | null;
  where: string | null;
  online: boolean | null;
  lastSeen: string | null;
  matched: string | null;
}

describe('the search', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const { runtime } = service;
  const limiter = new Limiter(shared);
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const find = async (q: string, caller = admin): Promise<Hit[]> => {
    const { code, body } = await caller.get<Hit>(`/search?q=${encodeURIComponent(q)}`);
    expect({ code, message: body.errorMessage }).toEqual({ code: 200, message: null });
    return body.results!;
  };
  const namesOf = (hits: readonly Hit[], group: string) =>
    hits.filter((hit) => hit.group === group).map(({ name }) => name);
  let cart = 0;
  let engine = 0;
  let library = 0;

  beforeAll(async () => {
    library = await admin.create(container, { name: 'Library' });
    const device = await transact(async (tx) => {
      const { id } = await tx.records.create(networkDevice, {
        name: 'sw-cellar',
        containerID: library,
        ipAddress: '192.0.2.7',
      });
      await tx.client.query(`update network_device set serial_number = 'FOC1234X0AB' where id = $1`, [id]);
      await observePorts(tx.client, [
        { deviceID: id, name: 'Gi1/0/7', ifindex: '7' },
        { deviceID: id, name: 'Gi1/0/8', ifindex: '8' },
      ]);
      await tx.records.create(userAccount, { userID: 'grace', lastName: 'Hopper', email: 'amazing@example.org' });
      return id;
    });
    cart = await admin.create(host, { hostName: 'ward-cart', serialNumber: 'SN-77' });
    engine = await admin.create(host, { hostName: 'analytical-engine' });
    await admin.create(adapter, { physicalAddress: '00:1D:09:00:00:04', hostID: cart, ipaddress: '10.20.2.5' });
    await admin.create(adapter, { physicalAddress: '00:1D:09:11:22:33', hostID: engine });
    await admin.post('/host/set-logged-on-user', { hostID: cart, userID: 'grace', action: 'LOGON' });
    await limiter.sql(
      `insert into connection_active (mac, device_id, port_id) select '00:1D:09:00:00:04', p.device_id, p.id from port p where p.name = 'Gi1/0/7' and p.device_id = $1`,
      [device],
    );
  });

  test.each([
    '00:1d:09:00:00:04',
    '00:1D:09:00:00:04',
    '00-1d-09-00-00-04',
    '00-1D-09-00-00-04',
    '001d.0900.0004',
    '001D.0900.0004',
    '001d09000004',
    '001D09000004',
    '001d09-000004',
    '001D09-000004',
    '001d-0900-0004',
    '001D-0900-0004',
    '0:1d:9:0:0:4',
    '0-1d-9-0-0-4',
    '00 1d 09 00 00 04',
    '001d 0900 0004',
    '001d09 000004',
    '001d09:000004',
    '001d:0900:0004',
    ' 00:1d:09:00:00:04 ',
    '0004',
    '00:04',
    '00.0004',
    '001d.0900',
  ])('%s finds the host and the adapter', async (q) => {
    const hits = await find(q);
    expect(hits).toContainEqual({
      group: 'host',
      id: cart,
      name: 'ward-cart',
      where: 'sw-cellar Gi1/0/7',
      online: true,
      lastSeen: expect.any(String),
      matched: 'MAC',
    });
    expect(namesOf(hits, 'adapter')).toEqual(['00:1D:09:00:00:04']);
  });

  test.each([
    ['10.20.2.5', 'host', 'ward-cart', 'IP'],
    ['10.20.0.0/16', 'adapter', '00:1D:09:00:00:04', 'IP'],
    ['analytical', 'host', 'analytical-engine', 'NAME'],
    ['an', 'host', 'analytical-engine', 'NAME'],
    ['sn-77', 'host', 'ward-cart', 'SERIAL'],
    ['grace', 'host', 'ward-cart', 'USER'],
    ['hopper', 'user-account', 'grace', 'NAME'],
    ['amazing@', 'user-account', 'grace', 'NAME'],
    ['CELLAR', 'network-device', 'sw-cellar', 'NAME'],
    ['192.0.2.7', 'network-device', 'sw-cellar', 'IP'],
    ['foc1234x0ab', 'network-device', 'sw-cellar', 'SERIAL'],
    ['sw-cellar Gi1/0/7', 'port', 'sw-cellar Gi1/0/7', 'PLACE'],
    ['sw-cellar:gi1/0/7', 'port', 'sw-cellar Gi1/0/7', 'PLACE'],
    ['gi1/0/8', 'port', 'sw-cellar Gi1/0/8', 'NAME'],
  ])('%s finds the %s %s by its %s', async (q, group, name, matched) => {
    const hits = (await find(q)).filter((hit) => hit.group === group);
    expect(hits).toMatchObject([{ name, matched }]);
  });

  test('shows the places of devices, ports and users', async () => {
    expect(await find('sw-cellar')).toMatchObject([
      { group: 'network-device', where: 'Library', online: false, lastSeen: null },
    ]);
    expect(await find('sw-cellar Gi1/0/7')).toMatchObject([
      { group: 'port', where: 'Library', lastSeen: expect.any(String) },
    ]);
    expect((await find('hopper')).at(-1)).toMatchObject({ group: 'user-account', where: 'ward-cart', online: true });
  });

  test('returns the newest eight of each resource first', async () => {
    for (let n = 0; n < 10; n++) {
      const id = await admin.create(host, { hostName: `printer ${n}` });
      const physicalAddress = `02:00:00:00:01:0${n}`;
      await admin.create(adapter, { physicalAddress, hostID: id });
      await limiter.sql(
        `insert into connection_active (mac, device_id, port_id, last_seen)
         select $1, p.device_id, p.id, now() - make_interval(hours => $2) from port p where p.name = 'Gi1/0/8'`,
        [physicalAddress, (n * 7) % 10],
      );
    }
    const hours = [0, 3, 6, 9, 2, 5, 8, 1];
    expect(namesOf(await find('printer'), 'host')).toEqual(hours.map((n) => `printer ${n}`));
  });

  test('finds policies, roles, groups, networks and containers by parts of their names', async () => {
    await admin.create(role, { name: 'Zebra keepers' });
    await admin.create(container, { name: 'Zebra house' });
    const hits = (await find('zebra')).map(({ group, name }) => [group, name]);
    expect(hits).toEqual([
      ['role', 'Zebra keepers'],
      ['container', 'Zebra house'],
    ]);
    expect(await find('zebra house')).toMatchObject([{ where: null, online: null, lastSeen: null, matched: 'NAME' }]);
  });

  test('finds pages and settings on request, limited to the menu of the caller', async () => {
    const places = async (q: string, client = admin) =>
      (await client.get<Hit>(`/search?pages=true&q=${encodeURIComponent(q)}`)).body
        .results!.filter(({ group }) => group === 'page' || group === 'setting')
        .map(({ group, id, name, where }) => [group, id, name, where]);
    expect(await places('role map')).toEqual([['page', null, 'Role mappings', 'role-mappings']]);
    expect(await places('uplink')).toContainEqual(expect.arrayContaining(['setting', null]));
    expect((await find('role map')).filter(({ group }) => group === 'page')).toEqual([]);
    const narrow = await shared.caller({ hosts: ['view'] });
    expect(await places('role map', narrow)).toEqual([]);
    expect(await places('uplink', narrow)).toEqual([]);
    expect(await places('hosts', narrow)).toEqual([['page', null, 'Hosts', 'hosts']]);
  });

  test('treats SQL patterns as text, and requires two characters', async () => {
    expect(await find('100%')).toEqual([]);
    expect(await find('__')).toEqual([]);
    expect(await find("'; drop table host; --")).toEqual([]);
    for (const q of ['', 'x', ' x ']) expect((await admin.get(`/search?q=${encodeURIComponent(q)}`)).code).toBe(400);
  });

  test('searches only resources that the caller may view', async () => {
    const issued = await admin.post('/auth/tokens', { name: 'hosts', scopes: { hosts: ['view'] } });
    const narrow = new Client(service.app, (issued.body.results![0] as { token: string }).token);
    expect(namesOf(await find('grace', narrow), 'host')).toEqual(['ward-cart']);
    expect(new Set((await find('grace', narrow)).map(({ group }) => group))).toEqual(new Set(['host']));
    expect(await find('sw-cellar', narrow)).toEqual([]);
  });

  test('finds no hidden rows, and does not show hidden places of visible rows', async () => {
    const group = await limiter.group('HOST');
    await limiter.join(group, 2, engine);
    const view = { view: true };
    const otherContainer = await admin.create(container, { name: 'Elsewhere' });
    const limited = await limiter.caller({
      permissions: {
        hosts: view,
        devices: { ...view, customized: true, allIDs: false, selectedIDs: [otherContainer] },
      },
    });
    const hits = await find('00:1d:09:00:00:04', limited);
    expect(hits).toMatchObject([
      { group: 'host', name: 'ward-cart', where: null },
      { group: 'adapter', where: null },
    ]);
    expect(await find('sw-cellar', limited)).toEqual([]);
    expect(await find('sw-cellar Gi1/0/7', limited)).toEqual([]);
  });

  test('returns an empty hit for a resource that cannot be read in time, and searches the others', async () => {
    const { admin, service } = await world({ searchMs: 2_000 });
    await service.runtime.transact(systemOrigin('test'), ({ records }) =>
      records.create(networkDevice, { name: 'sw-attic', containerID: 1 }),
    );
    const blocker = await service.runtime.pool.connect();
    try {
      await blocker.query('begin; lock table adapter in access exclusive mode');
      const hits = await find('sw-attic', admin);
      const none = { id: null, name: null, where: null, online: null, lastSeen: null, matched: null };
      expect(hits).toMatchObject([
        { group: 'host', ...none },
        { group: 'network-device', name: 'sw-attic' },
      ]);
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    expect(await find('sw-attic', admin)).toMatchObject([{ group: 'network-device' }]);
  });
});
