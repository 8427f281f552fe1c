import { expect, test } from 'vitest';
import { causeFaults } from './faults.ts';

test('a read-only database, one without free sessions, a killed one and a promotion lose no write and are answered with 503', async () => {
  const report = await causeFaults({
    lockSeconds: 1,
    freezeSeconds: 1,
    only: ['read-only', 'too many connections', 'PostgreSQL killed', 'standby promoted'],
  });
  expect(report.faults).toEqual([]);
  expect(report.rows).toHaveLength(4);
  for (const { acknowledged } of report.rows) expect(acknowledged).toBeGreaterThan(0);
});
