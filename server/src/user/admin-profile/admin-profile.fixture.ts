import type { Fixtures } from '../../../test/world/fixtures.ts';

export const fixtures: Fixtures = {
  'admin-profile': {
    values: {
      schedule: [{ alwaysOn: false, startTimeOfDay: 480, endTimeOfDay: 1_080, daysOfWeek: 62 }],
      permissions: [{ hosts: { view: true, modify: true } }],
    },
  },
};
