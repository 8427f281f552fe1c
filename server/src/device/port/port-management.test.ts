import { beforeAll, describe, expect, test, vi } from 'vitest';
import { logEvents } from '../../../test/world/logged-events.ts';
import { patient } from '../../../test/world/patience.ts';
import { everyVerb, Limiter, selecting } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { makeRogues } from '../../host/adapter/make-rogues.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { writePortChanges } from '../port-change/port-change.service.ts';
import { withDeviceLease } from './device-lease.ts';
import { observePorts } from './observe-ports.ts';
import { port, portElementType } from './port.ts';

const path = port.path!;

describe('managing ports', async () => {
  const world = await startWorld();
  const { admin, service } = world;
  const limiter = new Limiter(world);
  const transact = <T>(work: Parameters<typeof service.runtime.transact<T>>[1]) =>
    service.runtime.transact(systemOrigin('test'), work);
  const set = (body: Record<string, unknown>) => admin.post(`${path}/properties`, body);
  const fetch = (id: number) => admin.fetch(port, id);
  const audits = async (id: number) =>
    (
      await admin.get(
        `/logging/audit?filter=${encodeURIComponent(`auditObjectType.dbTableName==port;liveDBID==${id}`)}`,
      )
    ).body.results!;
  const eventsOf = async (id: number, name: string) =>
    (await admin.get(`/logging/event?filter=${encodeURIComponent(`elementType==3;elementID==${id};name==${name}`)}`))
      .body.results!;
  let deviceID: number;
  let ids: number[];

  beforeAll(async () => {
    await logEvents({ admin, service }, 'HOST_DISCONNECTED');
    deviceID = (
      await transact(({ records }) =>
        records.create(networkDevice, {
          name: 'edge-1',
          containerID: 1,
          ipAddress: '192.0.2.9',
          protocol: 'SNMP_V2C',
          snmpSecurityStrings: '["public"]',
        }),
      )
    ).id;
    await transact(async ({ client, records }) => {
      await records.observe(networkDevice, deviceID, { vlans: [{ id: 30, name: 'registration' }] });
      await observePorts(
        client,
        [1, 2, 3].map((n) => ({ deviceID, name: `Gi1/0/${n}`, ifindex: String(10_100 + n), currentVlan: '10' })),
      );
      await observePorts(client, [{ deviceID, name: 'guests', portType: 1 }]);
    });
    ids = (await admin.get(`${path}/by-device?deviceID=${deviceID}`)).body.results!.map(({ dbid }) => dbid as number);
  });

  test('writes fields that only the service has without contacting the device, with version and audit row', async () => {
    const [id] = ids as [number];
    const desired = { name: 'Reception', notes: 'left', defaultVlan: 'Registration', uplinkDisabled: true };
    expect(await set({ id: [id], ...desired })).toMatchObject({ code: 200, body: { status: 'success' } });
    expect(await fetch(id)).toMatchObject({
      label: 'Reception',
      displayName: 'Reception',
      notes: 'left',
      defaultVlan: 'Registration',
      uplinkDisabled: true,
      currentVlan: '10',
    });
    expect((await audits(id)).map(({ auditObjectName }) => auditObjectName)).toEqual(['edge-1 Gi1/0/1']);
    expect((await eventsOf(id, 'PORT_MODIFIED')).map(({ elementName }) => elementName)).toEqual(['edge-1 Gi1/0/1']);
    const before = (await audits(id)).length;
    expect((await set({ id: [id], ...desired })).code).toBe(200);
    expect(await audits(id)).toHaveLength(before);
    expect((await admin.get(`/device/port-changes?filter=portID==${id}`)).body.filtered).toBe(0);
  });

  test('changes a port to an uplink and back, which closes its connections and emits events', async () => {
    const [, id] = ids as [number, number];
    const connect = () =>
      service.runtime.pool.query(
        `insert into connection_active (mac, device_id, port_id) values ('02:00:00:00:00:01', $1, $2)`,
        [deviceID, id],
      );
    const connections = async () =>
      (await service.runtime.pool.query('select from connection_active where port_id = $1', [id])).rowCount;
    await connect();
    await transact(({ client }) => makeRogues(client, [{ mac: '02:00:00:00:00:01', portID: id }]));
    expect((await set({ id: [id], newUplink: 1 })).code).toBe(200);
    expect(await fetch(id)).toMatchObject({ connectionState: 10 });
    expect(await connections()).toBe(0);
    expect((await admin.get('/logging/event?filter=name==HOST_DISCONNECTED')).body.results).toMatchObject([
      { mac: '02:00:00:00:00:01', location: 'edge-1:Gi1/0/2' },
    ]);
    expect(await audits(id)).toMatchObject([
      { auditObjectName: 'edge-1 Gi1/0/2', changes: [{ field: 'uplink', before: null, after: 'user-defined' }] },
    ]);
    expect((await set({ id: [id], newUplink: 1 })).code).toBe(200);
    expect(await eventsOf(id, 'PORT_UPLINK_CHANGED')).toHaveLength(1);
    expect(await set({ id: [id], currentVlan: '30' })).toMatchObject({
      code: 422,
      body: { status: 'rejected', errorMessage: expect.stringContaining('is an uplink') },
    });
    expect((await set({ id: [id], newUplink: 0, notes: 'as it is' })).code).toBe(200);
    expect(await fetch(id)).toMatchObject({ connectionState: 10, notes: 'as it is' });
    expect((await set({ id: [id], clearUplink: true })).code).toBe(200);
    expect(await fetch(id)).toMatchObject({ connectionState: 0 });
    expect(await eventsOf(id, 'PORT_UPLINK_CHANGED')).toHaveLength(2);
  });

  test('what the request alone shows to be wrong is 400, what it takes the port to know 422, and nothing changes', async () => {
    const [id] = ids as [number];
    const before = await fetch(id);
    for (const body of [
      { id: [id] },
      { id: [], notes: 'x' },
      { id: [id, id], notes: 'x' },
      { id: [id], notes: 'x', currentVlan: '0' },
      { id: [id], notes: 'x', currentVlan: '' },
      { id: [id], notes: 'x', defaultVlan: '4095' },
      { id: [id], newUplink: 1, clearUplink: true },
      { id: [id], newUplink: 1, currentVlan: '30' },
      { id: [id], newUplink: 2 },
      { id: [id], label: 'x' },
    ])
      expect((await set(body)).code, JSON.stringify(body)).toBe(400);
    const ssid = ids.at(-1)!;
    for (const body of [
      { id: [id], notes: 'x', defaultVlan: 'no-such-vlan' },
      { id: [id], notes: 'x', currentVlan: 'no-such-vlan' },
      { id: [ssid], notes: 'x', currentVlan: '30' },
      { id: [ssid], notes: 'x', adminStatus: false },
    ])
      expect(await set(body), JSON.stringify(body)).toMatchObject({ code: 422, body: { status: 'rejected' } });
    expect(await set({ id: [id, 999_999_999], notes: 'x' })).toMatchObject({
      code: 404,
      body: { errorMessage: 'There is no Port 999999999.' },
    });
    expect(await fetch(id)).toEqual(before);
  });

  test('needs the right to modify devices, and only ports in sight are there', async () => {
    const [id] = ids as [number];
    const viewer = await world.caller({ devices: ['view'] });
    const reply = await viewer.post(`${path}/properties`, { id: [id], notes: 'mine' });
    expect(reply.code).toBe(403);
    const otherContainer = await limiter.container();
    const limited = await limiter.caller({ permissions: { devices: selecting(otherContainer.id) } });
    expect((await limited.post(`${path}/properties`, { id: [id], notes: 'mine' })).code).toBe(404);
    const ownPort = await limiter.port(await limiter.device(otherContainer.name));
    expect((await limited.post(`${path}/properties`, { id: [ownPort], notes: 'mine' })).code).toBe(200);
    expect(await fetch(ownPort)).toMatchObject({ notes: 'mine' });
  });

  test('GET /feature/port-management returns the rights of the caller', async () => {
    const viewer = await world.caller({ devices: ['view'] });
    const featureFor = async (caller: typeof viewer | typeof admin) =>
      (await caller.get(`${path}/feature/port-management`)).body.results;
    const may = {
      enabled: true,
      canSetVlan: true,
      canSetAdminStatus: true,
      canRename: true,
      licensed: true,
      reason: '',
    };
    expect(await featureFor(admin)).toEqual([may]);
    expect(await featureFor(viewer)).toMatchObject([
      { enabled: false, canSetVlan: false, canRename: false, reason: expect.stringContaining('modify devices') },
    ]);
  });

  test('serialises writes to a device in the cell, and returns an error after the wait limit', async () => {
    const query = async <R extends object>(text: string, values: readonly unknown[]) =>
      (await service.runtime.pool.query<R>(text, [...values])).rows;
    const done: string[] = [];
    const began = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const first = withDeviceLease({ query }, deviceID, 5_000, async () => {
      began.resolve();
      await finish.promise;
      done.push('first');
    });
    await began.promise;
    await expect(withDeviceLease({ query }, deviceID, 150, async () => done.push('hasty'))).rejects.toThrow(
      'Another request is changing the device',
    );
    const second = withDeviceLease({ query }, deviceID, 5_000, async () => done.push('second'));
    finish.resolve();
    await Promise.all([first, second]);
    expect(done).toEqual(['first', 'second']);
  });

  describe('a turn', () => {
    const query = async <R extends object>(text: string, values: readonly unknown[]) =>
      (await service.runtime.pool.query<R>(text, [...values])).rows;

    test('is over for a node that got no processor for longer than it lasts, before it sends anything', async () => {
      const writes: string[] = [];
      const starved = withDeviceLease(
        { query },
        deviceID,
        5_000,
        async (refuseAfterTurn) => {
          refuseAfterTurn();
          // Blocks the process: no timer runs and no reply is received meanwhile.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
          refuseAfterTurn();
          writes.push('starved');
        },
        { leaseMs: 500, renewMs: 50 },
      );
      await expect(starved).rejects.toThrow('another request may change the device');
      expect(writes).toEqual([]);
    });

    test('that another node has taken cannot be used', async () => {
      const lostLease = withDeviceLease(
        { query },
        deviceID,
        5_000,
        async (refuseAfterTurn) => {
          await query(`update device_poll set writer = gen_random_uuid() where device_id = $1`, [deviceID]);
          await vi.waitFor(() => expect(refuseAfterTurn).toThrow('another request may change the device'), patient);
        },
        { leaseMs: 600_000, renewMs: 50 },
      );
      await lostLease;
      await query(`update device_poll set write_until = '-infinity' where device_id = $1`, [deviceID]);
    });

    test('is renewed for as long as the work takes', async () => {
      const until = async () =>
        (
          await query<{ until: string }>('select write_until::text as until from device_poll where device_id = $1', [
            deviceID,
          ])
        )[0]!.until;
      await withDeviceLease(
        { query },
        deviceID,
        5_000,
        async (refuseAfterTurn) => {
          const first = await until();
          await expect.poll(until).not.toBe(first);
          refuseAfterTurn();
        },
        { leaseMs: 600_000, renewMs: 50 },
      );
    });
  });

  describe('GET /enforcement', () => {
    const enforced = async (query = '', caller: Pick<typeof admin, 'get'> = admin) =>
      (await caller.get(`${path}/enforcement${query}`)).body;

    test('lists the ports of enforcement groups, nested ones too, with what is known and nothing invented', async () => {
      const [first, second] = ids as [number, number];
      const tagged = async (enforcement: string) =>
        (
          await limiter.sql<{ id: number; name: string }>(
            `select g.id, g.name from "group" g where g.type = 'PORT' and g.enforcement = $1`,
            [enforcement],
          )
        )[0]!;
      const [registration, deadEnd] = [await tagged('REGISTRATION'), await tagged('DEAD_END')];
      const below = await limiter.group('PORT');
      await limiter.nest([deadEnd.id, below]);
      expect(await enforced()).toMatchObject({ filtered: 0, total: 0, results: [] });
      await limiter.join(registration.id, portElementType, first, second);
      await limiter.join(below, portElementType, first);
      await limiter.join(await limiter.group('PORT'), portElementType, ids[2]!);
      await transact(({ client }) =>
        writePortChanges(client, [
          {
            portID: first,
            reason: 'MANUAL',
            method: 'SNMP',
            trigger: 'ADMIN',
            triggeredBy: 'alice',
            vlan: { from: '1', to: '10' },
            errorMessage: null,
            durationMs: 1,
          },
        ]),
      );
      const { results, ...counts } = await enforced();
      expect(counts).toMatchObject({ filtered: 2, total: 2 });
      expect(results).toEqual([
        {
          portID: first,
          name: 'Gi1/0/1',
          deviceID,
          deviceName: 'edge-1',
          groups: [
            { id: deadEnd.id, name: deadEnd.name, enforcement: 'DEAD_END', rank: 1 },
            { id: registration.id, name: registration.name, enforcement: 'REGISTRATION', rank: 3 },
          ],
          enforced: ['DEAD_END', 'REGISTRATION'],
          hosts: 0,
          rogues: 0,
          accessState: null,
          desiredVlan: null,
          currentVlan: '10',
          inSync: true,
          lastChange: expect.stringMatching(/Z$/),
        },
        expect.objectContaining({ portID: second, enforced: ['REGISTRATION'], lastChange: null }),
      ]);
    });

    test('takes the filters and pages of ports, and counts the same', async () => {
      expect(await enforced('?filter=name==Gi1/0/2')).toMatchObject({
        filtered: 1,
        total: 2,
        results: [{ name: 'Gi1/0/2' }],
      });
      expect((await enforced('?count=1&sortKey=name&sortDir=desc')).results).toMatchObject([{ name: 'Gi1/0/2' }]);
      expect((await admin.get(`${path}/enforcement/count?filter=name==Gi1/0/2`)).body).toMatchObject({
        filtered: 1,
        total: 2,
        results: [],
      });
      expect((await admin.get(`${path}/enforcement?filter=noSuch==1`)).code).toBe(400);
    });

    test('shows a limited administrator the ports and groups in their sight', async () => {
      const [first] = ids as [number];
      const portGroup = await limiter.group('PORT');
      await limiter.join(portGroup, portElementType, first);
      const caller = await limiter.caller({
        manageByGroups: true,
        permissions: { devices: everyVerb, groups: selecting(portGroup) },
      });
      await limiter.manage(caller.accountId, portGroup);
      expect(await enforced('', caller)).toMatchObject({
        filtered: 1,
        total: 1,
        results: [{ portID: first, groups: [], enforced: ['DEAD_END', 'REGISTRATION'] }],
      });
    });
  });
});
