import { expect, test } from 'vitest';
import { causeOutages, outages } from './radius-outage.ts';

test('no login is rejected or gets a wrong VLAN while nodes, engines or PostgreSQL die or hang', async () => {
  const { rows, faults } = await causeOutages({ perSecond: 50, seconds: 2 });
  expect(faults).toEqual([]);
  expect(rows.map(({ fault }) => fault)).toEqual(outages.map(({ name }) => name));
  for (const row of rows) {
    expect(row).toMatchObject({ wrong: 0, rejected: 0 });
    expect(row.right, row.fault).toBeGreaterThan(0);
  }
  const silentIn = (name: string) => rows.find(({ fault }) => fault === name)!.silent;
  // The engine of a dead node sends to the other node; with two servers a roll-out or the death of one of them fails no
  // login.
  expect(['none', 'a node killed', 'an engine killed', 'a roll-out'].map(silentIn)).toEqual([0, 0, 0, 0]);
  for (const name of ['both nodes killed', 'PostgreSQL killed', 'PostgreSQL frozen'])
    expect(silentIn(name), name).toBeGreaterThan(0);
});
