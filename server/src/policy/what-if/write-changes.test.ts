import { expect, test } from 'vitest';
import type { ChangedConnection } from './compare-connections.ts';
import { plainPage, slicesOf } from './write-changes.ts';

const changed = Array.from({ length: 2_500 }, (_, adapterID) => ({ adapterID }) as ChangedConnection);

test.each([
  [0, 0],
  [0, 1_000],
  [999, 2],
  [1_000, 1_000],
  [1_500, 1_000],
  [2_400, 500],
  [2_500, 10],
  [9_000, 10],
])('the page from %i with %i rows reads no slice before or after it', async (start, count) => {
  const readAdapterIDs: number[] = [];
  const slices = function* (first: number) {
    for (const slice of slicesOf(changed)(first)) {
      readAdapterIDs.push(slice[0]!.adapterID);
      yield slice;
    }
  };
  const page = await plainPage(slices, start, count);
  expect(page).toEqual(changed.slice(start, start + count));
  expect(readAdapterIDs.every((adapterID) => adapterID > start - 1_000 && adapterID <= start + count)).toBe(true);
});
