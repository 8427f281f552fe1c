import type { SwitchSpec } from '@portreeve/testbed/snmp-switches.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ModelledSwitches, modelSwitches } from '../../../test/trials/modelled-switches.ts';
import { patient, promised } from '../../../test/world/patience.ts';
import { realProtocols, world } from '../../../test/world/world.ts';
import { port } from './port.ts';

const bridge = '127.0.32.1';
const cisco = '127.0.32.2';
const readOnly = '127.0.32.3';
const specs: SwitchSpec[] = [
  { address: bridge, sysName: 'sw-bridge' },
  { address: cisco, sysName: 'sw-cisco', kind: 'cisco' },
  { address: readOnly, sysName: 'sw-read-only' },
];

const egress = (vlan: number) => `1.3.6.1.2.1.17.7.1.4.3.1.2.${vlan}`;
const untagged = (vlan: number) => `1.3.6.1.2.1.17.7.1.4.3.1.4.${vlan}`;
const pvid = (bridgePort: number) => `1.3.6.1.2.1.17.7.1.4.5.1.1.${bridgePort}`;

describe('changing ports on their devices', async () => {
  const testWorld = await world({ parts: realProtocols(), jobs: 'work' });
  const { admin } = testWorld;
  let switches: ModelledSwitches;

  beforeAll(async () => {
    switches = await modelSwitches(testWorld, specs, (address) =>
      address === readOnly ? ['public'] : ['public', 'private'],
    );
  });
  afterAll(() => switches.stop());

  const portID = async (address: string, number: number) => (await switches.portAt(address, number)).dbid as number;
  const set = (body: object) => admin.post(`${port.path}/properties`, body);
  const changesOf = async (id: number) => (await admin.get(`/device/port-changes?filter=portID==${id}`)).body.results!;
  const auditsOf = async (id: number) => {
    const filter = encodeURIComponent(`auditObjectType.dbTableName==port;liveDBID==${id}`);
    return (await admin.get(`/logging/audit?filter=${filter}`)).body.results!;
  };
  const eventsOf = async (id: number) =>
    (await admin.get(`/logging/event?filter=${encodeURIComponent(`elementType==3;elementID==${id}`)}`)).body.results!;

  test('VLAN 30 on port 7 changes the lists and the PVID in the stated order, and nothing else', async () => {
    const id = await portID(bridge, 7);
    const { bridgePort, pvid: before } = await switches.portOf(bridge, 7);
    await switches.takeSets(bridge);
    expect(await set({ id: [id], currentVlan: 'registration' })).toMatchObject({ code: 200 });
    const sets = await switches.takeSets(bridge);
    expect(sets.map(({ outcome, varbinds }) => [outcome, varbinds.map(({ oid }) => oid)])).toEqual([
      ['noError', [egress(30), untagged(30)]],
      ['noError', [pvid(bridgePort)]],
      ['noError', [egress(before), untagged(before)]],
    ]);
    expect(await switches.portOf(bridge, 7)).toMatchObject({ pvid: 30 });
    expect(await admin.fetch(port, id)).toMatchObject({ currentVlan: '30', defaultVlan: String(before) });
    expect(await changesOf(id)).toMatchObject([
      { fromVlan: String(before), toVlan: '30', reason: 'MANUAL', method: 'SNMP', trigger: 'ADMIN', success: true },
    ]);
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(['PORT_VLAN_SET']);
    expect((await set({ id: [id], currentVlan: '30' })).code).toBe(200);
    expect(await switches.takeSets(bridge)).toEqual([]);
    expect(await changesOf(id)).toHaveLength(1);
    expect(await auditsOf(id)).toHaveLength(1);
  });

  test('writes one audit row of the port for a change on the device: user, address, request, old and new value', async () => {
    const { dbid, name, currentVlan } = await switches.portAt(bridge, 8);
    const reply = await set({ id: [dbid], currentVlan: '40', adminStatus: false, notes: 'moved' });
    expect(reply.code).toBe(200);
    const [recordAudit, onDevice, ...rest] = await auditsOf(Number(dbid));
    expect(rest).toEqual([]);
    expect(recordAudit).toMatchObject({ action: 'MODIFY', summary: 'notes:  → moved' });
    expect(onDevice).toMatchObject({
      action: 'EXECUTE',
      user: 'system-administrator-1',
      auditObjectName: `sw-bridge ${name}`,
      yamsEventTag: 'PORT_VLAN_SET',
      summary: `currentVlan: ${currentVlan} → 40\nadminStatus: up → down`,
      changes: [
        { field: 'currentVlan', before: currentVlan, after: '40' },
        { field: 'adminStatus', before: 'up', after: 'down' },
      ],
      sourceAddress: '127.0.0.1',
      tokenName: expect.stringMatching(/./),
      requestID: reply.headers['x-request-id'],
      method: 'POST',
      path: `/api/v2${port.path}/properties`,
    });
  });

  test('a device that only lets itself be read gives 424 with its own words, a failed change, and the VLAN it has', async () => {
    const id = await portID(readOnly, 7);
    const { currentVlan } = await admin.fetch(port, id);
    const reply = await set({ id: [id], currentVlan: '30', notes: 'not written' });
    expect(reply).toMatchObject({ code: 424, body: { status: 'remote-failed' } });
    expect(reply.body.errorMessage).toContain(`${readOnly} (SNMP port ${switches.port}) answered noAccess`);
    expect(await changesOf(id)).toMatchObject([
      { success: false, fromVlan: currentVlan, toVlan: '30', errorMessage: expect.stringContaining('noAccess') },
    ]);
    const yamsEventTag = 'PORT_VLAN_SET_FAILED';
    expect(await admin.fetch(port, id)).toMatchObject({ currentVlan, notes: '', yamsEventTag });
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual([yamsEventTag]);
    expect(reply.body.errorMessage).toMatch(/^sw-read-only \S+: The device /);
    expect(await auditsOf(id)).toMatchObject([
      { action: 'EXECUTE', changes: [], summary: expect.stringMatching(/^currentVlan: \d+ → 30 failed: .*noAccess/) },
    ]);
  });

  test('one port that cannot be changed keeps the others from nothing', async () => {
    // The last two ports are members of an aggregate; the aggregate has a VLAN, its members have none.
    const ids = [await portID(cisco, 9), await portID(cisco, 24)];
    const reply = await set({ id: ids, currentVlan: '40' });
    expect(reply).toMatchObject({ code: 424, body: { status: 'remote-failed' } });
    expect(reply.body.errorMessage).toContain('is not an access port of the device');
    expect(await changesOf(ids[0]!)).toMatchObject([{ success: true, toVlan: '40' }]);
    expect(await changesOf(ids[1]!)).toMatchObject([{ success: false, toVlan: '40' }]);
    expect(await switches.portOf(cisco, 9)).toMatchObject({ pvid: 40 });
  });

  test('a port is put down and up again, and a Cisco has one value for its VLAN', async () => {
    const id = await portID(cisco, 3);
    expect((await set({ id: [id], adminStatus: false, currentVlan: '20' })).code).toBe(200);
    expect(await switches.portOf(cisco, 3)).toMatchObject({ adminUp: false, pvid: 20 });
    expect(await admin.fetch(port, id)).toMatchObject({ status: 3, ifadminStatus: 2, currentVlan: '20' });
    expect((await set({ id: [id], adminStatus: true })).code).toBe(200);
    expect(await switches.portOf(cisco, 3)).toMatchObject({ adminUp: true });
    expect(await admin.fetch(port, id)).toMatchObject({
      ifadminStatus: 1,
      lastChangeSummary: expect.stringMatching(/^put up by/),
    });
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual([
      'PORT_ADMIN_STATUS_CHANGED',
      'PORT_ADMIN_STATUS_CHANGED',
      'PORT_VLAN_SET',
    ]);
    expect(await changesOf(id)).toHaveLength(3);
  });

  test('a state that a port has already is not written, also where writing is refused', async () => {
    const id = await portID(readOnly, 8);
    await switches.takeSets(readOnly);
    expect((await set({ id: [id], adminStatus: true })).code).toBe(200);
    expect(await switches.takeSets(readOnly)).toEqual([]);
    expect(await changesOf(id)).toEqual([]);
  });

  test('a dry run answers what would change on device and record, and sends no packet', async () => {
    const id = await portID(cisco, 7);
    const before = await admin.fetch(port, id);
    await switches.pause(cisco);
    const body = { id: [id], currentVlan: '40', adminStatus: false, notes: 'tried', newUplink: 0 };
    const reply = await admin.post(`${port.path}/properties?dryRun=true`, body);
    await switches.resume(cisco);
    expect(reply).toMatchObject({ code: 200 });
    expect(reply.body.results).toEqual([
      {
        portID: id,
        changes: [
          { field: 'currentVlan', from: before.currentVlan, to: '40', on: 'DEVICE' },
          { field: 'adminStatus', from: 'true', to: 'false', on: 'DEVICE' },
          { field: 'notes', from: '', to: 'tried', on: 'RECORD' },
        ],
        hosts: expect.any(Array),
        refused: null,
        decidedAgain: false,
        readAt: expect.stringMatching(/Z$/),
      },
    ]);
    const refused = await admin.post(`${port.path}/properties?dryRun=true`, { id: [id], currentVlan: 'no-such-vlan' });
    expect(refused.body.results).toMatchObject([{ changes: [], refused: expect.stringContaining('no-such-vlan') }]);
    const inAggregate = await portID(cisco, 24);
    const foreseen = await admin.post(`${port.path}/properties?dryRun=true`, {
      id: [id, inAggregate],
      currentVlan: '4000',
    });
    expect(foreseen.body.results!.map((portResult) => [portResult.portID, portResult.refused])).toEqual([
      [id, expect.stringContaining('had no VLAN 4000 when it was read')],
      [inAggregate, expect.stringContaining('was in no VLAN when')],
    ]);
    expect(await admin.fetch(port, id)).toEqual(before);
    expect(await changesOf(id)).toEqual([]);
  });

  describe('an Idempotency-Key', () => {
    const keyed = (key: string, body: object) =>
      admin.post(`${port.path}/properties`, body, { 'idempotency-key': key });

    test('carries a change out once, for twins at the same time and later ones', async () => {
      const id = await portID(bridge, 18);
      await switches.takeSets(bridge);
      const body = { id: [id], currentVlan: '40' };
      const replies = await Promise.all([1, 2, 3].map(() => keyed('port-twins', body)));
      expect(replies.map(({ code }) => code)).toEqual([200, 200, 200]);
      expect(await changesOf(id)).toHaveLength(1);
      expect((await set({ id: [id], currentVlan: '20' })).code).toBe(200);
      await switches.takeSets(bridge);
      expect((await keyed('port-twins', body)).code).toBe(200);
      expect(await switches.takeSets(bridge)).toEqual([]);
      expect(await keyed('port-twins', { ...body, currentVlan: '30' })).toMatchObject({
        code: 422,
        body: { status: 'rejected' },
      });
    });

    test('may be used again after a refusal', async () => {
      const id = await portID(bridge, 19);
      expect((await keyed('port-refused', { id: [id, 999_999_999], currentVlan: '40' })).code).toBe(404);
      expect((await keyed('port-refused', { id: [id], currentVlan: '40' })).code).toBe(200);
    });

    test('whose node died is never carried out again', async () => {
      const id = await portID(bridge, 20);
      const body = { id: [id], currentVlan: '40' };
      expect((await keyed('port-dead', body)).code).toBe(200);
      await testWorld.service.runtime.pool.query(
        `update idempotency_key set answer = null, claimed_until = now() - interval '1 second' where key = 'port-dead'`,
      );
      await switches.takeSets(bridge);
      const reply = await keyed('port-dead', body);
      expect(reply).toMatchObject({ code: 409, body: { status: 'duplicate' } });
      expect(reply.body.errorMessage).toContain('/device/port-changes');
      expect(await switches.takeSets(bridge)).toEqual([]);
    });
  });

  test('a device that does not answer is given up within five seconds', async () => {
    const id = await portID(cisco, 5);
    await switches.pause(cisco);
    const began = performance.now();
    const reply = await set({ id: [id], adminStatus: false });
    await switches.resume(cisco);
    expect(reply).toMatchObject({ code: 424, body: { status: 'remote-timeout' } });
    expect(performance.now() - began).toBeLessThan(promised(7_000));
    expect(await changesOf(id)).toMatchObject([{ success: false, fromVlan: null, toVlan: null }]);
  });

  test('changes ports of several devices in a background task, which reports the outcome of each', async () => {
    const ids = [await portID(bridge, 12), await portID(cisco, 12), await portID(readOnly, 12)];
    const reply = await set({ id: ids, currentVlan: '40', notes: 'moved' });
    expect(reply).toMatchObject({ code: 202 });
    const location = String(reply.headers.location).replace('/api/v2', '');
    const task = await vi.waitFor(async () => {
      const [taskRow] = (await admin.get(location)).body.results!;
      expect(taskRow).toMatchObject({ state: 'COMPLETED' });
      return taskRow!;
    }, patient);
    expect(task).toMatchObject({ progress: { done: 3, total: 3 } });
    expect(
      Object.fromEntries(
        (task.report as { item: string; outcome: string }[]).map((reportLine) => [
          reportLine.item.split(' ')[0],
          reportLine.outcome,
        ]),
      ),
    ).toEqual({
      'sw-bridge': 'CHANGED',
      'sw-cisco': 'CHANGED',
      'sw-read-only': 'FAILED',
    });
    for (const [index, id] of ids.entries()) {
      expect(await changesOf(id)).toMatchObject([{ success: index < 2, triggeredBy: 'system-administrator-1' }]);
      expect((await auditsOf(id)).filter(({ action }) => action === 'EXECUTE')).toMatchObject([
        {
          user: 'system-administrator-1',
          sourceAddress: '127.0.0.1',
          tokenName: expect.stringMatching(/./),
          requestID: reply.headers['x-request-id'],
          method: 'POST',
          path: `/api/v2${port.path}/properties`,
        },
      ]);
      expect(await admin.fetch(port, id)).toMatchObject({ notes: 'moved' });
    }
  });

  test('four who change ports of one device at once undo nothing of each other', async () => {
    const ids = await Promise.all([14, 15, 16, 17].map((number) => portID(bridge, number)));
    const replies = await Promise.all(ids.map((id) => set({ id: [id], currentVlan: '40' })));
    expect(replies.map(({ code }) => code)).toEqual([200, 200, 200, 200]);
    for (const number of [14, 15, 16, 17]) expect(await switches.portOf(bridge, number)).toMatchObject({ pvid: 40 });
  });
});
