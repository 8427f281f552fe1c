import { beforeAll, describe, expect, test } from 'vitest';
import { readXml, tableDifferences } from '../../../test/surface/seeds/compare.ts';
import { listEnvelope, portRecord } from '../../../test/surface/seeds/tables.ts';
import type { Reply } from '../../../test/world/client.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { container } from '../container/container.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { observePorts, type SeenPort } from './observe-ports.ts';
import { port } from './port.ts';

describe('port', async () => {
  const world = await startWorld();
  const { admin, service } = world;
  const { runtime } = service;
  const path = '/device/port';
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const observe = (rows: readonly SeenPort[]) => transact(({ client }) => observePorts(client, rows));
  const newDevice = async (name: string, overrides: Record<string, unknown> = {}) =>
    (await transact(({ records }) => records.create(networkDevice, { name, containerID: 1, ...overrides }))).id;
  const portsOf = async (deviceID: number, query = '') =>
    (await admin.get(`${path}/by-device?deviceID=${deviceID}${query}`)).body.results!;
  const interfaces = (deviceID: number, indexes: readonly number[]): SeenPort[] =>
    indexes.map((index) => ({
      deviceID,
      name: `Gi1/0/${index}`,
      portType: 0,
      ifindex: String(10_000 + index),
      label: index === 1 ? 'Reception' : '',
      defaultVlan: '20',
      currentVlan: '20',
      physAddr: `00-1a-2b-00-00-${index.toString(16).padStart(2, '0')}`,
      status: 1,
      ifspeed: '1000000000',
      ifdescr: `GigabitEthernet1/0/${index}`,
      ifadminStatus: 1,
      ifoperStatus: 1,
    }));
  let core: number;

  beforeAll(async () => {
    core = await newDevice('core <1>', { ipAddress: '192.0.2.1' });
    await observe(interfaces(core, [1, 2, 9, 10, 100]));
    await observe([
      { deviceID: core, name: 'Vlan20', portType: 4, ifindex: '20' },
      { deviceID: core, name: 'Lo0', portType: 4, ifindex: '7' },
    ]);
  });

  test('has the fields of the specification, typed, in its order and no other, in JSON and in XML', async () => {
    const envelope = listEnvelope(portRecord);
    const json = (await admin.get(path)).body;
    expect(json.results).toHaveLength(7);
    expect(tableDifferences(json, envelope)).toEqual([]);
    const xml = readXml((await admin.get(path, { 'content-type': 'application/xml' })).text, envelope);
    expect(tableDifferences(xml, envelope)).toEqual([]);
    expect(xml).toEqual(json);
  });

  test('shows what the device reports, and what follows from it', async () => {
    const [first] = await portsOf(core);
    const { results } = (await admin.get(`${container.path}?filter=name==Network`)).body;
    expect(first).toMatchObject({
      legacyDBID: first!.dbid,
      name: 'Gi1/0/1',
      ifname: 'Gi1/0/1',
      portID: '10001',
      ifindex: '10001',
      displayName: 'Reception',
      deviceName: 'core <1>',
      deviceID: core,
      domainID: results![0]!.id,
      ip: '',
      physAddr: '00:1A:2B:00:00:01',
      defaultVlan: '20',
      currentCli: '',
      displayable: true,
      uplinkDisabled: false,
      auditObj: { liveDBID: first!.dbid },
    });
    expect((await portsOf(core))[1]).toMatchObject({ label: '', displayName: 'Gi1/0/2' });
  });

  test('is listed, counted, filtered and fetched like every record', async () => {
    expect((await admin.get(`${path}/count/all`)).body).toMatchObject({ results: [], filtered: 7, total: 7 });
    const filter = (text: string) => `filter=${encodeURIComponent(text)}`;
    const count = async (text: string) => (await admin.get(`${path}/count?${filter(text)}`)).body.filtered;
    expect(await count('name==gi1/0/*')).toBe(5);
    expect(await count(`deviceID==${core};displayable==false`)).toBe(2);
    expect(await count('physAddr==001A.2B00.0009')).toBe(1);
    expect(await count('physAddr==00:1a:2b:*')).toBe(5);
    expect(await count('deviceName==core*;domainID>0')).toBe(7);
    expect(await count('deviceName==nobody,domainID==0')).toBe(0);
    expect(await count('deviceName!=nobody;domainID!=0')).toBe(7);
    const [first] = (await admin.get(`${path}?sortKey=ifindex&count=1`)).body.results!;
    expect(first!.name).toBe('Lo0');
    expect((await admin.get(`${path}/${first!.dbid}`)).body.results).toEqual([first]);
    expect((await admin.get(`${path}/999999999`)).code).toBe(404);
    expect((await admin.post(path, { name: 'x' })).code).toBe(405);
  });

  test('finds a port by its device and by its name through an index', async () => {
    const plan = async (condition: string) => {
      const client = await runtime.pool.connect();
      try {
        await client.query('set enable_seqscan = off');
        const { rows } = await client.query(`explain select r.id from port r where ${condition}`);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      } finally {
        await client.query('reset enable_seqscan');
        client.release();
      }
    };
    const { sql } = runtime.engine.model.byName('port').selectables.get('deviceID')!;
    expect(await plan(`${sql} = 5::bigint`)).toMatch(/port_device_id_(ix|ifname_uq)/);
    expect(await plan(`lower(r."name") = lower('x'::text)`)).toContain('port_name_ix');
  });

  describe('GET /by-device', () => {
    test('answers the ports of one device in the order of its interfaces, without hidden ones', async () => {
      const otherDevice = await newDevice('other');
      await observe(interfaces(otherDevice, [3, 4]));
      const reply = await admin.get(`${path}/by-device?deviceID=${core}`);
      expect(reply.body).toMatchObject({ status: 'success', filtered: 5, total: 5 });
      const names = (records: Record<string, unknown>[]) => records.map(({ name }) => name);
      expect(names(reply.body.results!)).toEqual(['Gi1/0/1', 'Gi1/0/2', 'Gi1/0/9', 'Gi1/0/10', 'Gi1/0/100']);
      expect(names(await portsOf(core, '&includeHidden=true')).slice(0, 2)).toEqual(['Lo0', 'Vlan20']);
      expect(names(await portsOf(otherDevice))).toEqual(['Gi1/0/3', 'Gi1/0/4']);
    });

    test('takes list parameters, also as a body, and its pages are the list', async () => {
      expect(await portsOf(core, '&filter=name==*9&count=3')).toHaveLength(1);
      const names: unknown[] = [];
      let url: string | undefined = `${path}/by-device?deviceID=${core}&count=2`;
      while (url) {
        const reply: Reply = await admin.get(url);
        names.push(...reply.body.results!.map(({ ifindex }) => ifindex));
        url = /^<(.*)>/.exec(String(reply.headers.link ?? ''))?.[1];
      }
      expect(names).toEqual(['10001', '10002', '10009', '10010', '10100']);
      const byBody = await admin.call('GET', `${path}/by-device`, { deviceID: core, sortKey: 'name', count: 1 });
      expect(byBody.body).toMatchObject({ filtered: 5, results: [{ name: 'Gi1/0/1' }] });
      expect((await admin.call('GET', `${path}/by-device`, { count: 1 })).code).toBe(400);
    });

    test('returns 404 for unknown devices, and requires a device', async () => {
      expect(await admin.get(`${path}/by-device?deviceID=999999999`)).toMatchObject({
        code: 404,
        body: { status: 'not-found', errorMessage: 'There is no Network device 999999999.' },
      });
      for (const query of ['', '?deviceID=0', '?deviceID=x', `?deviceId=${core}`, `?deviceID=${core}&noSuch=1`])
        expect((await admin.get(`${path}/by-device${query}`)).code, query).toBe(400);
    });

    test('needs the right to view devices', async () => {
      const stranger = await world.caller({ groups: ['view'] });
      const viewer = await world.caller({ devices: ['view'] });
      expect((await stranger.get(`${path}/by-device?deviceID=${core}`)).code).toBe(403);
      expect((await viewer.get(`${path}/by-device?deviceID=${core}`)).code).toBe(200);
    });
  });

  describe('observed ports', () => {
    const feedOf = async (deviceID: number) =>
      (
        await runtime.pool.query(
          `select f.change, f.version from change_feed f join port p on p.id = f.record_id
           where f.table_name = 'port' and p.device_id = $1 order by f.seq`,
          [deviceID],
        )
      ).rows;

    test('is written only where it differs, with a feed entry, without version and audit row', async () => {
      const id = await newDevice('edge-1');
      const audits = async () => (await admin.get('/logging/audit?count=0')).body.total;
      const before = await audits();
      const observedPorts = interfaces(id, [1, 2, 3]);
      expect(await observe(observedPorts)).toEqual({ added: 3, changed: 0 });
      expect(await observe(observedPorts)).toEqual({ added: 0, changed: 0 });
      expect(await feedOf(id)).toHaveLength(3);
      expect(await observe([{ deviceID: id, name: 'Gi1/0/2', ifoperStatus: 2, status: 2 }])).toEqual({
        added: 0,
        changed: 1,
      });
      expect(await feedOf(id)).toEqual([
        ...Array(3).fill({ change: 'added', version: 1 }),
        { change: 'modified', version: 1 },
      ]);
      expect(await portsOf(id)).toMatchObject([
        { ifoperStatus: 1, status: 1 },
        { ifoperStatus: 2, status: 2, ifadminStatus: 1, currentVlan: '20' },
        { ifoperStatus: 1 },
      ]);
      expect(await audits()).toBe(before);
    });

    test("leaves alone what is the administrator's", async () => {
      const id = await newDevice('edge-2');
      await observe(interfaces(id, [1]));
      const [{ dbid }] = (await portsOf(id)) as [{ dbid: number }];
      await transact(({ records }) =>
        records.update(port, dbid, { label: 'Lobby', defaultVlan: '30', notes: 'by hand' }),
      );
      expect(await observe(interfaces(id, [1]))).toEqual({ added: 0, changed: 0 });
      expect(await portsOf(id)).toMatchObject([
        { label: 'Lobby', defaultVlan: '30', notes: 'by hand', yamsEventTag: 'PORT_MODIFIED' },
      ]);
    });

    test('follows an ifIndex that changed: the port stays the same', async () => {
      const id = await newDevice('edge-3');
      await observe(interfaces(id, [1, 2]));
      const before = (await portsOf(id)).map(({ dbid, name }) => [dbid, name]);
      const [first, second] = interfaces(id, [1, 2]) as [SeenPort, SeenPort];
      await observe([
        { ...first, ifindex: second.ifindex! },
        { ...second, ifindex: first.ifindex! },
      ]);
      const after = await portsOf(id);
      expect(after.map(({ dbid, name }) => [dbid, name]).sort()).toEqual(before.sort());
      expect(after.map(({ name, portID }) => [name, portID])).toEqual([
        ['Gi1/0/2', '10001'],
        ['Gi1/0/1', '10002'],
      ]);
    });

    test('distinguishes SSIDs from interfaces of the same name, and by case', async () => {
      const id = await newDevice('ap-1');
      await observe([{ deviceID: id, name: 'guest', ifindex: '3', portType: 0 }]);
      await observe(['guest', 'Guest'].map((name) => ({ deviceID: id, name, portType: 1 })));
      await observe([{ deviceID: id, name: 'guest', portType: 2 }]);
      expect((await portsOf(id)).map(({ name, portID, portType }) => [name, portID, portType])).toEqual([
        ['guest', '3', 0],
        ['guest', 'ssid:guest', 1],
        ['Guest', 'ssid:Guest', 1],
        ['guest', 'vpn:guest', 2],
      ]);
    });

    test('must fit the record, and one call is about the same fields', async () => {
      const wrong: [SeenPort[], string][] = [
        [[{ deviceID: core, name: 'x', physAddr: 'nonsense' }], 'physAddr'],
        [[{ deviceID: core, name: 'x', ifoperStatus: 8 }], 'ifoperStatus'],
        [[{ deviceID: core, name: 'x', noSuch: 1 } as SeenPort], 'noSuch'],
        [
          [
            { deviceID: core, name: 'x', status: 1 },
            { deviceID: core, name: 'y' },
          ],
          'different fields',
        ],
      ];
      for (const [rows, words] of wrong) await expect(observe(rows)).rejects.toThrow(words);
      expect(await observe([])).toEqual({ added: 0, changed: 0 });
    });

    test('at the same time by two is one port each', async () => {
      const id = await newDevice('edge-4');
      const observedPorts = interfaces(id, [1, 2, 3, 4]);
      const counts = await Promise.all([observe(observedPorts), observe(observedPorts), observe(observedPorts)]);
      expect(counts.reduce((sum, { added }) => sum + added, 0)).toBe(4);
      expect(await portsOf(id)).toHaveLength(4);
    });

    test('is sent by a monitor, and deleted with its device', async () => {
      const id = await newDevice('edge-5');
      const started = await admin.post(`${path}/monitor/start`, { filter: [`deviceID==${id}`] });
      expect(started.code).toBe(201);
      const monitor = String(started.headers.location);
      await observe(interfaces(id, [1]));
      const poll = async (position = '') =>
        (await admin.get(`${monitor}${position && `?position=${position}`}`)).body.results!;
      const [added] = await poll();
      expect(added).toMatchObject({ change: 'added', record: { name: 'Gi1/0/1', deviceName: 'edge-5' } });
      await transact(({ records }) => records.remove(networkDevice, [id]));
      const { dbid } = added!.record as { dbid: number };
      expect(await poll(String(added!.position))).toMatchObject([{ change: 'removed', record: { dbid } }]);
      expect((await admin.post(`${monitor}/stop`)).code).toBe(200);
      expect((await admin.get(`${path}/by-device?deviceID=${id}`)).code).toBe(404);
    });
  });

  test('a device is in a container, which it holds, and has a name and an address of its own', async () => {
    const place = await admin.create(container, { name: 'Closet' });
    await newDevice('closet-1', { containerID: place, ipAddress: '192.0.2.77', physicalAddress: '001a2b3c4d5e' });
    expect((await admin.get(`${container.path}/${place}/usage`)).body.results).toEqual([
      { name: 'Network device', children: ['closet-1'] },
    ]);
    await expect(newDevice('CLOSET-1')).rejects.toMatchObject({ constraint: 'network_device_name_landscape_uq' });
    await expect(newDevice('closet-2', { ipAddress: '192.0.2.77' })).rejects.toThrow(
      'network_device_ip_address_landscape_uq',
    );
    await expect(newDevice('closet-3', { containerID: 999_999_999 })).rejects.toMatchObject({ word: 'rejected' });
  });
});
