import { describe, expect, test } from 'vitest';
import { collectionLaws } from '../../../test/conformance/laws.ts';
import { world } from '../../../test/world/world.ts';
import { aaaServer } from '../../integration/aaa-server/aaa-server.ts';
import { authenticationConfiguration } from './authentication-configuration.ts';

describe('Authentication configuration', async () => {
  const shared = await world();
  const { admin } = shared;
  const { path } = authenticationConfiguration;

  test('the built-in Default asks local accounts and ends authentication after 10 minutes offline', async () => {
    const { results } = (await admin.get(`${path}?filter=name==Default`)).body;
    expect(results).toMatchObject([
      {
        enableAuthentication: true,
        methods: [{ kind: 'LOCAL', id: null }],
        timeInProductionBeforeAuthentication: 0,
        timeOfflineBeforeDeauthentication: 10,
        reauthenticationInterval: 0,
      },
    ]);
  });

  test('methods: at least one, none twice, an id exactly with AAA, and only kinds that are served', async () => {
    const answers = async (methods: unknown, more = {}) =>
      (await admin.post(path!, { name: 'wrong', methods, ...more })).code;
    expect(await answers([])).toBe(400);
    expect(await answers([], { enableAuthentication: false, name: 'off' })).toBe(201);
    expect(await answers([{ kind: 'LOCAL' }, { kind: 'LOCAL', id: null }])).toBe(400);
    expect(await answers([{ kind: 'LOCAL', id: 1 }])).toBe(400);
    expect(await answers([{ kind: 'AAA' }])).toBe(400);
    expect(await answers([{ kind: 'AAA', id: 999 }])).toBe(422);
    for (const kind of ['LDAP', 'IDP']) {
      const reply = await admin.post(path!, { name: 'wrong', methods: [{ kind }] });
      expect(reply).toMatchObject({ code: 422, body: { status: 'rejected' } });
      expect(reply.body.errorMessage).toContain('not supported yet');
    }
  });

  test('an AAA server that is a method cannot be deleted, and its usage names the configuration', async () => {
    const server = await admin.create(aaaServer, {
      name: 'asked',
      netId: 'asked.example.org',
      secret: 'correct-horse',
    });
    const methods = [
      { kind: 'LOCAL', id: null },
      { kind: 'AAA', id: server },
    ];
    const id = await admin.create(authenticationConfiguration, { name: 'asks', methods });
    expect((await admin.fetch(authenticationConfiguration, id)).methods).toEqual(methods);
    expect((await admin.delete(`${aaaServer.path}/${server}`)).code).toBe(409);
    expect((await admin.get(`${aaaServer.path}/${server}/usage`)).body.results).toEqual([
      { name: 'Authentication configuration', children: ['asks'] },
    ]);
  });

  test.each(['timeOfflineBeforeDeauthentication', 'reauthenticationInterval'])(
    '%s is refused: nothing ends authentications by itself yet',
    async (field) => {
      const reply = await admin.post(path!, { name: 'daily', [field]: 720 });
      expect(reply).toMatchObject({ code: 422, body: { status: 'rejected' } });
      expect(reply.body.errorMessage).toContain(`${field}: not supported yet`);
    },
  );

  collectionLaws(authenticationConfiguration, {
    world: shared,
    sample: (n) => ({ name: `configuration-${n}`, timeInProductionBeforeAuthentication: n, note: `note ${n}` }),
  });
});
