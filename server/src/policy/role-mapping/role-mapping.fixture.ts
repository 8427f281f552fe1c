import type { Fixtures } from '../../../test/world/fixtures.ts';

export const fixtures: Fixtures = { 'role-mapping': { made: ['roleID'] } };
