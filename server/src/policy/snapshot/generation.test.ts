import { describe, expect, test } from 'vitest';
import { world as startWorld } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { networkDevice } from '../../device/network-device/network-device.ts';
import { observePorts } from '../../device/port/port.service.ts';
import { port } from '../../device/port/port.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { group } from '../../system/group/group.ts';
import { role } from '../role/role.ts';

describe('policy generation', async () => {
  const { admin, service } = await startWorld();
  const { runtime } = service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const generation = async () =>
    (await runtime.pool.query<{ generation: number }>('select generation from policy_generation')).rows[0]!.generation;
  /** Returns by how much the generation rises. */
  const rise = async (work: () => Promise<unknown>) => {
    const before = await generation();
    await work();
    return (await generation()) - before;
  };
  let count = 0;
  const newDevice = (containerID = 1) =>
    transact(({ records }) => records.create(networkDevice, { name: `device-${++count}`, containerID }));

  test('rises when containers are created, moved or deleted, not when names or intervals change', async () => {
    const ids: number[] = [];
    expect(await rise(async () => ids.push(await admin.create(container, { name: 'Hall' })))).toBe(1);
    const hall = await admin.create(container, { name: 'Outer' });
    const set = (fields: object) => transact(({ records }) => records.update(container, ids[0]!, { ...fields }));
    expect(await rise(() => set({ name: 'Hall A', pollingInterval: 90, notes: 'x' }))).toBe(0);
    expect(await rise(() => set({ parent: 'Outer' }))).toBe(1);
    expect(await rise(() => admin.post(`${container.path}/delete`, { id: [ids[0]!, hall] }))).toBe(1);
  });

  test('rises when devices are created, moved, deleted or no longer managed, not when a poll stores its results', async () => {
    const createdIDs: number[] = [];
    expect(await rise(async () => createdIDs.push((await newDevice()).id))).toBe(1);
    const id = createdIDs[0]!;
    const update = (fields: object) => () =>
      transact(({ records }) => records.update(networkDevice, id, { ...fields }));
    expect(await rise(update({ managed: false }))).toBe(1);
    expect(await rise(update({ sendDefaultVlan: true }))).toBe(1);
    expect(await rise(update({ radiusEnabled: true, radiusSecret: 'secret-of-nas' }))).toBe(1);
    expect(await rise(update({ contactPollingInterval: 90, note: 'x' }))).toBe(0);
    const portObservations = [
      { deviceID: id, name: 'Gi1', portType: 0, ifindex: '1', defaultVlan: '20', currentVlan: '20' },
    ];
    expect(await rise(() => transact(({ client }) => observePorts(client, portObservations)))).toBe(0);
    expect(
      await rise(() =>
        transact(({ client }) => observePorts(client, [{ ...portObservations[0]!, currentVlan: '30' }])),
      ),
    ).toBe(0);
    const [storedPort] = (await admin.get(`/device/port/by-device?deviceID=${id}`)).body.results!;
    const change = (fields: object) => () =>
      transact(({ records }) => records.update(port, storedPort!.dbid as number, { ...fields }));
    expect(await rise(change({ label: 'Lobby', notes: 'x' }))).toBe(0);
    expect(await rise(change({ defaultVlan: '40' }))).toBe(1);
    const uplink = (kind: number) =>
      runtime.pool.query(
        'insert into port_uplink (port_id, kind) values ($1, $2) on conflict (port_id) do update set kind = excluded.kind',
        [storedPort!.dbid, kind],
      );
    expect(await rise(() => uplink(8))).toBe(0);
    expect(await rise(() => uplink(10))).toBe(1);
    expect(await rise(() => runtime.pool.query('delete from port_uplink where port_id = $1', [storedPort!.dbid]))).toBe(
      1,
    );
    expect(await rise(() => admin.delete(`${networkDevice.path}/${id}`))).toBe(1);
  });

  test('rises when roles and groups are created or deleted, not when their notes change', async () => {
    const createdIDs: number[] = [];
    expect(await rise(async () => createdIDs.push(await admin.create(role, { name: 'Laboratory' })))).toBe(1);
    expect(await rise(() => transact(({ records }) => records.update(role, createdIDs[0]!, { note: 'x' })))).toBe(0);
    expect(await rise(() => admin.delete(`${role.path}/${createdIDs[0]}`))).toBe(1);
    expect(await rise(() => admin.post(`${group.path}/PORT`, { name: 'Hall' }))).toBe(1);
  });

  test('rises once per transaction, however much it changes', async () => {
    const work = () =>
      transact(async ({ records }) => {
        const { id } = await records.create(container, { name: 'Annex', parent: 'Network' });
        await records.create(networkDevice, { name: 'annex-1', containerID: id });
        await records.create(networkDevice, { name: 'annex-2', containerID: id });
      });
    expect(await rise(work)).toBe(1);
    expect((await runtime.pool.query('select from policy_change')).rows).toEqual([]);
  });

  test('stays when a dry run is rolled back', async () => {
    expect(await rise(() => admin.post(`${container.path}?dryRun=true`, { name: 'Nowhere' }))).toBe(0);
  });
});
