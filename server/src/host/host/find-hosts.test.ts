import { beforeAll, describe, expect, test } from 'vitest';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { observePorts } from '../../device/port/observe-ports.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { adapter } from '../adapter/adapter.ts';
import { host } from './host.ts';

describe('finding hosts', async () => {
  const shared = await world();
  const { admin, service } = shared;
  const { runtime } = service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const ids = new Map<string, number>();

  beforeAll(async () => {
    const { id: device } = await transact(({ records }) =>
      records.create(networkDevice, { name: 'sw-cellar', containerID: 1 }),
    );
    await transact(({ client }) => observePorts(client, [{ deviceID: device, name: 'Gi1/0/7', ifindex: '7' }]));
    const { id: ada } = await transact(({ records }) =>
      records.create(userAccount, {
        userID: 'ada',
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'countess@example.org',
      }),
    );
    const hosts: [string, object, [string, string | undefined][]][] = [
      [
        'engine',
        { hostName: 'analytical-engine', operatingSystem: 'Brass 1.0', ownerID: ada },
        [
          ['00:1D:09:00:00:01', '10.20.1.5'],
          ['00:1D:09:00:00:02', undefined],
        ],
      ],
      [
        'cart',
        { hostName: 'ward-cart', notes: '100% _lent_ to the night shift' },
        [['02:AA:BB:00:00:03', '10.20.2.5']],
      ],
      ['rogue', { type: 1 }, [['00:50:C2:00:00:04', '2001:db8::4']]],
    ];
    for (const [name, record, adapters] of hosts) {
      const id = await admin.create(host, { hostName: 'x', ...record });
      ids.set(name, id);
      for (const [physicalAddress, ipaddress] of adapters)
        await admin.create(adapter, { physicalAddress, hostID: id, ...(ipaddress && { ipaddress }) });
    }
    await admin.post('/host/set-logged-on-user', { hostID: ids.get('cart'), userID: 'grace', action: 'LOGON' });
    await runtime.pool.query(
      `insert into connection_active (mac, device_id, port_id) select '00:50:C2:00:00:04', p.device_id, p.id from port p`,
    );
  });

  const namesOf = (records: readonly Record<string, unknown>[]) =>
    records.map(({ id }) => [...ids].find(([, hostID]) => hostID === id)![0]);
  const search = async (q: string) => (await admin.get(`/host/search?q=${encodeURIComponent(q)}`)).body;

  test.each([
    ['analytical', 'engine', 'hostName'],
    ['BRASS', 'engine', 'operatingSystem'],
    ['lovelace', 'engine', 'owner'],
    ['countess@', 'engine', 'owner'],
    ['night shift', 'cart', 'notes'],
    ['100% _lent_', 'cart', 'notes'],
    ['grace', 'cart', 'loggedOnUserID'],
    ['sw-cellar', 'rogue', 'location'],
    ['sw-cellar:Gi1/0/7', 'rogue', 'location'],
    ['00-1d-09', 'engine', 'mac'],
    ['0050.c200.0004', 'rogue', 'mac'],
    ['10.20.2.5', 'cart', 'ip'],
    ['10.20.1.0/24', 'engine', 'ip'],
    ['2001:db8::/64', 'rogue', 'ip'],
    ['an', 'engine', 'hostName'],
  ])('%s finds the %s by its %s', async (q, name, field) => {
    const { results, filtered, total } = await search(q);
    expect([namesOf(results!), filtered, total]).toEqual([[name], 1, 3]);
    expect(results![0]).toMatchObject({ matchedOn: [field] });
    expect((results![0]!.adapterObjects as unknown[]).length).toBeGreaterThan(0);
  });

  test('returns each host once with all fields that match a text, page by page', async () => {
    expect((await search('10.20.0.0/16')).filtered).toBe(2);
    const page = (await admin.get(`/host/search?q=${encodeURIComponent('10.20.0.0/16')}&start=1&count=1`)).body;
    expect([page.filtered, namesOf(page.results!)]).toEqual([2, ['cart']]);
    await admin.post(`/host/${ids.get('cart')}`, { operatingSystem: 'ward OS' });
    expect((await search('ward')).results).toMatchObject([{ matchedOn: ['hostName', 'operatingSystem'] }]);
    expect((await search('nobody knows this')).filtered).toBe(0);
    for (const q of ['', 'a', '%20%20a']) expect((await admin.get(`/host/search?q=${q}`)).code, q).toBe(400);
  });

  const multi = async (...filter: string[]) =>
    admin.get(`/host/multifilter?${filter.map((element) => `filter=${encodeURIComponent(element)}`).join('&')}`);

  test('requires one adapter to match all adapter filters', async () => {
    const both = ['adapter.physicalAddress==00:1D:09:*', 'adapter.ipaddress==10.20.1.5'];
    expect(namesOf((await multi(...both)).body.results!)).toEqual(['engine']);
    const different = ['adapter.physicalAddress==00:1D:09:00:00:02', 'adapter.ipaddress==10.20.1.5'];
    expect((await multi(...different)).body.results).toEqual([]);
    expect((await multi('host.type==2', 'user.lastName==Love*')).body).toMatchObject({
      filtered: 1,
      total: (await admin.get('/host/count')).body.total,
      results: [
        {
          id: ids.get('engine'),
          userObject: { userID: 'ada', email: 'countess@example.org' },
          adapterObjects: [{}, {}],
        },
      ],
    });
    expect((await multi('hostName==ward*')).body.results).toMatchObject([{ userObject: null }]);
    for (const wrong of ['app.name==x', 'host.type==1,adapter.enabled==true', 'adapter.nothing==1', 'user.secret==x'])
      expect((await multi(wrong)).code, wrong).toBe(400);
    const users = await admin.get('/host/multifilter/users?filter=adapter.physicalAddress==00:1D:09:*');
    expect(users.body.results).toEqual([expect.objectContaining({ userID: 'ada', firstName: 'Ada' })]);
  });

  test('refuses filters on users if the caller may not see users', async () => {
    const viewer = await shared.caller({ hosts: ['view'] });
    expect((await viewer.get('/host/multifilter?filter=user.userID==ada')).code).toBe(403);
    expect((await viewer.get('/host/multifilter/users')).code).toBe(403);
    const { results } = (await viewer.get(`/host/multifilter?filter=id==${ids.get('engine')}`)).body;
    expect(results).toMatchObject([{ userObject: null }]);
  });

  test('counts the hosts of named filters and caches them for a minute, but not for callers with row limits', async () => {
    const { results } = (await admin.get('/host/client-filters')).body;
    expect(results!.map(({ name, scope }) => [name, scope])).toEqual(
      [
        'rogues-online',
        'at-risk',
        'disabled',
        'new-today',
        'expiring-7-days',
        'no-agent',
        'randomized-mac',
        'unprofiled',
      ].map((name) => [name, 'BUILT_IN']),
    );
    const count = (name: string) => results!.find((hostFilter) => hostFilter.name === name)!.count;
    expect([count('rogues-online'), count('disabled'), count('new-today'), count('randomized-mac')]).toEqual([
      1, 0, 3, 1,
    ]);
    for (const { filter, count: counted } of results!)
      expect((await multi(...(filter as string[]))).body.filtered).toBe(counted);
    const cached = async () => (await admin.get('/host/client-filters/cached/disabled')).body;
    const before = await cached();
    await admin.post(`/host/${ids.get('cart')}/disable`);
    expect(await cached()).toEqual(before);
    const limited = await new Limiter(shared).caller({ manageByGroups: true, permissions: { hosts: { view: true } } });
    expect((await limited.get('/host/client-filters/cached/new-today')).body).toMatchObject({
      filtered: 0,
      results: [],
    });
    await runtime.pool.query(`update host_filter_cache set at = at - interval '61 seconds'`);
    expect(await cached()).toMatchObject({
      filtered: 1,
      results: [{ id: ids.get('cart'), cachedAt: expect.any(String) }],
    });
    expect((await admin.get('/host/client-filters/cached/no-such-filter')).code).toBe(404);
    await admin.post(`/host/${ids.get('cart')}/enable`);
  });

  test('filters hosts by their addresses, adapters, connections and owners, and by negations', async () => {
    const list = async (filter: string) =>
      namesOf((await admin.get(`/host?sortKey=id&filter=${encodeURIComponent(filter)}`)).body.results!);
    expect(await list('ip==10.20.0.0/16')).toEqual(['engine', 'cart']);
    expect(await list('ip!=10.20.1.5;ip=isnull=false')).toEqual(['cart', 'rogue']);
    expect(await list('primaryMac==00:1d:09:*')).toEqual(['engine']);
    expect(await list('adapters==00:1D:09:00:00:02')).toEqual(['engine']);
    expect(await list('adapters!=00:1D:09:00:00:02')).toEqual(['cart', 'rogue']);
    expect(await list('connected==true')).toEqual(['rogue']);
    expect(await list('connected==false')).toEqual(['engine', 'cart']);
    expect(await list('connected=in=(true,false)')).toEqual(['engine', 'cart', 'rogue']);
    expect(await list('owner==ada')).toEqual(['engine']);
    expect(await list('deviceType.tag==unknown;type==1')).toEqual(['rogue']);
    const withAdapters = (await admin.get('/host?withAdapters=true')).body.results!;
    const without = (await admin.get('/host')).body.results!;
    expect(withAdapters.map(({ adapterObjects }) => (adapterObjects as unknown[]).length)).toEqual([2, 1, 1]);
    expect(without.map(({ adapterObjects }) => adapterObjects)).toEqual([[], [], []]);
  });

  test.each([
    ['by-ip/1', 'ip'],
    ['by-ip/1..2', 'ip'],
    ['by-mac/1', 'mac'],
    ['by-mac/00:1D', 'mac'],
  ])('refuses %s: the value is not an address', async (path, name) => {
    const reply = await admin.get(`/host/${path}`);
    expect(reply).toMatchObject({ code: 400, body: { status: 'invalid' } });
    expect(reply.text).toContain(`${name}: expected`);
  });
});
