import { type Switches, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { observePorts } from '../port/observe-ports.ts';
import { port } from '../port/port.ts';
import { networkDevice } from './network-device.ts';

const address = '127.0.32.1';
const user = {
  userName: 'op',
  auth: { protocol: 'SHA256', password: 'auth-pass-123' },
  priv: { protocol: 'AES', password: 'priv-pass-456' },
} as const;
const v3 = {
  snmpProtocol: 'V3_AUTH_PRIV',
  snmpUsername: 'op',
  snmpAuthenticationProtocol: 'SHA256',
  snmpAuthenticationPassword: 'auth-pass-123',
  snmpPrivacyProtocol: 'AES',
  snmpPrivacyPassword: 'priv-pass-456',
};

describe('a device that is tried before it is stored', async () => {
  const { admin } = await world();
  let switches: Switches;
  beforeAll(async () => {
    switches = await startSwitches([{ address, users: [user] }]);
  });
  afterAll(() => switches.stop());

  const body = (overrides: object) => ({
    name: 'tried',
    ipAddress: address,
    snmpPort: switches.port,
    containerID: 1,
    ...overrides,
  });
  const create = (overrides: object, query = '?validate=true') => admin.post(`/device/snmp${query}`, body(overrides));
  const stored = async () => (await admin.get(`/device/count?filter=name==tried`)).body.filtered;

  test('is stored when it answers to what was sent, also by the second community', async () => {
    for (const how of [{ snmpProtocol: 'V2C', snmpSecurityStrings: ['wrong', 'public'] }, v3]) {
      const reply = await create(how);
      expect(reply, reply.text).toMatchObject({ code: 201 });
      const id = String(reply.headers.location).split('/').at(-1);
      expect((await admin.post(`/device/snmp/${id}?validate=true`, { note: 'by what is stored' })).code).toBe(200);
      const moved = { ...how, snmpPort: 9 };
      expect((await admin.post(`/device/snmp/${id}?validate=true`, moved)).body.status).toBe('remote-timeout');
      expect(await admin.fetch(networkDevice, Number(id))).toMatchObject({
        note: 'by what is stored',
        snmpPort: switches.port,
      });
      await admin.delete(`/device/${id}`);
    }
  });

  test('is not stored if it does not answer or rejects the credentials, which the response distinguishes, without a secret', async () => {
    const silent = await create({ snmpProtocol: 'V2C', snmpSecurityStrings: ['hush-community'] });
    expect([silent.code, silent.body.status], silent.text).toEqual([424, 'remote-timeout']);
    const refused = await create({ ...v3, snmpAuthenticationPassword: 'hush-password' });
    expect([refused.code, refused.body.status], refused.text).toEqual([424, 'remote-failed']);
    expect(refused.body.errorMessage).toContain('authentication password');
    for (const { text } of [silent, refused]) expect(text).not.toContain('hush');
    expect(await stored()).toBe(0);
  });

  test('receives no packets in a dry run, nor without the flag in the request', async () => {
    const unknown = { snmpProtocol: 'V2C', snmpSecurityStrings: ['wrong'] };
    expect((await create(unknown, '?validate=true&dryRun=true')).code).toBe(200);
    expect(await stored()).toBe(0);
    expect((await create(unknown, '')).code).toBe(201);
  });

  test('is rejected for missing data before any packet is sent, and is 404 if it does not exist', async () => {
    expect((await create({ snmpProtocol: 'V2C' })).code).toBe(400);
    expect((await admin.post('/device/snmp/99999999?validate=true', { note: 'x' })).code).toBe(404);
  });
});

describe('reading interfaces again', async () => {
  const { admin, service } = await world({ jobs: 'work' });
  let switches: Switches;
  let id: number;
  beforeAll(async () => {
    switches = await startSwitches([{ address: '127.0.32.2', sysName: 'again', ports: 8 }]);
    id = await admin.create(
      { path: '/device/snmp' },
      {
        name: 'again',
        ipAddress: '127.0.32.2',
        snmpPort: switches.port,
        containerID: 1,
        snmpProtocol: 'V2C',
        snmpSecurityStrings: ['public'],
      },
    );
  });
  afterAll(() => switches.stop());

  const resync = async (body: object) => {
    const reply = await admin.post('/device/resync-interfaces', body);
    expect(reply, reply.text).toMatchObject({ code: 202 });
    const task = async () => (await admin.get(String(reply.headers.location).replace('/api/v2', ''))).body.results![0]!;
    await expect.poll(async () => (await task()).state, { timeout: 60_000 }).toBe('COMPLETED');
    return (await task()).report;
  };
  const ports = async () => (await admin.get(`${port.path}?filter=deviceName==again;name==old-*`)).body.results!;

  test('reports the result of each device, and keeps removed ports until a purge, which deletes the unused ones', async () => {
    await expect
      .poll(() => admin.fetch(networkDevice, id), { timeout: 60_000 })
      .toMatchObject({ status: 1, portCount: 15 });
    await observePorts(
      service.runtime.pool,
      ['old-free', 'old-grouped'].map((name) => ({ deviceID: id, name, status: 1 })),
    );
    const silent = await admin.create(
      { path: '/device/snmp' },
      { name: 'silent', ipAddress: '127.0.32.3', snmpPort: 9, containerID: 1, snmpSecurityStrings: ['public'] },
    );
    await admin.post('/device/properties', { snmpTimeout: 1, snmpRetries: 0 });
    const report = await resync({ id: [id, silent] });
    expect(report).toHaveLength(2);
    expect(report).toContainEqual({ item: 'again', outcome: 'DONE', detail: '15 ports, 2 gone' });
    expect(report).toContainEqual({
      item: 'silent',
      outcome: 'FAILED',
      detail: expect.stringContaining('did not respond'),
    });
    const portsAfter = await ports();
    expect(portsAfter.map(({ status }) => status)).toEqual([4, 4]);
    const group = await admin.create({ path: '/system/group/PORT' }, { name: 'Kept' });
    const groupedPortId = portsAfter.find(({ name }) => name === 'old-grouped')!.dbid;
    expect(await admin.post('/system/group/add-members', { elemID: [groupedPortId], groupID: [group] })).toMatchObject({
      code: 200,
    });
    expect(await resync({ id: [id], purge: true })).toEqual([
      { item: 'again', outcome: 'DONE', detail: '15 ports, 1 deleted' },
    ]);
    expect((await ports()).map(({ name }) => name)).toEqual(['old-grouped']);
  });

  test('of a device that is not there is 404, and none is read', async () => {
    const reply = await admin.post('/device/resync-interfaces', { id: [id, 99_999_999] });
    expect([reply.code, reply.body.errorMessage]).toEqual([404, 'There is no Network device 99999999.']);
    expect((await admin.post('/device/resync-interfaces', { id: [id, id] })).code).toBe(400);
  });
});
