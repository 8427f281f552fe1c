import { type Switches, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { world } from '../../testing/world.ts';
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

  const body = (more: object) => ({
    name: 'tried',
    ipAddress: address,
    snmpPort: switches.port,
    containerID: 1,
    ...more,
  });
  const create = (more: object, query = '?validate=true') => admin.post(`/device/snmp${query}`, body(more));
  const stored = async () => (await admin.get(`/device/count?filter=name==tried`)).body.filtered;

  test('is stored when it answers to what was sent, also by the second community', async () => {
    for (const how of [{ snmpProtocol: 'V2C', snmpSecurityStrings: ['wrong', 'public'] }, v3]) {
      const reply = await create(how);
      expect(reply, reply.text).toMatchObject({ code: 201 });
      const id = String(reply.headers.location).split('/').at(-1);
      expect((await admin.post(`/device/snmp/${id}?validate=true`, { note: 'by what is stored' })).code).toBe(200);
      expect((await admin.post(`/device/snmp/${id}?validate=true`, { snmpPort: 9 })).body.status).toBe(
        'remote-timeout',
      );
      expect(await admin.fetch(networkDevice, Number(id))).toMatchObject({
        note: 'by what is stored',
        snmpPort: switches.port,
      });
      await admin.delete(`/device/${id}`);
    }
  });

  test('is not stored when it is silent or refuses, which the answer tells apart, without a secret', async () => {
    const silent = await create({ snmpProtocol: 'V2C', snmpSecurityStrings: ['hush-community'] });
    expect([silent.code, silent.body.status], silent.text).toEqual([424, 'remote-timeout']);
    const refused = await create({ ...v3, snmpAuthenticationPassword: 'hush-password' });
    expect([refused.code, refused.body.status], refused.text).toEqual([424, 'remote-failed']);
    expect(refused.body.errorMessage).toContain('authentication password');
    for (const { text } of [silent, refused]) expect(text).not.toContain('hush');
    expect(await stored()).toBe(0);
  });

  test('is not asked in a dry run, nor unless somebody says so', async () => {
    const unknown = { snmpProtocol: 'V2C', snmpSecurityStrings: ['wrong'] };
    expect((await create(unknown, '?validate=true&dryRun=true')).code).toBe(200);
    expect(await stored()).toBe(0);
    expect((await create(unknown, '')).code).toBe(201);
  });

  test('is told what it lacks before anybody is asked, and 404 when it is not there', async () => {
    expect((await create({ snmpProtocol: 'V2C' })).code).toBe(400);
    expect((await admin.post('/device/snmp/99999999?validate=true', { note: 'x' })).code).toBe(404);
  });
});
