import { describe, expect, test } from 'vitest';
import { logEvents } from '../../../test/world/logged-events.ts';
import { macOf } from '../../../test/world/restricted-admins.ts';
import { world } from '../../../test/world/world.ts';
import { role } from '../../policy/role/role.ts';
import { adapter } from '../adapter/adapter.ts';
import { host } from './host.ts';

describe('writes of hosts', async () => {
  const { admin, service } = await world();
  let lastMac = 0x20_00_00;
  const newMac = () => macOf(++lastMac);

  /** Creates a registered host with adapters. */
  const withAdapters = async (...macs: string[]) => {
    const reply = await admin.post('/host/with-adapters', {
      hostName: `with-${macs[0]}`,
      adapterObjects: macs.map((physicalAddress) => ({ physicalAddress })),
    });
    expect(reply.code).toBe(201);
    return Number(String(reply.headers.location).split('/').at(-1));
  };
  const eventsOf = async (type: number, id: number, name: string) =>
    (
      await admin.get(
        `/logging/event?filter=${encodeURIComponent(`elementType==${type};elementID==${id};name==${name}`)}`,
      )
    ).body.results!;

  describe('a list of adapters', () => {
    test('refuses a list that was changed since it was read, by version and by If-Match', async () => {
      const [x, y] = [newMac(), newMac()];
      const id = await withAdapters(x);
      const record = await admin.fetch(host, id);
      const first = await admin.post(`/host/with-adapters/${id}`, {
        version: record.version,
        adapterObjects: [{ physicalAddress: x }, { physicalAddress: y }],
      });
      expect(first).toMatchObject({ code: 200, headers: { etag: `"${Number(record.version) + 1}"` } });
      const stale = { adapterObjects: [{ physicalAddress: x }] };
      expect(await admin.post(`/host/with-adapters/${id}`, { ...stale, version: record.version })).toMatchObject({
        code: 409,
        body: { status: 'stale' },
      });
      const headers = { 'if-match': `"${record.version}"` };
      expect(await admin.post(`/host/with-adapters/${id}`, stale, headers)).toMatchObject({
        code: 412,
        body: { status: 'stale' },
      });
      expect(await admin.fetch(host, id)).toMatchObject({ version: Number(record.version) + 1, adapters: [x, y] });
    });

    test('raises the versions of the hosts when an adapter is added, moved or deleted on its own', async () => {
      const [x, y] = [newMac(), newMac()];
      const [firstHost, secondHost] = [await withAdapters(x), await withAdapters(newMac())];
      const versions = async () => [
        (await admin.fetch(host, firstHost)).version,
        (await admin.fetch(host, secondHost)).version,
      ];
      expect(await versions()).toEqual([1, 1]);
      const id = await admin.create(adapter, { physicalAddress: y, hostID: firstHost });
      expect(await versions()).toEqual([2, 1]);
      expect((await admin.post(`/adapter/${id}`, { hostID: secondHost })).code).toBe(200);
      expect(await versions()).toEqual([3, 2]);
      expect((await admin.delete(`/adapter/${id}`)).code).toBe(200);
      expect(await versions()).toEqual([3, 3]);
      const [newest] = (await admin.get(`/logging/audit?count=1`)).body.results!;
      expect(JSON.stringify(newest)).toContain('adapters');
    });

    test('changes nothing when the same list is sent again', async () => {
      const x = newMac();
      const id = await withAdapters(x);
      const record = await admin.fetch(host, id);
      const reply = await admin.post(`/host/with-adapters/${id}`, { ...record });
      expect(reply).toMatchObject({ code: 200, headers: { etag: '"1"' } });
      expect(await admin.fetch(host, id)).toEqual(record);
    });

    test('refuses the id of an adapter with another MAC address', async () => {
      const [x, y] = [newMac(), newMac()];
      const id = await withAdapters(x, y);
      const [first] = (await admin.fetch(host, id)).adapterObjects as { id: number }[];
      const reply = await admin.post(`/host/with-adapters/${id}`, {
        adapterObjects: [{ id: first!.id, physicalAddress: newMac() }, { physicalAddress: y }],
      });
      expect(reply).toMatchObject({ code: 422, body: { status: 'rejected' } });
      expect(reply.body.errorMessage).toContain(`adapterObjects/0/physicalAddress`);
      expect(await admin.fetch(host, id)).toMatchObject({ adapters: [x, y], version: 1 });
      const otherHostRequest = { adapterObjects: [{ physicalAddress: x, hostID: id + 1 }, { physicalAddress: y }] };
      expect((await admin.post(`/host/with-adapters/${id}`, otherHostRequest)).code).toBe(422);
    });
  });

  test('keeps a role that is set, even if the host already has it', async () => {
    const lab = await admin.create(role, { name: 'Sticky lab' });
    const members = await admin.create({ path: '/system/group/HOST' }, { name: 'Sticky hosts' });
    await admin.post(`/policy/role/${lab}`, { groupIDs: [members] });
    const id = await withAdapters(newMac());
    const shown = async () => {
      const { role: name, roleSource } = await admin.fetch(host, id);
      return [name, roleSource];
    };
    expect(await shown()).toEqual(['NAC-Default', 'DEFAULT']);
    // A complete record that is sent back does not fix the role.
    expect((await admin.post(`/host/${id}`, { ...(await admin.fetch(host, id)) })).code).toBe(200);
    expect(await shown()).toEqual(['NAC-Default', 'DEFAULT']);
    expect((await admin.post('/host/set-role', { id: [id], role: 'nac-default' })).code).toBe(200);
    expect(await shown()).toEqual(['NAC-Default', 'ADMIN']);
    expect((await admin.post('/system/group/add-members', { groupID: [members], elemID: [id] })).code).toBe(200);
    expect(await shown()).toEqual(['NAC-Default', 'ADMIN']);
    expect((await admin.post('/host/set-role', { id: [id], role: null })).code).toBe(200);
    expect(await shown()).toEqual(['Sticky lab', 'GROUP']);
    expect((await admin.post('/host/set-role', { id: [id], role: 'Sticky lab' })).code).toBe(200);
    expect(await shown()).toEqual(['Sticky lab', 'ADMIN']);
  });

  test('sets an owner by name or id, and refuses an unknown one', async () => {
    const { rows } = await service.runtime.pool.query<{ id: number; userID: string }>(
      'select id, user_id as "userID" from user_account order by id limit 1',
    );
    const owner = rows[0]!;
    const created = await admin.post('/host', { hostName: 'owned-1', owner: owner.userID.toUpperCase() });
    expect(created.code).toBe(201);
    const id = Number(String(created.headers.location).split('/').at(-1));
    expect(await admin.fetch(host, id)).toMatchObject({ owner: owner.userID, ownerID: owner.id });
    expect((await admin.post(`/host/${id}`, { ...(await admin.fetch(host, id)) })).code).toBe(200);
    expect((await admin.fetch(host, id)).version).toBe(1);
    expect((await admin.post(`/host/${id}`, { owner: null })).code).toBe(200);
    expect(await admin.fetch(host, id)).toMatchObject({ owner: null, ownerID: null, version: 2 });
    expect(await admin.post('/host', { hostName: 'owned-2', owner: 'nosuch' })).toMatchObject({
      code: 422,
      body: { errorMessage: expect.stringContaining('owner') },
    });
    const both = await admin.post(`/host/${id}`, { owner: 'nosuch', ownerID: owner.id });
    expect(both.code).toBe(422);
    expect((await admin.post(`/host/${id}`, { owner: '', ownerID: owner.id })).code).toBe(422);
    expect((await admin.post(`/host/${id}`, { owner: null, ownerID: owner.id })).code).toBe(200);
    expect(await admin.fetch(host, id)).toMatchObject({ owner: owner.userID, ownerID: owner.id });
  });

  test('sets, reports and clears the IP address of an adapter', async () => {
    await logEvents({ admin, service }, 'ADAPTER_IP_CHANGED');
    const id = await admin.create(adapter, { physicalAddress: newMac() });
    for (const ipaddress of ['192.0.2.7', '192.0.2.8'])
      expect((await admin.post(`/adapter/${id}`, { ipaddress })).code).toBe(200);
    expect(await admin.fetch(adapter, id)).toMatchObject({ ipaddress: '192.0.2.8' });
    const events = await eventsOf(5, id, 'ADAPTER_IP_CHANGED');
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events[0])).toMatch(/192\.0\.2\.7.*192\.0\.2\.8/);
    expect((await admin.post(`/adapter/${id}`, { ipaddress: null })).code).toBe(200);
    expect(await admin.fetch(adapter, id)).toMatchObject({ ipaddress: null, ips: [] });
  });

  test('refuses parameters of set-health that would have no effect', async () => {
    const id = await withAdapters(newMac());
    const set = (body: object) => admin.post(`/host/${id}/set-health`, body);
    expect((await set({ health: 'AT_RISK', scanID: 3 })).code).toBe(400);
    expect((await set({ health: 'AT_RISK', all: true })).code).toBe(400);
    expect((await set({ health: 'SAFE', all: true, scanID: 3 })).code).toBe(400);
    expect(await set({ health: 'SAFE', scanID: 3 })).toMatchObject({ code: 422, body: { status: 'rejected' } });
    expect((await set({ health: 'AT_RISK' })).code).toBe(200);
    expect((await set({ health: 'SAFE', all: true })).code).toBe(200);
    expect((await set({ health: 'SAFE' })).code).toBe(200);
  });

  test('returns the host as it would be for a dry run of an action on one host', async () => {
    const id = await withAdapters(newMac());
    const reply = await admin.post(`/host/${id}/set-health?dryRun=true`, { health: 'AT_RISK' });
    expect(reply).toMatchObject({ code: 200, body: { results: [{ id, health: 'AT_RISK' }] } });
    expect(await admin.fetch(host, id)).toMatchObject({ health: 'SAFE' });
  });

  test('returns it also for a dry run of an action that finds the host by an address', async () => {
    const mac = newMac();
    const id = await withAdapters(mac);
    const tried = async (action: string, body: object) => {
      const reply = await admin.post(`/host/${action}?dryRun=true`, body);
      expect(reply, reply.text).toMatchObject({ code: 200 });
      return reply.body.results;
    };
    expect(await tried('disable-by-mac', { mac })).toMatchObject([{ id, enabled: false }]);
    expect(await tried('set-logged-on-user', { mac, userID: 'ann', action: 'LOGON' })).toMatchObject([
      { id, loggedOnUserID: 'ann' },
    ]);
    expect(await tried('set-logged-on-user', { mac, userID: 'ann', action: 'LOGOFF' })).toMatchObject([
      { id, loggedOnUserID: null },
    ]);
    expect(await admin.fetch(host, id)).toMatchObject({ enabled: true, loggedOnUserID: null });
  });
});
