import { expect, test } from 'vitest';
import { migratedDatabase } from '../world/databases.ts';
import { compareSchedules } from './schedules.ts';

test.each([
  ['Europe/Berlin', '2027-03-27T00:00Z', '2027-03-29T12:00Z'],
  ['Australia/Lord_Howe', '2027-04-03T00:00Z', '2027-04-05T00:00Z'],
])(
  'engine, slow engine and SQL agree on every minute around a change of the clock in %s',
  async (zone, start, end) => {
    const database = await migratedDatabase();
    try {
      for await (const { differences, changes } of compareSchedules(database.serviceUrl, {
        zones: [zone],
        from: start,
        to: end,
      })) {
        expect(differences).toEqual([]);
        expect(changes).toBe(1);
      }
    } finally {
      await database.drop();
    }
  },
  60_000,
);
