import type { Fixtures } from '../../../test/world/fixtures.ts';

const secrets = { secret: 'a-long-shared-secret', checkPassword: 'probe-password' };

export const fixtures: Fixtures = {
  'aaa-server': { needs: { netId: secrets, authPort: secrets, acctPort: secrets, checkUser: secrets } },
};
