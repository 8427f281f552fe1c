import { expect, test } from 'vitest';
import { world } from '../../test/world/world.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import { setCellTimeZone } from './cell-time-zone.ts';

test('the time zone of the cell changes weekly schedules and raises the policy generation, and must exist', async () => {
  const { service } = await world();
  const { runtime } = service;
  const set = (name: string) => runtime.transact(systemOrigin('test'), (tx) => setCellTimeZone(tx, name));
  const state = () =>
    runtime.transact(systemOrigin('test'), async (tx) => {
      const schedule = { alwaysOn: false, daysOfWeek: 127, startTimeOfDay: 480, endTimeOfDay: 540 };
      const { rows } = await tx.client.query<{ holds: boolean; generation: number }>(
        `select weekly_schedule_holds($1, '2027-07-01T06:30Z') as holds, g.generation from policy_generation g`,
        [schedule],
      );
      return rows[0]!;
    });
  const before = await state();
  expect(before.holds).toBe(false);
  try {
    expect(await set('Europe/Berlin')).toBe('UTC');
    const after = await state();
    expect(after.holds).toBe(true);
    expect(Number(after.generation)).toBe(Number(before.generation) + 1);
    expect(await set('Europe/Berlin')).toBe('Europe/Berlin');
    expect((await state()).generation).toBe(after.generation);
    await expect(set('Europe/Atlantis')).rejects.toThrow('no time zone "Europe/Atlantis"');
  } finally {
    await set('UTC');
  }
});
