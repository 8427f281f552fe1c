import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RadiusAnswers } from '../../../test/decide/radius-answers.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { observePorts } from '../../device/port/port.service.ts';
import { passwordOwnerAttribute } from './proof.ts';

const mac = '00:1D:09:00:07:01';
const place = { 'NAS-Port-Id': 'Gi1', 'User-Name': 'anonymous' };

describe('a login that the engine has accepted', async () => {
  const world = await startWorld();
  const answers = new RadiusAnswers(world.service);
  const device = { id: 0, name: 'switch-1' };
  const byPassword = (name: string) => ({
    ...place,
    'EAP-Type': 'TTLS',
    'Portreeve-Inner-Method': 'PAP',
    'Stripped-User-Name': name,
    [passwordOwnerAttribute]: name,
  });

  beforeAll(async () => {
    const fields = { ipAddress: '127.0.0.9', containerID: 1, radiusEnabled: true, radiusSecret: 'secret-of-nas' };
    device.id = await world.admin.create({ path: '/device/snmp' }, { name: device.name, ...fields });
    await observePorts(world.service.runtime.pool, [{ deviceID: device.id, name: 'Gi1', status: 1 }]);
    await world.service.policies.latest();
  });

  afterAll(() => answers.close());

  test('is rejected if the account of its password has been deleted meanwhile', async () => {
    const id = await world.admin.create(
      { path: '/auth/users' },
      { userID: 'alice', networkPassword: 'violet-harbour' },
    );
    expect((await answers.login(device, mac, byPassword('alice'))).code).toBe('Access-Accept');
    expect((await world.admin.delete(`/auth/users/${id}`)).code).toBe(200);
    expect((await answers.login(device, mac, byPassword('alice'))).code).toBe('Access-Reject');
  });

  test('needs no account if a certificate proved the name', async () => {
    const byCertificate = {
      ...place,
      'EAP-Type': 'TLS',
      'TLS-Client-Cert-Common-Name': 'pump-7',
      'TLS-Client-Cert-Subject': '/CN=pump-7',
    };
    expect((await answers.login(device, mac, byCertificate)).code).toBe('Access-Accept');
  });
});
