import { describe, expect, test } from 'vitest';
import { everyVerb, Limiter, selecting } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { adapter } from '../adapter/adapter.ts';
import { host, hostTypes } from './host.ts';

describe('a limited administrator of hosts', async () => {
  const shared = await world();
  const { admin } = shared;
  const limiter = new Limiter(shared);

  const addressOf = async (id: number): Promise<string> => String((await admin.fetch(adapter, id)).physicalAddress);

  test('finds no host by a hidden device or port', async () => {
    const [visible, hidden] = [await limiter.container(), await limiter.container()];
    const places: { name: string; portID: number }[] = [];
    for (const { name } of [visible, hidden]) {
      const deviceID = await limiter.device(name);
      const portID = await limiter.port(deviceID);
      const mac = await addressOf(await limiter.adapter());
      await limiter.sql('insert into connection_active (mac, device_id, port_id) values ($1, $2, $3)', [
        mac,
        deviceID,
        portID,
      ]);
      const [device] = await limiter.sql<{ name: string }>('select name from network_device where id = $1', [deviceID]);
      places.push({ name: device!.name, portID });
    }
    const caller = await limiter.caller({ permissions: { hosts: everyVerb, devices: selecting(visible.id) } });
    const hostCounts = async (client: Pick<typeof admin, 'get'>, { name, portID }: (typeof places)[number]) => {
      const search = await client.get(`/host/search?q=${encodeURIComponent(name)}`);
      const onPort = await client.get(`/host/connected-to-port?portID=${portID}`);
      return [search.body.filtered, onPort.body.filtered, onPort.body.results!.length];
    };
    expect(await hostCounts(caller, places[0]!)).toEqual([1, 1, 1]);
    expect(await hostCounts(caller, places[1]!)).toEqual([0, 0, 0]);
    expect(await hostCounts(admin, places[1]!)).toEqual([1, 1, 1]);
  });

  test('sees no hidden device, port or container of an adapter, neither the current nor the last one', async () => {
    const [visible, hidden] = [await limiter.container(), await limiter.container()];
    const caller = await limiter.caller({ permissions: { hosts: everyVerb, devices: selecting(visible.id) } });
    for (const [place, isVisible] of [
      [visible, true],
      [hidden, false],
    ] as const) {
      const deviceID = await limiter.device(place.name);
      const portID = await limiter.port(deviceID);
      const [now, before] = [await limiter.adapter(), await limiter.adapter()];
      await limiter.sql('insert into connection_active (mac, device_id, port_id) values ($1, $2, $3)', [
        await addressOf(now),
        deviceID,
        portID,
      ]);
      await limiter.sql(
        `insert into connection_last (mac, device_id, port_id, location, since, ended, last_seen) values ($1, $2, $3, 'past place', now(), now(), now())`,
        [await addressOf(before), deviceID, portID],
      );
      for (const id of [now, before]) {
        const fullRecord = await admin.fetch(adapter, id);
        const visibleRecord = (await caller.get(`/adapter/${id}`)).body.results![0]!;
        const nothing = { deviceID: null, portID: null, location: '', container: null };
        expect(fullRecord).toMatchObject({ deviceID, portID });
        expect(visibleRecord).toEqual(isVisible ? fullRecord : { ...fullRecord, ...nothing });
        const byList = await caller.get(`/adapter?filter=id==${id}`);
        expect(byList.body.results).toEqual([visibleRecord]);
        const objects = (await caller.get(`/host/${fullRecord.hostID}`)).body.results![0]!.adapterObjects;
        expect(objects).toEqual([visibleRecord]);
        for (const filter of [
          `deviceID==${deviceID}`,
          `portID==${portID}`,
          `location==${encodeURIComponent(`"${fullRecord.location}"`)}`,
          ...(fullRecord.container ? [`container==${encodeURIComponent(`"${fullRecord.container}"`)}`] : []),
        ]) {
          const page = await caller.get(`/adapter?filter=${filter};id==${id}`);
          expect([page.code, page.body.filtered], filter).toEqual([200, isVisible ? 1 : 0]);
          expect((await admin.get(`/adapter?filter=${filter};id==${id}`)).body.filtered, filter).toBe(1);
        }
        expect((await caller.get(`/adapter?sortKey=location&count=5`)).code).toBe(200);
      }
    }
  });

  test('sees no hidden adapter of a visible host, and does not find the host by it', async () => {
    const id = await limiter.adapter();
    const hostID = Number((await admin.fetch(adapter, id)).hostID);
    const managed = await limiter.group('HOST');
    await limiter.join(managed, 4, hostID);
    const caller = await limiter.caller({
      manageByGroups: true,
      permissions: { hosts: everyVerb, groups: everyVerb },
    });
    await limiter.manage(caller.accountId, managed);
    const address = await addressOf(id);
    const answers = async (client: Pick<typeof admin, 'get'>) => ({
      record: (await client.get(`/host/${hostID}`)).text,
      list: (await client.get(`/host?withAdapters=true&filter=id==${hostID}`)).text,
      members: (await client.get(`/system/group/${managed}/members`)).text,
    });
    for (const [what, text] of Object.entries(await answers(admin))) expect(text, what).toContain(address);
    for (const [what, text] of Object.entries(await answers(caller))) {
      expect(text, what).toContain(String(hostID));
      expect(text, what).not.toContain(address);
    }
    const resultsByAddress = async (client: Pick<typeof admin, 'get'>) => [
      (await client.get(`/host?filter=primaryMac==${address}`)).body.filtered,
      (await client.get(`/host?filter=adapters==${address}`)).body.filtered,
      (await client.get(`/host/by-mac/${address}`)).code,
      (await client.get(`/host/search?q=${address}`)).body.filtered,
    ];
    expect(await resultsByAddress(caller)).toEqual([0, 0, 404, 0]);
    expect(await resultsByAddress(admin)).toEqual([1, 1, 200, 1]);
  });

  test('cannot change a host by the address of a hidden adapter, or by an IP address that another adapter had before', async () => {
    const ip = '192.0.2.81';
    const [hidden, earlier] = [await limiter.adapter(), await limiter.adapter()];
    const managed = { HOST: await limiter.group('HOST'), ADAPTER: await limiter.group('ADAPTER') };
    for (const id of [hidden, earlier])
      await limiter.join(managed.HOST, 4, Number((await admin.fetch(adapter, id)).hostID));
    await limiter.join(managed.ADAPTER, 5, earlier);
    const caller = await limiter.caller({ manageByGroups: true, permissions: { hosts: everyVerb } });
    await limiter.manage(caller.accountId, managed.HOST, managed.ADAPTER);
    const mac = await addressOf(hidden);
    await limiter.sql(
      `insert into ip_mac (mac, ip, device_id, first_seen, last_seen) values ($1, $3, 0, now() - interval '9 days', now() - interval '2 days'),
         ($2, $3, 0, now() - interval '9 days', now() - interval '3 days')`,
      [mac, await addressOf(earlier), ip],
    );
    const logon = { userID: 'visitor', action: 'LOGON' };
    const writes: [path: string, named: object, unknown: object][] = [
      ...['enable', 'disable'].flatMap((word): [string, object, object][] => [
        [`/host/${word}-by-mac`, { mac }, { mac: '00:50:C2:FE:FE:01' }],
        [`/host/${word}-by-ip`, { ip }, { ip: '192.0.2.82' }],
      ]),
      ['/host/set-logged-on-user', { mac, ...logon }, { mac: '00:50:C2:FE:FE:01', ...logon }],
      ['/host/set-logged-on-user', { ip, ...logon }, { ip: '192.0.2.82', ...logon }],
    ];
    const neutral = (text: string) => text.replaceAll(/00:50:C2:[0-9A-F:]+|192\.0\.2\.\d+/g, '#');
    for (const [path, hiddenTarget, missingTarget] of writes) {
      const [reply, otherReply] = [await caller.post(path, hiddenTarget), await caller.post(path, missingTarget)];
      expect([reply.code, neutral(reply.text)], path).toEqual([404, neutral(otherReply.text)]);
      expect((await admin.post(`${path}?dryRun=true`, hiddenTarget)).code, path).toBe('ip' in hiddenTarget ? 422 : 200);
    }
    // The IP address was last seen with the hidden adapter, so force=true does not find another host either.
    expect((await caller.post('/host/disable-by-ip?force=true', { ip })).code).toBe(404);
    expect((await admin.post('/host/disable-by-ip?force=true&dryRun=true', { ip })).code).toBe(200);
  });

  test('keeps a hidden owner when the caller sends the host back', async () => {
    const [{ id: owner }, ownHost] = [
      await limiter.transact(({ records }) => records.create(userAccount, { userID: 'hidden owner' })),
      await admin.create(host, { hostName: 'lent' }),
    ];
    await limiter.sql('update host set owner_id = $2 where id = $1', [ownHost, owner]);
    const managed = await limiter.group('HOST');
    await limiter.join(managed, 4, ownHost);
    const caller = await limiter.caller({ manageByGroups: true, permissions: { hosts: everyVerb } });
    await limiter.manage(caller.accountId, managed);
    const [record] = (await caller.get(`/host/${ownHost}`)).body.results!;
    expect(record!.owner).toBeNull();
    const reply = await caller.post(`/host/${ownHost}`, { ...record, notes: 'seen' });
    expect(reply.code, reply.text).toBe(200);
    expect(await admin.fetch(host, ownHost)).toMatchObject({ owner: 'hidden owner', notes: 'seen' });
  });

  test('receives the same response for the address of any hidden adapter, whatever host has it', async () => {
    const [rogue, registered] = [await limiter.adapter(), await limiter.adapter()];
    const { hostID } = await admin.fetch(adapter, registered);
    await limiter.transact(({ records }) => records.update(host, Number(hostID), { type: hostTypes.host }));
    const ownHost = await admin.create(host, { hostName: 'own' });
    const managed = await limiter.group('HOST');
    await limiter.join(managed, 4, ownHost);
    const caller = await limiter.caller({ manageByGroups: true, permissions: { hosts: everyVerb } });
    await limiter.manage(caller.accountId, managed);
    const answers = [];
    for (const id of [rogue, registered]) {
      const physicalAddress = await addressOf(id);
      const reply = await caller.post(`/host/with-adapters/${ownHost}`, { adapterObjects: [{ physicalAddress }] });
      expect(reply.text).not.toContain(`host ${hostID}`);
      answers.push({ code: reply.code, text: reply.text.replaceAll(physicalAddress, '#') });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]!.code).toBe(409);
  });
});
