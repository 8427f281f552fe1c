import type { Fixtures } from '../../../test/world/fixtures.ts';

export const fixtures: Fixtures = { 'access-policy': { made: ['accessConfigurationID'] } };
