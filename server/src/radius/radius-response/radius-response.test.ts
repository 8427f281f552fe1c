import { beforeAll, describe, expect, test } from 'vitest';
import { Limiter } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { type StoredResponse, writeResponses } from './radius-response.service.ts';
import { type Cause, radiusResponse } from './radius-response.ts';

type Totals = Record<'callingStationId' | 'username' | 'nas' | 'message' | 'cause', { name: string; count: number }[]>;

describe('the log of RADIUS responses', async () => {
  const opened = await world();
  const { admin } = opened;
  const limiter = new Limiter(opened);
  const { path } = radiusResponse;
  let deviceIDs: [number, number];
  let library: { id: number; name: string };

  const answer = (station: number, cause: Cause, fields: Partial<StoredResponse> = {}): StoredResponse => ({
    callingStationId: `00:1D:09:00:00:${String(station).padStart(2, '0')}`,
    username: null,
    deviceID: deviceIDs[0],
    nas: 'sw-library',
    nasPort: 'Gi1/0/7',
    ssid: null,
    outerEapType: null,
    eapType: 'MAB',
    reply: cause === 'NONE' ? 'ACCEPT' : 'REJECT',
    cause,
    message: `because of ${cause}`,
    decisionID: null,
    durationMs: 3,
    clusterNode: 'node-1',
    ...fields,
  });

  beforeAll(async () => {
    library = await limiter.container();
    deviceIDs = [await limiter.device(library.name), await limiter.device()];
    const stations = Array.from({ length: 12 }, (_, station) => station);
    const hidden = { deviceID: deviceIDs[1], nas: 'sw-tower', username: 'alice' };
    await limiter.transact(({ client }) =>
      writeResponses(client, [
        ...stations.flatMap((station) => Array.from({ length: 12 - station }, () => answer(station, 'NO_POLICY'))),
        ...stations.slice(0, 5).map((station) => answer(station, 'BAD_PASSWORD', hidden)),
        answer(11, 'NONE', { username: '' }),
      ]),
    );
  });

  const totals = async (query = '', caller = admin) => {
    const { code, body, text } = await caller.get<Totals>(`${path}?totals=true${query}`);
    expect(code, text).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['errorMessage', 'results', 'status']);
    expect(body.results).toHaveLength(1);
    return body.results![0]!;
  };

  test('lists the ten most frequent values, most frequent first, and does not count null', async () => {
    const { callingStationId, username, nas, message, cause } = await totals();
    expect(callingStationId).toHaveLength(10);
    expect(callingStationId.slice(0, 2)).toEqual([
      { name: '00:1D:09:00:00:00', count: 13 },
      { name: '00:1D:09:00:00:01', count: 12 },
    ]);
    expect(username).toEqual([
      { name: 'alice', count: 5 },
      { name: '', count: 1 },
    ]);
    expect(nas.map(({ name, count }) => [name, count])).toEqual([
      ['sw-library', 79],
      ['sw-tower', 5],
    ]);
    expect(message[0]).toEqual({ name: 'because of NO_POLICY', count: 78 });
    expect(cause.map(({ name }) => name)).toEqual(['NO_POLICY', 'BAD_PASSWORD', 'NONE']);
  });

  test('limits the most frequent values to a filter', async () => {
    const { nas, cause, username } = await totals('&filter=cause!=NO_POLICY;date=ge=-1h');
    expect(cause.map(({ name, count }) => [name, count])).toEqual([
      ['BAD_PASSWORD', 5],
      ['NONE', 1],
    ]);
    expect(nas).toHaveLength(2);
    expect(username[0]).toEqual({ name: 'alice', count: 5 });
    expect(await totals('&filter=cause==HOST_LIMIT')).toEqual({
      callingStationId: [],
      username: [],
      nas: [],
      message: [],
      cause: [],
    });
    const refused = await admin.get(`${path}?totals=true&count=5&sortKey=date`);
    expect([refused.code, refused.body.errorMessage]).toEqual([
      400,
      expect.stringContaining('count: totals=true is combined with filter only.'),
    ]);
    expect((await admin.get(`${path}?totals=false&count=5`)).body.results).toHaveLength(5);
  });

  test('counts only rows that the caller sees', async () => {
    const junior = await limiter.caller({
      permissions: {
        radius: { view: true },
        devices: { view: true, customized: true, allIDs: false, selectedIDs: [library.id] },
      },
    });
    const { nas, cause, username } = await totals('', junior);
    expect(nas).toEqual([{ name: 'sw-library', count: 79 }]);
    expect(cause.map(({ name }) => name)).toEqual(['NO_POLICY', 'NONE']);
    expect(username).toEqual([{ name: '', count: 1 }]);
  });

  test('shows a row to a caller limited to groups by its host, otherwise by its port', async () => {
    const deviceID = deviceIDs[0];
    const hostOf = async (physicalAddress: string) => {
      const id = await admin.create(host, { hostName: `host of ${physicalAddress}` });
      await admin.create(adapter, { physicalAddress, hostID: id });
      return id;
    };
    const [seenMac, hiddenMac, unknownMac] = ['00:1D:09:0A:00:01', '00:1D:09:0A:00:02', '00:1D:09:0A:00:03'] as const;
    const seenHost = await hostOf(seenMac);
    await hostOf(hiddenMac);
    const [seenPort, otherPort] = [await limiter.port(deviceID), await limiter.port(deviceID)];
    const portName = async (id: number) =>
      (await limiter.sql<{ name: string }>('select name from port where id = $1', [id]))[0]!.name;
    const ssidID = await limiter.ssid(deviceID);
    const [ssid] = await limiter.sql<{ id: number; name: string }>(
      `select p.id, p.name from port p where p.device_id = $1 and p.port_type = 1`,
      [deviceID],
    );
    expect([ssidID > 0, ssid!.name]).toEqual([true, expect.any(String)]);
    const responseAt = (callingStationId: string | null, message: string, nasPort: string | null, network?: string) =>
      answer(0, 'OTHER', { callingStationId, message, nasPort, ssid: network ?? null });
    await limiter.transact(async ({ client }) =>
      writeResponses(client, [
        responseAt(seenMac, 'host seen', await portName(otherPort)),
        responseAt(hiddenMac, 'host hidden', await portName(seenPort)),
        responseAt(unknownMac, 'port seen', await portName(seenPort)),
        responseAt(unknownMac, 'port hidden', await portName(otherPort)),
        responseAt(unknownMac, 'port unknown', 'Gi9/9/9'),
        responseAt(null, 'no port', null),
        responseAt(null, 'network seen', ssid!.name, ssid!.name),
        responseAt(null, 'network unknown', null, 'Elsewhere'),
      ]),
    );
    const caller = await limiter.caller({
      manageByGroups: true,
      permissions: { radius: { view: true }, hosts: { view: true }, devices: { view: true } },
    });
    const [hosts, ports] = [await limiter.group('HOST'), await limiter.group('PORT')];
    await limiter.join(hosts, 4, seenHost);
    await limiter.join(ports, 3, seenPort, ssid!.id);
    await limiter.manage(caller.accountId, hosts, ports);
    const list = await caller.get<{ message: string }>(`${path}?sortKey=id`);
    expect(list.body).toMatchObject({ filtered: 3, total: 3 });
    expect(list.body.results!.map(({ message }) => message)).toEqual(['host seen', 'port seen', 'network seen']);
    expect((await caller.get(`${path}?filter=callingStationId==${hiddenMac}`)).body).toMatchObject({ filtered: 0 });
    const { callingStationId, cause } = await totals('', caller);
    expect(callingStationId.map(({ name }) => name).sort()).toEqual([seenMac, unknownMac]);
    expect(cause).toEqual([{ name: 'OTHER', count: 3 }]);
    // After the deletion of the host, no host has its MAC address.
    expect((await admin.delete(`${host.path}/${seenHost}`)).code).toBe(200);
    expect((await caller.get(`${path}`)).body).toMatchObject({ filtered: 2, total: 2 });
    expect((await admin.get(`${path}?filter=cause==OTHER`)).body).toMatchObject({ filtered: 8 });
  });

  test('returns the most frequent values in XML too', async () => {
    const { text } = await admin.get(`${path}?totals=true&filter=cause==NONE`, { accept: 'application/xml' });
    expect(text).toContain('<cause><item><name>NONE</name><count>1</count></item></cause>');
  });
});
