import { beforeAll, describe, expect, test } from 'vitest';
import { logEvents } from '../../../test/world/logged-events.ts';
import { macOf } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { locateMacs } from '../../device/polling/locate-macs.ts';
import { readPorts, readSurroundings, storeArp, storeReading } from '../../device/polling/store-connections.ts';
import { observePorts } from '../../device/port/observe-ports.ts';
import { port } from '../../device/port/port.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { group } from '../../system/group/group.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { endGrace } from '../host/end-grace.ts';
import { host } from '../host/host.ts';
import { adapter } from './adapter.ts';

describe('the life of a host', async () => {
  const { admin, service } = await world();
  const { runtime } = service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const sql = async <R extends object>(text: string, values: unknown[] = []) =>
    (await runtime.pool.query<R>(text, values)).rows;
  const ports: number[] = [];
  let device: Parameters<typeof storeReading>[1];
  let lastMac = 0x10_00_00;
  const newMac = () => macOf(++lastMac);

  beforeAll(async () => {
    await logEvents({ admin, service }, 'HOST_CONNECTED', 'HOST_DISCONNECTED', 'ADAPTER_IP_CHANGED');
    const { id } = await transact(({ records }) => records.create(networkDevice, { name: 'sw-1', containerID: 1 }));
    device = { id, name: 'sw-1' } as typeof device;
    await transact(({ client }) =>
      observePorts(
        client,
        [1, 2, 3].map((n) => ({ deviceID: id, name: `Gi0/${n}`, ifindex: String(n), ifoperStatus: 1 })),
      ),
    );
    ports.push(...(await sql<{ id: number }>('select id from port order by id')).map((row) => row.id));
  });

  /** Stores an L2 poll that found these addresses on these ports. Addresses that two polls do not find are disconnected. */
  const readForwardingTable = (...entries: [mac: string, place: number][]) =>
    transact((tx) =>
      storeReading(tx, device, {
        learned: entries.map(([mac, place]) => ({ mac, portID: ports[place - 1]!, vlan: '20' })),
        uplinks: new Map(),
        hits: new Map(),
      }),
    );
  const byMac = async (mac: string) => (await admin.get(`/host/by-mac/${mac}`)).body.results![0]!;
  const eventsOf = async (mac: string, since = 0) =>
    (
      await sql<{ name: string; id: number }>('select name, id from event where mac = $1 and id > $2 order by id', [
        mac,
        since,
      ])
    ).map(({ name }) => name);
  const stateOf = async (place: number) => (await admin.fetch(port, ports[place - 1]!)).connectionState;

  test('creates a rogue and its adapter for a new address on a port, without an audit row', async () => {
    const mac = newMac();
    const audits = async () => (await admin.get('/logging/audit?count=0')).body.total;
    const before = await audits();
    expect(await readForwardingTable([mac, 1])).toMatchObject({ added: 1 });
    expect(await byMac(mac.replaceAll(':', '-').toLowerCase())).toMatchObject({
      type: 1,
      typeLabel: 'Rogue',
      registered: false,
      connected: true,
      primaryMac: mac,
      adapters: [mac],
      role: 'NAC-Default',
      roleSource: 'DEFAULT',
      deviceType: { tag: 'unknown' },
      adapterObjects: [
        {
          physicalAddress: mac,
          mediaType: 'WIRED',
          status: 'ONLINE',
          location: 'sw-1:Gi0/1',
          accessValue: '20',
          randomized: false,
        },
      ],
    });
    expect(await eventsOf(mac)).toEqual(['HOST_CREATED', 'HOST_CONNECTED', 'ROGUE_CONNECTED']);
    expect(await stateOf(1)).toBe(2);
    expect(await audits()).toBe(before);
    await readForwardingTable([mac, 1]);
    expect(await eventsOf(mac)).toHaveLength(3);
    await readForwardingTable();
    await readForwardingTable();
  });

  test('creates an adapter for a laptop but not for a VRRP or multicast address, and counts the exclusion hit', async () => {
    const laptop = newMac();
    const entries = ['00:00:5E:00:01:0A', '01:00:5E:00:00:FB', laptop].map(
      (mac) => ({ mac, portId: '1', vlan: 20, status: 'learned' }) as const,
    );
    const hits = async () =>
      (
        await sql<{ hits: number }>(
          `select e.hits from mac_exclusion e where '00:00:5E:00:01:0A' between e.start and e."end"`,
        )
      )[0]!.hits;
    const before = await hits();
    const surroundings = await runtime.read((client) => readSurroundings(client, entries, []));
    await transact(async (tx) => {
      const reading = locateMacs(entries, [], await readPorts(tx.client, device.id), {
        ...surroundings,
        uplinkCount: 20,
      });
      return storeReading(tx, device, reading);
    });
    expect(await sql('select mac from connection_active')).toEqual([{ mac: laptop }]);
    const storedAdapters = await sql('select from adapter where physical_address = any($1)', [
      entries.map(({ mac }) => mac),
    ]);
    expect([storedAdapters.length, (await hits()) - before]).toEqual([1, 1]);
    await readForwardingTable();
    await readForwardingTable();
  });

  test('moves an adapter, disconnects it after two polls without it, and keeps its last location', async () => {
    const mac = newMac();
    await readForwardingTable([mac, 1]);
    await readForwardingTable([mac, 2]);
    expect(await eventsOf(mac)).toContain('ADAPTER_MOVED');
    expect(await byMac(mac)).toMatchObject({ adapterObjects: [{ location: 'sw-1:Gi0/2', portID: ports[1] }] });
    await readForwardingTable();
    expect(await byMac(mac)).toMatchObject({ connected: true });
    await readForwardingTable();
    expect(await byMac(mac)).toMatchObject({
      connected: false,
      lastConnected: expect.any(String),
      lastDisconnected: expect.any(String),
      adapterObjects: [{ status: 'OFFLINE', location: 'sw-1:Gi0/2', portID: ports[1], connectedSince: null }],
    });
    expect((await eventsOf(mac)).at(-1)).toBe('HOST_DISCONNECTED');
    const { id } = ((await byMac(mac)).adapterObjects as { id: number }[])[0]!;
    expect((await admin.get(`/adapter/${id}/get-port`)).body.results).toEqual([]);
    expect((await admin.get(`/adapter/${id}/get-port?last=true`)).body.results).toMatchObject([
      { dbid: ports[1], name: 'Gi0/2' },
    ]);
    expect(await stateOf(2)).toBe(0);
  });

  test('reports a suspected MAC spoof for one address on two ports that are up within a short time', async () => {
    const mac = newMac();
    await readForwardingTable([mac, 1]);
    await readForwardingTable([mac, 3]);
    expect(await eventsOf(mac)).toContain('MAC_SPOOF_SUSPECTED');
    const wanderer = newMac();
    await readForwardingTable([wanderer, 1]);
    await sql('update port set ifoper_status = 2 where id = $1', [ports[0]]);
    await readForwardingTable([wanderer, 3]);
    expect(await eventsOf(wanderer)).not.toContain('MAC_SPOOF_SUSPECTED');
    await sql('update port set ifoper_status = 1 where id = $1', [ports[0]]);
  });

  test('creates one host when several nodes learn an address for the first time', async () => {
    const macs = Array.from({ length: 20 }, newMac);
    const entries = macs.map((mac) => [mac, 1] as [string, number]);
    await Promise.all([
      readForwardingTable(...entries),
      readForwardingTable(...entries),
      readForwardingTable(...entries),
    ]);
    expect(await sql('select from adapter where physical_address = any($1)', [macs])).toHaveLength(20);
    expect(await sql('select from host h where not exists (select from adapter a where a.host_id = h.id)')).toEqual([]);
    await readForwardingTable();
    await readForwardingTable();
  });

  test('shows on the port whether its host is registered, disabled, at risk or one of several', async () => {
    const mac = newMac();
    await readForwardingTable([mac, 1]);
    const { id } = await byMac(mac);
    const steps: [object, string, number][] = [
      [{ type: 2, hostName: 'laptop' }, `/host/${id}`, 1],
      [{ type: 3 }, `/host/${id}`, 4],
      [{ health: 'AT_RISK' }, `/host/${id}/set-health`, 13],
      [{}, `/host/${id}/disable`, 12],
      [{}, `/host/${id}/enable`, 13],
      [{ health: 'SAFE' }, `/host/${id}/set-health`, 4],
      [{ deviceType: { tag: 'ip-phone' } }, `/host/${id}`, 3],
    ];
    for (const [body, path, state] of steps) {
      const reply = await admin.post(path, path.endsWith('able') ? undefined : body);
      expect([reply.code, reply.text, await stateOf(1)], path).toEqual([200, expect.any(String), state]);
    }
    const rogue = newMac();
    await readForwardingTable([mac, 1], [rogue, 1]);
    expect(await stateOf(1)).toBe(6);
    await readForwardingTable([mac, 1], [rogue, 1], [newMac(), 1]);
    expect(await stateOf(1)).toBe(5);
    await readForwardingTable();
    await readForwardingTable();
  });

  test('stores who registered a host and when, and emits an event; removing the registration makes it a rogue', async () => {
    const id = await admin.create(host, { type: 1, hostName: 'stray' });
    expect((await admin.post(`/host/${id}`, { type: 2 })).code).toBe(200);
    expect(await admin.fetch(host, id)).toMatchObject({
      registered: true,
      registeredBy: 'system-administrator-1',
      registeredAt: expect.any(String),
    });
    expect((await admin.post(`/host/${id}`, { type: 1 })).code).toBe(200);
    expect(await admin.fetch(host, id)).toMatchObject({ registered: false, registeredBy: null, registeredAt: null });
    const names = (
      await sql<{ name: string }>('select name from event where element_type = 4 and element_id = $1 order by id', [id])
    ).map(({ name }) => name);
    expect(names).toEqual(['HOST_CREATED', 'HOST_MODIFIED', 'HOST_REGISTERED', 'HOST_MODIFIED', 'HOST_DEREGISTERED']);
    expect((await admin.post(`/host/${id}`, { type: 4 })).code).toBe(422);
    expect((await admin.post(`/host/${id}`, { type: 5 })).code).toBe(422);
    expect((await admin.post(`/host/${id}`, { deviceType: { tag: 'ip-phone' } })).code).toBe(200);
    expect(await admin.fetch(host, id)).toMatchObject({ type: 4, registered: true });
    expect((await admin.post(`/host/${id}`, { type: 1 })).code).toBe(422);
    expect((await admin.post(`/host/${id}`, { deviceType: { tag: 'printer' } })).code).toBe(200);
    expect(await admin.fetch(host, id)).toMatchObject({ type: 3 });
  });

  test('replaces a deleted host that is still connected with a rogue, and deletes a host with its last adapter', async () => {
    const mac = newMac();
    await readForwardingTable([mac, 2]);
    const { id } = await byMac(mac);
    expect((await admin.delete(`/host/${id}`)).code).toBe(200);
    const again = await byMac(mac);
    expect(again.id).not.toBe(id);
    expect(again).toMatchObject({ type: 1, connected: true });
    const [first, second] = [newMac(), newMac()];
    const reply = await admin.post('/host/with-adapters', {
      hostName: 'two-legs',
      adapterObjects: [{ physicalAddress: first }, { physicalAddress: second }],
    });
    const pair = Number(String(reply.headers.location).split('/').at(-1));
    const [firstAdapter, secondAdapter] = (await admin.get<{ id: number }>(`/adapter/for-host?hostID=${pair}`)).body
      .results!;
    expect((await admin.delete(`/adapter/${firstAdapter!.id}`)).code).toBe(200);
    expect((await admin.get(`/host/${pair}`)).code).toBe(200);
    expect((await admin.delete(`/adapter/${secondAdapter!.id}`)).code).toBe(200);
    expect((await admin.get(`/host/${pair}`)).code).toBe(404);
    await readForwardingTable();
    await readForwardingTable();
  });

  test('an adapter that moves to another host leaves no empty rogue behind', async () => {
    const id = await admin.create(adapter, { physicalAddress: newMac(), ipaddress: '198.51.100.77' });
    const { hostID: rogue } = await admin.fetch(adapter, id);
    const target = await admin.create(host, { hostName: 'target' });
    expect((await admin.post(`/adapter/${id}`, { hostID: target })).code).toBe(200);
    expect((await admin.get(`/host/${rogue}`)).code).toBe(404);
    expect((await admin.get('/host/by-ip/198.51.100.77')).body.results).toMatchObject([
      { id: target, ip: '198.51.100.77' },
    ]);
  });

  test('with-adapters takes addresses from rogues and not from registered hosts, and deletes what is not listed', async () => {
    const [rogueMac, ownMac, otherMac] = [newMac(), newMac(), newMac()];
    await admin.create(adapter, { physicalAddress: rogueMac });
    const registration = await admin.post('/host/with-adapters', {
      hostName: 'taken',
      adapterObjects: [{ physicalAddress: otherMac }],
    });
    expect(registration.code).toBe(201);
    const reply = await admin.post('/host/with-adapters', {
      hostName: 'mine',
      adapterObjects: [
        { physicalAddress: ownMac, mediaType: 'WIRED' },
        { physicalAddress: rogueMac.replaceAll(':', '') },
      ],
    });
    expect(reply.code, reply.text).toBe(201);
    const id = Number(String(reply.headers.location).split('/').at(-1));
    expect((await admin.fetch(host, id)).adapters).toEqual(expect.arrayContaining([ownMac, rogueMac]));
    const path = `/host/with-adapters/${id}`;
    expect(await admin.post(path, { adapterObjects: [{ physicalAddress: otherMac }] })).toMatchObject({
      code: 409,
      body: { status: 'duplicate' },
    });
    expect(
      (await admin.post(path, { adapterObjects: [{ physicalAddress: ownMac }, { physicalAddress: ownMac }] })).code,
    ).toBe(400);
    expect((await admin.post(path, { adapterObjects: [] })).code).toBe(400);
    expect((await admin.post(path, { notes: 'one left', adapterObjects: [{ physicalAddress: ownMac }] })).code).toBe(
      200,
    );
    expect(await admin.fetch(host, id)).toMatchObject({ adapters: [ownMac], notes: 'one left' });
    const fullRecord = await admin.fetch(host, id);
    expect((await admin.post(path, fullRecord)).code).toBe(200);
    expect(await admin.fetch(host, id)).toEqual(fullRecord);
  });

  test('creates no adapter for a multicast, null, broadcast or excluded address', async () => {
    const codes: unknown[] = [];
    for (const physicalAddress of ['01:00:5E:00:00:01', '00:00:5E:00:01:0A', 'FF:FF:FF:FF:FF:FF', ''])
      codes.push((await admin.post('/adapter', { physicalAddress })).code);
    expect(codes).toEqual([400, 422, 400, 400]);
  });

  test('enables and disables a host by its addresses once, and rejects an IP address that was seen too long ago', async () => {
    const mac = newMac();
    await readForwardingTable([mac, 3]);
    await transact((tx) => storeArp(tx, device, [{ ip: '198.51.100.9', mac } as never]));
    const { id } = await byMac(mac);
    const enabled = async () => (await admin.fetch(host, Number(id))).enabled;
    const disabling = { ip: '198.51.100.9' };
    for (let n = 0; n < 2; n++) expect((await admin.post('/host/disable-by-ip', disabling)).code).toBe(200);
    expect(await enabled()).toBe(false);
    const reported = await sql(`select from event where name = 'HOST_DISABLED' and element_id = $1`, [id]);
    expect(reported).toHaveLength(1);
    expect((await admin.post('/host/enable-by-mac', { mac: mac.replaceAll(':', '_') })).code).toBe(400);
    expect((await admin.post('/host/enable-by-mac', { mac: mac.replaceAll(':', '') })).code).toBe(200);
    expect(await enabled()).toBe(true);
    await sql(`update ip_mac set last_seen = now() - interval '61 minutes' where mac = $1`, [mac]);
    expect(await admin.post('/host/disable-by-ip', disabling)).toMatchObject({
      code: 422,
      body: { status: 'rejected' },
    });
    expect(await enabled()).toBe(true);
    expect((await admin.post('/host/disable-by-ip?force=true', disabling)).code).toBe(200);
    expect(await enabled()).toBe(false);
    expect((await admin.post('/host/disable-by-ip', { ip: '198.51.100.10' })).code).toBe(404);
    const unmet = newMac();
    expect((await admin.post('/host/disable-by-mac', { mac: unmet })).code).toBe(404);
    expect((await admin.post('/host/disable-by-mac?create=true', { mac: unmet })).code).toBe(200);
    expect(await byMac(unmet)).toMatchObject({ type: 1, enabled: false });
    await readForwardingTable([unmet, 3]);
    expect(await eventsOf(unmet)).toContain('DISABLED_HOST_CONNECTED');
    await readForwardingTable();
    await readForwardingTable();
  });

  test('disables one adapter without the other adapters of its host', async () => {
    const [first, second] = [newMac(), newMac()];
    const reply = await admin.post('/host/with-adapters', {
      hostName: 'half',
      adapterObjects: [{ physicalAddress: first }, { physicalAddress: second }],
    });
    const id = Number(String(reply.headers.location).split('/').at(-1));
    const [firstAdapter] = (await admin.get<{ id: number }>(`/adapter/for-host?hostID=${id}`)).body.results!;
    expect((await admin.post(`/adapter/${firstAdapter!.id}/disable`)).code).toBe(200);
    const { results } = (await admin.get(`/adapter/for-host?hostID=${id}`)).body;
    expect(results!.map(({ status }) => status)).toEqual(['DISABLED', 'OFFLINE']);
    expect(await eventsOf(first)).toContain('ADAPTER_DISABLED');
  });

  test('reports a changed IP address, and finds the host that had an IP address at a given time', async () => {
    const [early, late] = [newMac(), newMac()];
    await readForwardingTable([early, 1], [late, 2]);
    const arp = (mac: string, ip: string) => transact((tx) => storeArp(tx, device, [{ ip, mac } as never]));
    await arp(early, '198.51.100.20');
    await arp(early, '198.51.100.21');
    expect(await eventsOf(early)).toContain('ADAPTER_IP_CHANGED');
    await sql(
      `update ip_mac set first_seen = now() - interval '2 days', last_seen = now() - interval '1 day' where mac = $1 and ip = '198.51.100.20'`,
      [early],
    );
    await arp(late, '198.51.100.20');
    const hostMacAt = async (query: string) =>
      (await admin.get(`/host/by-ip/198.51.100.20${query}`)).body.results![0]!.primaryMac;
    expect(await hostMacAt('')).toBe(late);
    expect(await hostMacAt(`?at=${new Date(Date.now() - 36 * 3_600_000).toISOString()}`)).toBe(early);
    expect((await admin.get('/host/by-ip/203.0.113.200')).code).toBe(404);
    expect(await byMac(early)).toMatchObject({ ip: '198.51.100.21', adapterObjects: [{ ips: ['198.51.100.21'] }] });
    await readForwardingTable();
    await readForwardingTable();
  });

  test('keeps a role that an administrator set until it is cleared; groups assign and remove roles', async () => {
    const id = await admin.create(host, { hostName: 'role-player' });
    await transact(({ records }) => records.create({ name: 'role' }, { name: 'Kiosk' }));
    const groupID = await admin.create({ path: `${group.path}/HOST` }, { name: 'Kiosks' });
    const claiming = await admin.create({ path: '/policy/role' }, { name: 'Claimed', groupIDs: [groupID] });
    const roleOf = async () => {
      const { role, roleSource } = await admin.fetch(host, id);
      return [role, roleSource];
    };
    expect((await admin.post(`${group.path}/add-members`, { elemID: [id], groupID: [groupID] })).code).toBe(200);
    expect(await roleOf()).toEqual(['Claimed', 'GROUP']);
    expect((await admin.post('/host/set-role', { id: [id], role: 'Kiosk' })).code).toBe(200);
    expect(await roleOf()).toEqual(['Kiosk', 'ADMIN']);
    expect((await admin.post('/host/set-role', { id: [id], role: null })).code).toBe(200);
    expect(await roleOf()).toEqual(['Claimed', 'GROUP']);
    expect((await admin.post('/host/set-role', { id: [id, 999_999_999], role: 'Kiosk' })).code).toBe(404);
    expect((await admin.post('/host/set-role', { id: [id], role: 'nobody' })).code).toBe(422);
    expect((await admin.fetch({ name: 'role', path: '/policy/role' } as never, claiming)).hosts).toBe(1);
    expect((await admin.get(`/host/${id}/usage`)).body.results).toEqual([{ name: 'Group', children: ['Kiosks'] }]);
    expect((await admin.post(`${group.path}/remove-members`, { elemID: [id], groupID: [groupID] })).code).toBe(200);
    expect(await roleOf()).toEqual(['NAC-Default', 'DEFAULT']);
    const reported = await sql(`select from event where name = 'HOST_ROLE_CHANGED' and element_id = $1`, [id]);
    expect(reported.length).toBeGreaterThanOrEqual(3);
  });

  test('stores the reason of a risk in the health history, and keeps the other causes', async () => {
    const id = await admin.create(host, { hostName: 'patient' });
    await sql(
      `insert into host_risk (host_id, source, source_id, level, reason) values ($1, 'SCAN', 7, 'AT_RISK', 'no virus scanner')`,
      [id],
    );
    const health = async () => (await admin.fetch(host, id)).health;
    expect(await health()).toBe('AT_RISK');
    const set = (body: object) => admin.post(`/host/${id}/set-health`, body);
    expect((await set({ health: 'AT_RISK', reason: 'stolen' })).code).toBe(200);
    expect((await set({ health: 'SAFE' })).code).toBe(200);
    expect(await health()).toBe('AT_RISK');
    expect((await set({ health: 'SAFE', scanID: 7, reason: 'scanned again' })).code).toBe(200);
    expect(await health()).toBe('SAFE');
    await sql(
      `insert into host_risk (host_id, source, level, deadline) values ($1, 'AGENT', 'PENDING', now() + interval '1 hour')`,
      [id],
    );
    expect(await admin.fetch(host, id)).toMatchObject({ health: 'PENDING', healthUntil: expect.any(String) });
    expect((await set({ health: 'SAFE', all: true, reason: 'enough' })).code).toBe(200);
    expect((await admin.get(`/host/${id}/health-history`)).body.results).toMatchObject([
      { source: 'ADMIN', from: 'PENDING', to: 'SAFE', reason: 'enough', by: 'system-administrator-1' },
      { from: 'AT_RISK', to: 'SAFE', reason: 'scanned again' },
    ]);
    const count = async (filter: string) =>
      (await admin.get(`/host/count?filter=${encodeURIComponent(filter)}`)).body.filtered;
    await set({ health: 'AT_RISK' });
    expect([
      await count(`health==AT_RISK;id==${id}`),
      await count(`health==SAFE;id==${id}`),
      await count(`health!=SAFE;id==${id}`),
    ]).toEqual([1, 0, 1]);
  });

  test('marks a host at risk when its grace period ends, and shows it on the port', async () => {
    const [late, early, ill] = [newMac(), newMac(), newMac()];
    await readForwardingTable([late, 1], [early, 2], [ill, 3]);
    const ids = await Promise.all([late, early, ill].map(async (mac) => Number((await byMac(mac)).id)));
    for (const id of ids) await admin.post(`/host/${id}`, { type: 3 });
    await sql(
      `insert into host_risk (host_id, source, source_id, level, deadline, reason)
       select $1::bigint, 'SCAN', n, 'PENDING', now() - interval '1 minute', 'no virus scanner' from generate_series(1, 2) n
       union all select $2::bigint, 'SCAN', 1, 'PENDING', now() + interval '1 hour', 'no virus scanner'
       union all select $3::bigint, 'SCAN', 1, 'PENDING', now() - interval '1 minute', 'no virus scanner'
       union all select $3::bigint, 'ADMIN', 0, 'AT_RISK', null, 'stolen'`,
      ids,
    );
    const [{ since } = { since: 0 }] = await sql<{ since: number }>('select max(id) as since from event');
    expect(await transact(endGrace)).toBe(false);
    expect((await admin.get(`/host/${ids[0]}/health-history`)).body.results).toMatchObject([
      { source: 'SYSTEM', from: 'PENDING', to: 'AT_RISK', reason: 'no virus scanner: the grace period is over' },
    ]);
    expect(await Promise.all(ids.map(async (id) => (await admin.fetch(host, id)).health))).toEqual([
      'AT_RISK',
      'PENDING',
      'AT_RISK',
    ]);
    expect([await stateOf(1), await stateOf(2)]).toEqual([13, 4]);
    // A host that was at risk before causes one event only.
    expect(await sql(`select element_id from event where name = 'HOST_AT_RISK' and id > $1`, [since])).toEqual([
      { element_id: ids[0] },
    ]);
    expect(await sql(`select from host_risk where level = 'PENDING' and deadline <= now()`)).toEqual([]);
    await transact(endGrace);
    expect((await admin.get(`/host/${ids[0]}/health-history`)).body.results).toHaveLength(1);
    await readForwardingTable();
    await readForwardingTable();
  });

  test('sets expiration by days or by date, and clears it', async () => {
    const id = await admin.create(host, { hostName: 'mortal' });
    const set = (body: object) => admin.post('/host/set-expiration', { id: [id], ...body });
    const setAfter = Date.now();
    expect((await set({ setExpiration: true, expireDays: 10, setInactivity: true, inactiveDays: 3 })).code).toBe(200);
    const setBefore = Date.now();
    const record = await admin.fetch(host, id);
    expect(record).toMatchObject({ expirationSource: 'MANUAL', inactiveDays: 3, inactivityDate: expect.any(String) });
    const expires = Date.parse(String(record.expirationDate)) - 10 * 86_400_000;
    expect(expires).toBeGreaterThanOrEqual(setAfter);
    expect(expires).toBeLessThanOrEqual(setBefore);
    expect((await set({ setExpiration: true, expireDateMS: 4_102_444_800_000 })).code).toBe(200);
    expect(await admin.fetch(host, id)).toMatchObject({ expirationDate: '2100-01-01T00:00:00.000Z', inactiveDays: 3 });
    expect((await set({ setExpiration: true, expireDays: 0, setInactivity: true })).code).toBe(200);
    expect(await admin.fetch(host, id)).toMatchObject({
      expirationDate: null,
      expirationSource: null,
      inactiveDays: null,
      inactivityDate: null,
    });
    expect((await set({})).code).toBe(400);
  });

  test('finds the hosts that a user owns or is logged on to', async () => {
    const { id: ownerID } = await transact(({ records }) =>
      records.create(userAccount, { userID: 'ada', email: 'ada@example.org' }),
    );
    const ids: number[] = [];
    for (let n = 0; n < 6; n++) ids.push(await admin.create(host, { hostName: `of-ada-${n}`, ownerID }));
    expect(
      await sql(`select from event where name = 'ALLOWED_HOSTS_EXCEEDED' and element_id = any($1)`, [ids]),
    ).toHaveLength(1);
    expect((await admin.get('/host/global-allowed-hosts')).body.results).toEqual([{ allowedHosts: 5 }]);
    const log = (action: string, userID: string) =>
      admin.post('/host/set-logged-on-user', { hostID: ids[0], userID, action });
    expect((await log('LOGON', 'ADA')).code).toBe(200);
    const relations = async () =>
      (await admin.get('/host/for-user?userID=ada&sortKey=id')).body.results!.map(({ id, relation }) => [id, relation]);
    expect(await relations()).toEqual(ids.map((id, n) => [id, n === 0 ? 'BOTH' : 'OWNER']));
    expect((await log('LOGOFF', 'somebody else')).code).toBe(200);
    expect(await admin.fetch(host, ids[0]!)).toMatchObject({ loggedOnUserID: 'ADA', owner: 'ada', version: 1 });
    expect((await log('LOGOFF', 'ada')).code).toBe(200);
    expect(await admin.fetch(host, ids[0]!)).toMatchObject({ loggedOnUserID: null });
    expect((await admin.post('/host/set-logged-on-user', { userID: 'ada', action: 'LOGON' })).code).toBe(400);
    await transact(({ records }) => records.remove(userAccount, [ownerID]));
    expect(await admin.fetch(host, ids[1]!)).toMatchObject({ owner: null, ownerID: null, version: 2 });
  });

  test('registers a host as a device, also in the topology', async () => {
    const mac = newMac();
    const id = await admin.create(adapter, { physicalAddress: mac, ipaddress: '198.51.100.50' });
    const { hostID } = await admin.fetch(adapter, id);
    const register = (body: object) =>
      admin.post('/host/register-as-device', { id: [hostID], deviceType: 'printer', ...body });
    expect((await register({ registerAs: 'TOPOLOGY' })).code).toBe(400);
    expect((await register({ deviceType: 'no-such-type' })).code).toBe(422);
    expect((await register({ name: 'printer-7', registerAs: 'TOPOLOGY', containerID: 1 })).code).toBe(200);
    expect(await admin.fetch(host, Number(hostID))).toMatchObject({
      type: 5,
      typeLabel: 'Device in Topology',
      hostName: 'printer-7',
      deviceType: { tag: 'printer' },
      containerID: 1,
    });
    expect((await admin.get('/device?filter=name==printer-7')).body.results).toMatchObject([
      { elementClass: 3, ipAddress: '198.51.100.50', physicalAddress: mac, deviceType: 'printer' },
    ]);
  });

  test('makes a host a device in the topology while a pingable device has its address, in the same container', async () => {
    const [mac, otherMac] = [newMac(), newMac()];
    const hostOf = async (macAddress: string) => {
      const { type, containerID, registered } = await byMac(macAddress);
      return [type, containerID, registered];
    };
    for (const macAddress of [mac, otherMac]) await admin.create(adapter, { physicalAddress: macAddress });
    const pingable = { name: 'ups-7', ipAddress: '198.51.100.77', deviceType: 'ups', containerID: 1 };
    const creation = await admin.post('/device/pingable', { ...pingable, physicalAddress: mac });
    const id = Number(String(creation.headers.location).split('/').at(-1));
    expect(await hostOf(mac)).toEqual([5, 1, true]);
    expect((await admin.get(`/device/move?id=${id}&containerID=2&commit=true`)).code).toBe(200);
    expect(await hostOf(mac)).toEqual([5, 2, true]);
    expect((await admin.post(`/device/pingable/${id}`, { physicalAddress: otherMac })).code).toBe(200);
    expect([await hostOf(mac), await hostOf(otherMac)]).toEqual([
      [3, null, true],
      [5, 2, true],
    ]);
    expect((await admin.delete(`/device/${id}`)).code).toBe(200);
    expect(await hostOf(otherMac)).toEqual([3, null, true]);
  });

  test('keeps the type phone when a pingable device has its address', async () => {
    const mac = newMac();
    await admin.create(adapter, { physicalAddress: mac });
    await admin.post(`/host/${(await byMac(mac)).id}`, { deviceType: { tag: 'ip-phone' } });
    const pingable = {
      name: 'phone-7',
      deviceType: 'ip-phone',
      containerID: 1,
      physicalAddress: mac,
      ipAddress: '192.0.2.77',
    };
    expect((await admin.post('/device/pingable', pingable)).code).toBe(201);
    expect(await byMac(mac)).toMatchObject({ type: 4, containerID: null });
  });

  test('lists the hosts and adapters on a port, and counts the device types in use', async () => {
    const macs = [newMac(), newMac()];
    await readForwardingTable([macs[0]!, 1], [macs[1]!, 2]);
    const onPort = (await admin.get(`/host/connected-to-port?portID=${ports[0]}`)).body;
    expect(onPort).toMatchObject({ filtered: 1, total: 1, results: [{ primaryMac: macs[0] }] });
    const adapters = (
      await admin.get(`/adapter/connected-to-ports?portID=${ports[0]},${ports[1]}&sortKey=physicalAddress`)
    ).body;
    expect(adapters.results!.map(({ physicalAddress }) => physicalAddress)).toEqual(macs);
    const types = (await admin.get('/host/device-types')).body.results!;
    const [counted] = await sql<{ hosts: number }>(
      `select count(*)::integer as hosts from host h join device_type t on t.id = h.device_type where t.tag = 'unknown'`,
    );
    expect(types).toContainEqual(expect.objectContaining({ tag: 'unknown', hosts: counted!.hosts, online: 2 }));
    await readForwardingTable();
    await readForwardingTable();
  });
});
