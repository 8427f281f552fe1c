import { beforeAll, describe, expect, test } from 'vitest';
import { logEvents } from '../../../test/world/logged-events.ts';
import { macOf } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { container } from '../container/container.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { storeReading } from '../polling/store-connections.ts';
import { observePorts } from './observe-ports.ts';
import { port } from './port.ts';

describe('the connection state of a port', async () => {
  const { admin, service } = await world();
  const { runtime } = service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const sql = async <R extends object>(text: string, values: unknown[] = []) =>
    (await runtime.pool.query<R>(text, values)).rows;
  let lastMacNumber = 0x30_00_00;

  beforeAll(() => logEvents({ admin, service }, 'HOST_CONNECTED', 'HOST_DISCONNECTED'));

  /** Creates a switch with two ports, and a function that stores its forwarding table. */
  const newSwitch = async (containerID = 1) => {
    const name = `sw-${++lastMacNumber}`;
    const { id } = await transact(({ records }) => records.create(networkDevice, { name, containerID }));
    await transact(({ client }) =>
      observePorts(
        client,
        [1, 2].map((n) => ({ deviceID: id, name: `Gi0/${n}`, ifindex: String(n), ifoperStatus: 1 })),
      ),
    );
    const ports = await sql<{ id: number }>('select id from port where device_id = $1 order by id', [id]);
    const device = { id, name } as Parameters<typeof storeReading>[1];
    const storeTable = (...macs: string[]) =>
      transact((tx) =>
        storeReading(tx, device, {
          learned: macs.map((mac) => ({ mac, portID: ports[0]!.id, vlan: '20' })),
          uplinks: new Map(),
          hits: new Map(),
        }),
      );
    const state = async () => (await admin.fetch(port, ports[0]!.id)).connectionState;
    return { id, name, portID: ports[0]!.id, read: storeTable, state };
  };
  const byMac = async (mac: string) => (await admin.get(`/host/by-mac/${mac}`)).body.results![0]!;
  const newMac = () => macOf(++lastMacNumber);
  const eventsOf = async (mac: string) =>
    (await admin.get(`/logging/event?count=100&filter=${encodeURIComponent(`mac==${mac}`)}`)).body.results!;
  const namesOf = async (mac: string) => (await eventsOf(mac)).map(({ name }) => name).toSorted();

  test('shows when its adapter becomes that of a registered host', async () => {
    const { read: storeTable, state } = await newSwitch();
    const mac = newMac();
    await storeTable(mac);
    expect(await state()).toBe(2);
    const target = await admin.create(host, { hostName: 'target' });
    const [{ id }] = (await byMac(mac)).adapterObjects as [{ id: number }];
    expect((await admin.post(`/adapter/${id}`, { hostID: target })).code).toBe(200);
    expect(await state()).toBe(1);
  });

  test('shows when a host is created with its MAC address', async () => {
    const { read: storeTable, state } = await newSwitch();
    const mac = newMac();
    await storeTable(mac);
    const body = { type: 3, adapterObjects: [{ physicalAddress: mac }] };
    expect((await admin.post('/host/with-adapters', body)).code).toBe(201);
    expect(await state()).toBe(4);
  });

  test('is a rogue again when the host is deleted, with its events', async () => {
    const { read: storeTable, state } = await newSwitch();
    const mac = newMac();
    await storeTable(mac);
    const { id } = await byMac(mac);
    expect((await admin.post(`/host/${id}`, { type: 2, hostName: 'leaving' })).code).toBe(200);
    expect(await state()).toBe(1);
    expect((await admin.delete(`/host/${id}`)).code).toBe(200);
    expect(await state()).toBe(2);
    const { id: again } = await byMac(mac);
    const events = (await eventsOf(mac)).filter(({ elementID }) => elementID === again);
    expect(events.map(({ name }) => name).toSorted()).toEqual(['HOST_CONNECTED', 'HOST_CREATED', 'ROGUE_CONNECTED']);
  });

  test('is a rogue again when the adapter is deleted, with its events', async () => {
    const { read: storeTable, state } = await newSwitch();
    const mac = newMac();
    const reply = await admin.post('/host/with-adapters', {
      hostName: 'two legs',
      adapterObjects: [{ physicalAddress: mac }, { physicalAddress: newMac() }],
    });
    expect(reply.code).toBe(201);
    await storeTable(mac);
    expect(await state()).toBe(1);
    const [virtualPort] = (await admin.get<{ id: number }>(`/adapter?filter=physicalAddress==${mac}`)).body.results!;
    expect((await admin.delete(`/adapter/${virtualPort!.id}`)).code).toBe(200);
    expect(await state()).toBe(2);
    const { id: rogue } = await byMac(mac);
    const events = (await eventsOf(mac)).filter(({ elementID }) => elementID === rogue);
    expect(events.map(({ name }) => name).toSorted()).toEqual(['HOST_CONNECTED', 'HOST_CREATED', 'ROGUE_CONNECTED']);
  });

  test('is shown right again by the next reading, whatever made it wrong', async () => {
    const { read: storeTable, state, portID } = await newSwitch();
    const mac = newMac();
    await storeTable(mac);
    await sql('update port set connection_state = 7 where id = $1', [portID]);
    expect(await state()).toBe(7);
    await storeTable(mac);
    expect(await state()).toBe(2);
  });

  test('leaves its names in the history when the device is deleted, and is disconnected', async () => {
    const containerID = await admin.create(container, { name: `Library ${++lastMacNumber}` });
    const { id, name, read: storeTable } = await newSwitch(containerID);
    const mac = newMac();
    await storeTable(mac);
    const shown = async () => (await admin.get(`/adapter?filter=physicalAddress==${mac}`)).body.results![0]!;
    const { container: where, portID } = await shown();
    expect((await admin.delete(`/device/${id}`)).code).toBe(200);
    const place = { location: `${name}:Gi0/1`, container: where, deviceID: id, portID };
    expect(await shown()).toMatchObject({ connected: false, ...place });
    expect((await admin.get(`${port.path}/${portID}`)).code).toBe(404);
    expect((await eventsOf(mac)).filter((event) => event.name === 'HOST_DISCONNECTED')).toMatchObject([
      { location: `${name}:Gi0/1` },
    ]);
  });

  test('has events with its MAC address, from the first to the last', async () => {
    const mac = newMac();
    const id = await admin.create(adapter, { physicalAddress: mac });
    const { hostID } = await admin.fetch(adapter, id);
    expect((await admin.post(`/host/${hostID}`, { type: 2 })).code).toBe(200);
    expect((await admin.post(`/host/${hostID}/set-health`, { health: 'AT_RISK' })).code).toBe(200);
    expect((await admin.delete(`/host/${hostID}`)).code).toBe(200);
    const names = await namesOf(mac);
    expect(names).toEqual(
      expect.arrayContaining(['HOST_CREATED', 'HOST_REGISTERED', 'HOST_AT_RISK', 'HOST_DESTROYED']),
    );
    const created = (await eventsOf(mac)).find(({ name }) => name === 'HOST_CREATED')!;
    expect(created).toMatchObject({ elementName: mac, eventFormatString: `Host ${mac} created.` });
  });

  test('is named by the newest event and audit row of the port', async () => {
    const { portID } = await newSwitch();
    const set = (body: object) => admin.post(`${port.path}/properties`, { id: [portID], ...body });
    const shown = () => admin.fetch(port, portID);
    expect((await set({ notes: 'left' })).code).toBe(200);
    expect(await shown()).toMatchObject({ yamsEventTag: 'PORT_MODIFIED' });
    expect((await set({ newUplink: 1 })).code).toBe(200);
    const { auditObj, yamsEventTag } = await shown();
    expect(yamsEventTag).toBe('PORT_UPLINK_CHANGED');
    expect(auditObj).toMatchObject({ yamsEventTag: 'PORT_UPLINK_CHANGED', auditObj: 'Gi0/1: changed uplink' });
    const filter = encodeURIComponent(`auditObjectType.dbTableName==port;liveDBID==${portID}`);
    const { results } = (await admin.get(`/logging/audit?filter=${filter}&sortKey=auditDBID&sortDir=desc`)).body;
    expect((auditObj as { auditDBID: number }).auditDBID).toBe(results![0]!.auditDBID);
    expect((await set({ notes: 'right' })).code).toBe(200);
    expect(await shown()).toMatchObject({
      yamsEventTag: 'PORT_MODIFIED',
      auditObj: { auditObj: 'Gi0/1: changed notes' },
    });
  });
});
