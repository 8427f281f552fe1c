import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { authenticationPolicy } from './authentication-policy.ts';

describe('Authentication policy', async () => {
  const shared = await world();
  const { admin } = shared;
  const { path } = authenticationPolicy;
  const configuration = { authenticationConfigurationID: 1 };

  test('rejects attributes that depend on authentication, and those of RADIUS', async () => {
    for (const attribute of ['radius.NAS-Port-Type', 'host.authenticated', 'user.loggedOn']) {
      const criteria = { who: { attributes: [{ conditions: [{ attribute, op: 'IS_SET' }] }] } };
      const reply = await admin.post(path!, { name: 'circular', criteria, ...configuration });
      expect(reply, attribute).toMatchObject({ code: 422, body: { status: 'rejected' } });
      expect(reply.body.errorMessage).toContain(attribute);
    }
  });

  test('shows the name of its configuration, which cannot be deleted while it is used', async () => {
    const id = await admin.create(authenticationPolicy, {
      name: 'named',
      criteria: { where: { ssids: ['named'] } },
      ...configuration,
    });
    expect(await admin.fetch(authenticationPolicy, id)).toMatchObject({ authenticationConfigurationName: 'Default' });
    expect((await admin.delete('/policy/authentication-configuration/1')).code).toBe(409);
  });

  testCollection(authenticationPolicy, {
    world: shared,
    sample: (n) => ({
      name: `policy-${n}`,
      criteria: { where: { ssids: [`net-${n}`] } },
      ...configuration,
    }),
  });
});
