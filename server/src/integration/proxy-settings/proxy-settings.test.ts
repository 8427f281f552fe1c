import { describe, expect, test } from 'vitest';
import { testSettings } from '../../../test/conformance/settings.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { proxySettings } from './proxy-settings.ts';
import { storedProxy } from './stored-proxy.ts';

describe('Proxy settings', async () => {
  const world = await startWorld();
  const { admin, service } = world;
  const path = '/settings/integration/proxy';

  test('are empty in a new installation, for direct connections', async () => {
    const { results } = (await admin.get(path)).body;
    expect(Object.entries(results![0]!)).toEqual(
      Object.entries({
        httpProxyHost: '',
        httpProxyPort: 0,
        httpProxyUser: '',
        httpProxyPasswordSet: false,
        httpNonProxyHosts: '',
        httpsProxyHost: '',
        httpsProxyPort: 0,
        httpsProxyUser: '',
        httpsProxyPasswordSet: false,
        ftpProxyHost: '',
        ftpProxyPort: 0,
        ftpProxyUser: '',
        ftpProxyPasswordSet: false,
        ftpNonProxyHosts: '',
        version: 1,
        lastModifiedBy: 'system',
        lastModifiedDate: results![0]!.lastModifiedDate,
      }),
    );
    expect(await storedProxy(service.runtime)).toEqual({ http: null, https: null, direct: '' });
  });

  testSettings(proxySettings, {
    world,
    change: (n) => ({
      httpProxyHost: `proxy-${n}.example.org`,
      httpProxyPort: 3000 + n,
      httpProxyUser: `user-${n}`,
      httpProxyPassword: `password-${n}`,
      httpNonProxyHosts: `*.inside-${n}.example.org|10.0.0.0/8|2001:db8::/32`,
    }),
  });

  test('require a port for a proxy', async () => {
    const nowhere = { httpsProxyHost: '', httpsProxyPort: 0, httpsProxyPassword: '' };
    expect((await admin.post(path, nowhere)).code).toBe(200);
    const reply = await admin.post(path, { httpsProxyHost: 'proxy.example.org' });
    expect(reply).toMatchObject({ code: 422, body: { status: 'rejected' } });
    expect(reply.body.errorMessage).toContain('httpsProxyPort');
    const there = { httpsProxyHost: 'proxy.example.org', httpsProxyPort: 3128 };
    expect((await admin.post(path, there)).code).toBe(200);
    expect((await admin.post(path, { httpsProxyPort: 0 })).code).toBe(422);
    expect((await admin.post(path, nowhere)).code).toBe(200);
  });

  test('delete the password of a proxy together with its host', async () => {
    const proxy = { httpsProxyHost: 'proxy.example.org', httpsProxyPort: 3128, httpsProxyUser: 'ann' };
    const isSet = async () => (await admin.get(path)).body.results![0]!.httpsProxyPasswordSet;
    expect((await admin.post(path, { ...proxy, httpsProxyPassword: 'geheim' })).code).toBe(200);
    expect(await isSet()).toBe(true);
    expect((await admin.post(path, { httpsProxyHost: '' })).code).toBe(200);
    expect(await isSet()).toBe(false);
    expect((await admin.post(path, { httpsProxyHost: 'other.example.org' })).code).toBe(200);
    expect((await admin.post(path, { httpsProxyHost: '', httpsProxyUser: '' })).code).toBe(200);
  });

  test.each([
    ['httpNonProxyHosts', 'a.example.org, b.example.org'],
    ['httpNonProxyHosts', 'a.example.org||b.example.org'],
    ['httpNonProxyHosts', '10.0.0.0/33'],
    ['httpNonProxyHosts', '10.0.0'],
    ['httpProxyHost', 'http://proxy.example.org'],
    ['httpProxyHost', 'proxy example'],
    ['httpsProxyUser', 'user:password'],
    ['httpsProxyUser', 'line\nbreak'],
  ])('refuse %s "%s"', async (field, value) => {
    const reply = await admin.post(path, { [field]: value });
    expect(reply).toMatchObject({ code: 400, body: { status: 'invalid' } });
    expect(reply.body.errorMessage).toContain(field);
  });

  test.each([
    ['ftpProxyHost', 'proxy.example.org', ''],
    ['ftpProxyPort', 3_128, 0],
    ['ftpProxyUser', 'ann', ''],
    ['ftpProxyPassword', 'geheim', ''],
    ['ftpNonProxyHosts', '10.0.0.0/8', ''],
  ])('refuse %s until FTP is supported, except its default', async (field, value, none) => {
    const reply = await admin.post(path, { [field]: value });
    expect(reply).toMatchObject({ code: 422, body: { status: 'rejected' } });
    expect(reply.body.errorMessage).toContain(`${field}: not supported yet`);
    expect((await admin.post(path, { [field]: none })).code).toBe(200);
  });

  test('apply to the next connection, including passwords', async () => {
    const plain = { httpProxyHost: 'a.example.org', httpProxyPort: 3128, httpProxyUser: '', httpProxyPassword: '' };
    const secure = { httpsProxyHost: 'b.example.org', httpsProxyPort: 8080, httpsProxyUser: 'ann' };
    const reply = await admin.post(path, {
      ...plain,
      ...secure,
      httpsProxyPassword: 'geheim ü',
      httpNonProxyHosts: '*.local|10.0.0.0/8',
    });
    expect(reply.code, reply.text).toBe(200);
    expect(await storedProxy(service.runtime)).toEqual({
      http: { host: 'a.example.org', port: 3128, user: '', password: '' },
      https: { host: 'b.example.org', port: 8080, user: 'ann', password: 'geheim ü' },
      direct: '*.local|10.0.0.0/8',
    });
    expect((await admin.post(path, { httpProxyHost: '' })).code).toBe(200);
    expect(await storedProxy(service.runtime)).toMatchObject({ http: null, https: { host: 'b.example.org' } });
  });
});
