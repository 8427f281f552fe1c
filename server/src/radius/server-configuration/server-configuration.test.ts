import { afterAll, describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { testSettings } from '../../../test/conformance/settings.ts';
import { openWorld } from '../../../test/world/open-world.ts';
import { radiusGlobal } from '../radius-global/radius-global.ts';
import { maskSecrets } from './mask-secrets.ts';
import { serverConfiguration } from './server-configuration.ts';

const path = serverConfiguration.path!;

describe('profiles', async () => {
  const world = await openWorld();
  const { admin } = world;
  afterAll(() => world.close());

  testCollection(serverConfiguration, {
    world,
    sample: (n) => ({ name: `profile ${n}`, tlsConfigID: 3 }),
    change: (n) => ({ tlsCommonFragmentSize: 1_000 + n }),
  });

  const save = async (values: object) => {
    const { code, body } = await admin.post(path, { name: 'own', tlsConfigID: 3, ...values });
    return [code, body.errorMessage];
  };

  test.each<[object, number, string]>([
    [{ enabledEapTypes: ['TLS', 'TLS'], defaultEapType: 'TLS' }, 400, 'enabledEapTypes: names TLS twice.'],
    [{ enabledEapTypes: ['TLS'] }, 400, 'defaultEapType: is PEAP, which is not among enabledEapTypes.'],
    [{ enabledEapTypes: ['PEAP'] }, 400, 'enabledEapTypes: PEAP needs MSCHAPV2, GTC or MD5 inside.'],
    [{ ocspUrl: 'https://ocsp.example.org/' }, 400, 'ocspUrl'],
    [{ ocspEnabled: true }, 400, 'ocspUrl: is required while ocspEnabled is on.'],
    [{ ocspUrl: 'http://127.0.0.1/internal' }, 422, 'ocspUrl: Connecting to 127.0.0.1 is refused'],
    [{ ocspUrl: 'http://0x7f.1/' }, 422, 'ocspUrl: Connecting to 127.0.0.1 is refused'],
    [{ ocspUrl: 'http://[::ffff:169.254.169.254]/' }, 422, 'ocspUrl: Connecting to'],
    [{ ocspUrl: 'http://:80/' }, 400, 'ocspUrl: is not a URL.'],
    [{ crlEnabled: true }, 422, 'crlEnabled: the TLS configuration has no authority in trustAliases.'],
    [{ winbindConfigurations: [{ domain: 'x' }] }, 422, 'winbindConfigurations: not supported yet, until domains'],
    [{ isDefault: true, enabled: false }, 409, 'own is the default and cannot be disabled.'],
  ])('%j is refused', async (values, code, message) => {
    expect(await save(values)).toEqual([code, expect.stringContaining(message)]);
  });

  test('the default cannot be disabled or deleted until another profile replaces it', async () => {
    const defaults = async () =>
      (await admin.get<{ dbid: number; name: string }>(`${path}?filter=isDefault==true`)).body.results!;
    const [shipped] = await defaults();
    const { dbid } = shipped!;
    expect((await admin.post(`${path}/disable`, { id: [dbid] })).code).toBe(409);
    expect((await admin.delete(`${path}/${dbid}`)).code).toBe(409);
    expect((await admin.post(`${path}/${dbid}`, { isDefault: false })).code).toBe(409);
    const otherID = await admin.create(serverConfiguration, { name: 'other', tlsConfigID: 3, isDefault: true });
    expect((await defaults()).map(({ name }) => name)).toEqual(['other']);
    expect((await admin.post(`${path}/${dbid}`, { isDefault: true })).code).toBe(200);
    expect((await admin.delete(`${path}/${otherID}`)).code).toBe(200);
  });

  test('its TLS configuration lists the profile as user and cannot be deleted', async () => {
    const { usedBy } = (await admin.get<{ usedBy: string[] }>('/settings/tls-service-configuration/3')).body
      .results![0]!;
    expect(usedBy).toContain('RADIUS: Default');
    expect((await admin.delete('/settings/tls-service-configuration/3')).body.status).toBe('in-use');
  });

  test('lists the EAP types of the engine', async () => {
    const { results } = (await admin.get(`${path}/eap-types`)).body;
    expect(results).toEqual(expect.arrayContaining(['TLS', 'TTLS', 'PEAP', 'MSCHAPV2', 'MD5', 'GTC']));
  });
});

describe('settings', () => {
  testSettings(radiusGlobal, { change: (n) => ({ nasCacheSeconds: 100 + n }) });
});

test('masks secrets in every notation', () => {
  expect(maskSecrets('  User-Password = "a \\"b" secret = x')).toBe('  User-Password = ••• secret = •••');
  expect(maskSecrets(`MS-MPPE-Recv-Key := 0x12 "CHAP-Password": 'y'`)).toBe(
    'MS-MPPE-Recv-Key := ••• "CHAP-Password": •••',
  );
  expect(maskSecrets('Ready to process requests')).toBe('Ready to process requests');
});
