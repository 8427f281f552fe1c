import { expect, test } from 'vitest';
import { AccountingQueue } from './accounting-queue.ts';

const queueOf = (...items: readonly [deviceID: number, mac: string | null, name: string][]) => {
  const queue = new AccountingQueue<{ deviceID: number; mac: string | null; name: string }>(10);
  for (const [deviceID, mac, name] of items) queue.push({ deviceID, mac, name });
  return { take: (max = 10) => queue.take(max).map(({ name }) => name), queue };
};

test('packets of one MAC address are stored one after the other', () => {
  const { take } = queueOf([1, 'a', 'start'], [1, 'b', 'other'], [2, 'a', 'moved'], [1, 'a', 'stop']);
  expect([take(), take(), take(), take()]).toEqual([['start', 'other'], ['moved'], ['stop'], []]);
});

test('a restart of an access device is stored after its earlier packets and before its later ones', () => {
  const { take } = queueOf([1, 'a', 'stop'], [1, null, 'on'], [1, 'b', 'start'], [2, 'c', 'other']);
  expect([take(), take(), take()]).toEqual([['stop', 'other'], ['on'], ['start']]);
});

test('a batch has at most so many packets, the oldest ones', () => {
  const { take } = queueOf([1, 'a', 'first'], [1, 'b', 'second'], [1, 'c', 'third']);
  expect([take(2), take(2)]).toEqual([['first', 'second'], ['third']]);
});

test('a full queue takes nothing', () => {
  const queue = new AccountingQueue(1);
  expect(queue.push({ deviceID: 1, mac: 'a' })).toBe(true);
  expect(queue.push({ deviceID: 1, mac: 'b' })).toBe(false);
  expect(queue.length).toBe(1);
});
