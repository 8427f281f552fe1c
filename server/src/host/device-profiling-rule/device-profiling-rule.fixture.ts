import type { Fixtures } from '../../../test/world/fixtures.ts';

export const fixtures: Fixtures = {
  'device-profiling-rule': {
    values: {
      type: [{ tag: 'ups' }],
      weeklySchedule: [{ alwaysOn: false, startTimeOfDay: 480, endTimeOfDay: 1_080, daysOfWeek: 62 }],
      methods: [[{ methodType: { shortName: 'TCP' }, data: { ports: '515,9100', mode: 'ANY' } }]],
    },
  },
};
