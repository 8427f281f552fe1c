import type { Fixtures } from '../../../test/world/fixtures.ts';

export const fixtures: Fixtures = { 'discovery-run': { parameters: { status: () => '?containerID=1' } } };
