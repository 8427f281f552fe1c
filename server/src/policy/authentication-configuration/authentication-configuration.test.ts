import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { aaaServer } from '../../integration/aaa-server/aaa-server.ts';
import { authenticationConfiguration } from './authentication-configuration.ts';

describe('Authentication configuration', async () => {
  const shared = await world();
  const { admin } = shared;
  const { path } = authenticationConfiguration;

  test('has a built-in Default that uses local accounts and ends authentication after 10 minutes offline', async () => {
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

  test('rejects every list of methods but local accounts, because logins are checked against local accounts only', async () => {
    const server = { name: 'asked', netId: 'asked.example.org', secret: 'correct-horse' };
    const aaa = await admin.create(aaaServer, server);
    const local = { kind: 'LOCAL', id: null };
    for (const methods of [
      [],
      [local, local],
      [{ kind: 'AAA', id: aaa }],
      [local, { kind: 'LDAP' }],
      [{ kind: 'IDP' }],
    ]) {
      const reply = await admin.post(path!, { name: 'wrong', methods });
      expect(reply, reply.text).toMatchObject({ code: 422, body: { status: 'rejected' } });
      expect(reply.body.errorMessage).toContain('methods: not supported yet');
    }
    for (const [index, methods] of [[local], [{ kind: 'LOCAL' }]].entries()) {
      const id = await admin.create(authenticationConfiguration, { name: `local ${index}`, methods });
      expect((await admin.fetch(authenticationConfiguration, id)).methods).toEqual([local]);
    }
  });

  test.each(['timeOfflineBeforeDeauthentication', 'reauthenticationInterval'])(
    '%s is refused: nothing ends authentications by itself yet',
    async (field) => {
      const reply = await admin.post(path!, { name: 'daily', [field]: 720 });
      expect(reply).toMatchObject({ code: 422, body: { status: 'rejected' } });
      expect(reply.body.errorMessage).toContain(`${field}: not supported yet`);
    },
  );

  testCollection(authenticationConfiguration, {
    world: shared,
    sample: (n) => ({ name: `configuration-${n}`, timeInProductionBeforeAuthentication: n, note: `note ${n}` }),
  });
});
