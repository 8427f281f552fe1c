import { container } from '@portreeve/server/device/container/container.ts';
import { networkDevice } from '@portreeve/server/device/network-device/network-device.ts';
import { Client } from '@portreeve/server/test/world/client.ts';
import { world } from '@portreeve/server/test/world/world.ts';
import { describe, expect, test } from 'vitest';
import { candidates } from './completion.ts';
import { run } from './run.ts';
import { fakeScreen } from './testing/fake-screen.ts';

describe('portreeve admin-profile create', async () => {
  const { admin, service } = await world();
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  const portreeve = async (...argv: string[]) => {
    const screen = { ...fakeScreen(), env: { PORTREEVE_URL: url, PORTREEVE_TOKEN: admin.token } };
    await run(argv, screen);
    return { out: screen.out.written, err: screen.err.written };
  };
  const signIn = (userID: string, password: string) =>
    new Client(service.app, '').post('/auth/login', { userID, password });

  test('creates a profile that shows one building and no others', async () => {
    const [library, floor, gym] = [
      await admin.create(container, { name: 'Library' }),
      await admin.create(container, { name: 'Library floor 1', parent: 'Library' }),
      await admin.create(container, { name: 'Gym' }),
    ];
    const device = (name: string, containerID: number, ipAddress: string) =>
      admin.create({ path: `${networkDevice.path}/pingable` }, { name, containerID, ipAddress, deviceType: 'ups' });
    const [inside, outside] = [
      await device('printer-library', floor!, '198.18.7.1'),
      await device('printer-gym', gym!, '198.18.7.2'),
    ];
    const result = await portreeve(
      'admin-profile',
      'create',
      '--like',
      'Auditor',
      '--containers',
      'Library',
      'Library, read only',
    );
    expect(result.out).toMatch(/^Created admin-profile \d+\. Permissions: devices \(view\), radius \(view\)\.\n$/);
    expect(result.err).toContain('hosts');
    const account = await portreeve('account', 'create', 'junior', '--profile', 'Library, read only', '--generate');
    const oneTime = account.out.trim();
    const first = await signIn('junior', oneTime);
    const change = { currentPassword: oneTime, newPassword: 'a-password-of-my-own' };
    await new Client(service.app, String(first.body.results![0]!.sessionKey)).post('/auth/password', change);
    const { body } = await signIn('junior', 'a-password-of-my-own');
    const junior = new Client(service.app, String(body.results![0]!.sessionKey));
    const namesAt = async (path: string) =>
      (await junior.get<{ name: string }>(path)).body.results!.map(({ name }) => name).sort();
    expect(await namesAt(container.path!)).toEqual(['Library', 'Library floor 1']);
    expect(await namesAt(networkDevice.path!)).toEqual(['printer-library']);
    expect((await junior.get(`${container.path}/${library}`)).code).toBe(200);
    expect((await junior.get(`${container.path}/${gym}`)).code).toBe(404);
    expect((await junior.get(`${networkDevice.path}/${inside}`)).code).toBe(200);
    expect((await junior.get(`${networkDevice.path}/${outside}`)).code).toBe(404);
    expect((await junior.post(container.path!, { id: floor, notes: 'x' })).code).toBe(403);
    for (const path of ['/host', '/logging/audit', '/auth/admins']) expect((await junior.get(path)).code).toBe(403);
  });

  test('refuses to copy a profile with all rights, or rights that it does not grant', async () => {
    const create = (...extraArguments: string[]) => portreeve('admin-profile', 'create', 'copy', ...extraArguments);
    await expect(create('--like', 'System Administrator')).rejects.toThrow('all permissions');
    await expect(create('--like', 'Guest Sponsor', '--containers', 'Network')).rejects.toThrow(
      'does not grant devices',
    );
    await expect(create('--like', 'Auditor', '--containers', 'Nowhere')).rejects.toThrow('no container "Nowhere"');
    await expect(create('--like', 'Auditor', '--containers', 'Network', '--with', 'debug')).rejects.toThrow('debug');
    const wider = await create('--like', 'Auditor', '--containers', 'Network', '--with', 'hosts', '--dry-run');
    expect(wider.out).toContain('devices (view), radius (view), hosts (view)');
  });

  test('is completed like any command, and without its options is the API operation', async () => {
    expect(candidates(['admin-profile', 'create', '--like']).map(({ word }) => word)).toEqual(['--like']);
    const plain = await portreeve('admin-profile', 'create', '--set', 'name=Plain');
    expect(plain.out).toMatch(/^Created admin-profile \d+ ".*"\.\n$/);
  });
});
