import { describe } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { accessConfiguration } from '../access-configuration/access-configuration.ts';
import { accessPolicy } from './access-policy.ts';

describe('Access policy', async () => {
  const shared = await world();
  const { admin } = shared;
  const accessConfigurationID = await admin.create(accessConfiguration, {
    name: 'VLAN 30',
    type: 'DIRECT',
    directConfiguration: { accessType: 'VLAN_ID', accessValue: '30' },
  });

  testCollection(accessPolicy, {
    world: shared,
    sample: (n) => ({ name: `policy-${n}`, criteria: { where: { ssids: [`net-${n}`] } }, accessConfigurationID }),
  });
});
