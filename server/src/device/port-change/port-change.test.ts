import { beforeAll, describe, expect, test } from 'vitest';
import { everyVerb, Limiter, selecting } from '../../../test/world/restricted-admins.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { networkDevice } from '../network-device/network-device.ts';
import { portElementType } from '../port/port.ts';
import { type DoneToPort, summaryOf, writePortChanges } from './port-change.service.ts';
import { portChange } from './port-change.ts';

const path = portChange.path!;
const byHand: Omit<DoneToPort, 'portID'> = {
  reason: 'MANUAL',
  method: 'SNMP',
  trigger: 'ADMIN',
  triggeredBy: 'alice',
  errorMessage: null,
  durationMs: 12.4,
};

describe('port changes', async () => {
  const world = await startWorld();
  const { admin, service } = world;
  const limiter = new Limiter(world);
  const transact = <T>(work: Parameters<typeof service.runtime.transact<T>>[1]) =>
    service.runtime.transact(systemOrigin('test'), work);
  const write = (...changes: DoneToPort[]) => transact(({ client }) => writePortChanges(client, changes));
  let deviceID: number;
  let portID: number;

  beforeAll(async () => {
    deviceID = await limiter.device('Network');
    portID = await limiter.port(deviceID);
    await write(
      { ...byHand, portID, vlan: { from: '10', to: '30' } },
      { ...byHand, portID, vlan: { from: '30', to: '40' }, errorMessage: 'The device answered noAccess.' },
    );
  });

  test('list the change, its reason and its outcome, newest first, with the fields in the order of the specification', async () => {
    const { results, total } = (await admin.get(path)).body;
    expect(total).toBe(2);
    expect(Object.keys(results![0]!)).toEqual(
      `id landscape timestamp portID portName deviceID deviceName containerID mac hostID hostName userName accessState reason
       policyName accessConfigurationName logicalNetworkName fromVlan toVlan fromCli toCli method trigger triggeredBy success
       errorMessage durationMs generation`.split(/\s+/),
    );
    expect(results).toMatchObject([
      { fromVlan: '30', toVlan: '40', success: false, errorMessage: 'The device answered noAccess.' },
      {
        portID,
        deviceID,
        containerID: 1,
        mac: null,
        accessState: null,
        reason: 'MANUAL',
        fromVlan: '10',
        toVlan: '30',
        method: 'SNMP',
        trigger: 'ADMIN',
        triggeredBy: 'alice',
        success: true,
        errorMessage: null,
        durationMs: 12,
        generation: expect.any(Number),
      },
    ]);
    expect((await admin.get(`${path}/${results![1]!.id}`)).body.results).toEqual([results![1]]);
    expect((await admin.get(`${path}/count?filter=success==false`)).body).toMatchObject({ filtered: 1, total: 2 });
    expect((await admin.get(`${path}/count/all`)).body).toMatchObject({ total: 2 });
  });

  test('show in the port as its newest change, without a version of it', async () => {
    const { body } = await admin.get(`/device/port/${portID}`);
    expect(body.results).toMatchObject([
      {
        lastChangeSummary: 'VLAN 30 → 40 by alice failed: The device answered noAccess.',
        lastModifiedBy: 'system',
      },
    ]);
    expect(summaryOf({ ...byHand, portID, isUp: false })).toBe('put down by alice');
    expect(summaryOf({ ...byHand, portID, reason: 'DEFAULT', vlan: { from: null, to: '1' } })).toBe(
      'VLAN ? → 1 for DEFAULT',
    );
  });

  test('can be neither changed nor deleted, by clients or by the serving role', async () => {
    const [newest] = (await admin.get(`${path}?count=1`)).body.results!;
    for (const reply of [
      await admin.post(`${path}/${newest!.id}`, { reason: 'DEFAULT' }),
      await admin.delete(`${path}/${newest!.id}`),
    ])
      expect(reply.code).toBe(405);
    await expect(service.runtime.pool.query('delete from port_change')).rejects.toThrow('permission denied');
  });

  test('outlive their device, and are then seen by those who see everything', async () => {
    const deletedDevice = await limiter.device('Network');
    const gonePort = await limiter.port(deletedDevice);
    await write({ ...byHand, portID: gonePort, isUp: true });
    await transact(({ records }) => records.remove(networkDevice, [deletedDevice]));
    expect((await admin.get(`${path}?filter=portID==${gonePort}`)).body).toMatchObject({
      filtered: 1,
      results: [{ deviceID: deletedDevice, toVlan: null }],
    });
  });

  test('are seen with their port, by its container or by the groups that an administrator manages', async () => {
    const [here, there] = [await limiter.container(), await limiter.container()];
    const mine = await limiter.port(await limiter.device(here.name));
    const hiddenPort = await limiter.port(await limiter.device(there.name));
    await write({ ...byHand, portID: mine, isUp: true }, { ...byHand, portID: hiddenPort, isUp: true });
    const [ofMine] = (await admin.get(`${path}?filter=portID==${mine}`)).body.results!;
    const [ofOthers] = (await admin.get(`${path}?filter=portID==${hiddenPort}`)).body.results!;
    const byPlace = await limiter.caller({ permissions: { devices: selecting(here.id) } });
    const manager = await limiter.caller({ manageByGroups: true, permissions: { devices: everyVerb } });
    const managed = await limiter.group('PORT');
    await limiter.join(managed, portElementType, mine);
    await limiter.manage(manager.accountId, managed);
    for (const caller of [byPlace, manager]) {
      expect((await caller.get(path)).body).toMatchObject({ filtered: 1, total: 1, results: [{ portID: mine }] });
      expect((await caller.get(`${path}/count/all`)).body).toMatchObject({ total: 1 });
      expect((await caller.get(`${path}/${ofMine!.id}`)).code).toBe(200);
      expect((await caller.get(`${path}/${ofOthers!.id}`)).code).toBe(404);
    }
  });

  test('about a host are shown to a caller limited to the members of groups with this host alone', async () => {
    const [visible, hidden] = [await limiter.adapter(), await limiter.adapter()];
    const hosts = await limiter.sql<{ id: number }>(
      'select host_id as id from adapter where id = any($1) order by array_position($1, id)',
      [[visible, hidden]],
    );
    const place = await limiter.port(deviceID);
    const managed = { PORT: await limiter.group('PORT'), HOST: await limiter.group('HOST') };
    await limiter.join(managed.PORT, portElementType, place);
    await limiter.join(managed.HOST, 4, hosts[0]!.id);
    const caller = await limiter.caller({
      manageByGroups: true,
      permissions: { devices: everyVerb, hosts: everyVerb },
    });
    await limiter.manage(caller.accountId, managed.PORT, managed.HOST);
    for (const { id } of hosts)
      await limiter.sql(
        `insert into port_change (port_id, port_name, device_id, device_name, container_id, host_id, host_name, reason, method, trigger,
           triggered_by, success, duration_ms, generation)
         values ($1, 'Gi0/1', $2, 'device', 1, $3, 'name', 'ROLE', 'SNMP', 'POLL', 'system', true, 1, 1)`,
        [place, deviceID, id],
      );
    await write({ ...byHand, portID: place, isUp: true });
    const rows = (await caller.get<{ hostID: number | null }>(path)).body.results!;
    expect(rows.map(({ hostID }) => hostID)).toEqual([null, hosts[0]!.id]);
  });
});
