import type { Fixtures } from '../../../test/world/fixtures.ts';

// Types of events come with the service.
const first = { stage: async () => 1 };

export const fixtures: Fixtures = { 'event-types': first, 'event-type': first };
