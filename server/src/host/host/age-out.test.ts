import { describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { observePorts } from '../../device/port/observe-ports.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { group } from '../../system/group/group.ts';
import { adapter } from '../adapter/adapter.ts';
import { ageOut } from './age-out.ts';
import { host } from './host.ts';

describe('host aging', async () => {
  const { admin, service } = await world();
  const { runtime } = service;
  const sql = async <R extends object>(text: string, values: unknown[] = []) =>
    (await runtime.pool.query<R>(text, values)).rows;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const age = () =>
    ageOut({ query: (text, values) => sql(text, [...values]), write: transact }, new AbortController().signal, 0);
  let hostCount = 0;
  const create = (overrides: object = {}) =>
    admin.create(host, { hostName: `aged-${++hostCount}`, type: 3, ...overrides });
  const isThere = async (id: number) => (await admin.get(`/host/${id}`)).code === 200;
  const madeDaysAgo = (id: number, days: number) =>
    sql(
      `update host set creation_time = now() - make_interval(days => $2), registered_at = now() - make_interval(days => $2) where id = $1`,
      [id, days],
    );
  const eventsOf = (id: number) =>
    sql<{ text: string }>(
      `select e.event_format_string as text from event e where e.name = 'HOST_AGED_OUT' and e.element_id = $1`,
      [id],
    );

  test('deletes a host after its expiration date, with an event that has its name and the reason', async () => {
    const [due, later, never] = [await create(), await create(), await create()];
    const mac = '02:A6:ED:00:00:01';
    await admin.create(adapter, { physicalAddress: mac, hostID: due });
    await admin.post('/host/set-expiration', { id: [due], setExpiration: true, expireDateMS: 1_000 });
    await admin.post('/host/set-expiration', { id: [later], setExpiration: true, expireDays: 1 });
    expect(await age()).toBe(1);
    expect([await isThere(due), await isThere(later), await isThere(never)]).toEqual([false, true, true]);
    expect(await eventsOf(due)).toEqual([{ text: `aged-1 (${mac}) was deleted: expiration date.` }]);
    const audit = await admin.get(
      `/logging/audit?filter=liveDBID==${due};auditObjectType.dbTableName==host;action==DELETE`,
    );
    expect(audit.body.results).toHaveLength(1);
  });

  test('deletes a host after its days of absence, but not while it is connected', async () => {
    const [absent, connected, recent] = [
      await create({ inactiveDays: 3 }),
      await create({ inactiveDays: 3 }),
      await create({ inactiveDays: 30 }),
    ];
    for (const id of [absent, connected, recent]) await madeDaysAgo(id, 4);
    const mac = '02:A6:ED:00:00:02';
    await admin.create(adapter, { physicalAddress: mac, hostID: connected });
    await transact(async ({ records, client }) => {
      const { id } = await records.create(networkDevice, { name: 'sw-1', containerID: 1 });
      await observePorts(client, [{ deviceID: id, name: 'Gi0/1', ifindex: '1', ifoperStatus: 1 }]);
      await client.query(
        'insert into connection_active (mac, device_id, port_id) select $1, p.device_id, p.id from port p where p.device_id = $2',
        [mac, id],
      );
    });
    expect(await age()).toBe(1);
    expect([await isThere(absent), await isThere(connected), await isThere(recent)]).toEqual([false, true, true]);
    // The days count from the disconnect.
    await sql('delete from connection_active where mac = $1', [mac]);
    expect(await age()).toBe(0);
    await sql(`update connection_last set ended = now() - interval '4 days' where mac = $1`, [mac]);
    expect(await age()).toBe(1);
    expect(await isThere(connected)).toBe(false);
  });

  test('applies the days of groups, also of parent groups, unless the host has its own', async () => {
    const [member, memberWithOwnLimit, outside] = [
      await create(),
      await create({ inactiveDays: 1_000 }),
      await create(),
    ];
    for (const id of [member, memberWithOwnLimit, outside]) await madeDaysAgo(id, 10);
    const child = await admin.create(
      { path: `${group.path}/HOST` },
      { name: 'child', members: [member, memberWithOwnLimit] },
    );
    const parent = await admin.create({ path: `${group.path}/HOST` }, { name: 'parent', childGroups: [child] });
    await admin.post(`${group.path}/aging`, { id: [parent], daysValid: 0, daysInactive: 20 });
    expect(await age()).toBe(0);
    await admin.post(`${group.path}/aging`, { id: [parent], daysValid: 0, daysInactive: 7 });
    expect(await age()).toBe(1);
    expect([await isThere(member), await isThere(memberWithOwnLimit), await isThere(outside)]).toEqual([
      false,
      true,
      true,
    ]);
    await admin.post('/host/set-expiration', { id: [memberWithOwnLimit], setExpiration: true, expireDays: 5 });
    await admin.post(`${group.path}/aging`, { id: [parent], daysValid: 9, daysInactive: 0 });
    expect(await age()).toBe(0);
    await admin.post('/host/set-expiration', { id: [memberWithOwnLimit], setExpiration: true, expireDays: 0 });
    expect(await age()).toBe(1);
    expect(await eventsOf(memberWithOwnLimit)).toEqual([
      { text: 'aged-8 (no adapter) was deleted: days valid of its group.' },
    ]);
  });

  test('deletes due hosts beyond the first batch', async () => {
    const ids = [];
    for (let n = 0; n < 60; n++) ids.push(await create());
    await sql(`update host set expiration_date = now() - interval '1 day' where id = any($1)`, [ids]);
    expect(await age()).toBe(60);
  });
});
