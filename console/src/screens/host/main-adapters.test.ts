import { expect, test } from 'vitest';
import { mainAdapters } from './main-adapters.ts';

test('mainAdapters prefers a connected adapter, then the one observed last', () => {
  const adapter = (id: number, hostID: number, connected: boolean, lastSeen: string | null) => ({
    id,
    hostID,
    connected,
    lastSeen,
  });
  const main = mainAdapters([
    adapter(1, 7, false, '2026-11-18T12:00:00.000Z'),
    adapter(2, 7, true, '2026-11-17T12:00:00.000Z'),
    adapter(3, 8, false, null),
    adapter(4, 8, false, '2026-11-16T12:00:00.000Z'),
    adapter(5, 8, false, '2026-11-15T12:00:00.000Z'),
  ]);
  expect([...main].map(([host, { id }]) => [host, id])).toEqual([
    [7, 2],
    [8, 4],
  ]);
});
