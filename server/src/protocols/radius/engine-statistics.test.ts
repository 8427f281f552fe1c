import { expect, test } from 'vitest';
import { readStatistics, statisticsRequest } from './engine-statistics.ts';
import { decode, statusServer } from './packet.ts';

const vendorSpecific = 26;
const counter = (type: number, value: number): Buffer => {
  const bytes = Buffer.from([type, 6, 0, 0, 0, 0]);
  bytes.writeUInt32BE(value, 2);
  return bytes;
};
const vendor = Buffer.from([0, 0, 0x2c, 0x50]);
const replyWith = (...values: Buffer[]) =>
  decode(
    statusServer({ identifier: 1, secret: 'secret', attributes: values.map((value) => [vendorSpecific, value]) }).bytes,
  );

test('the request has FreeRADIUS-Statistics-Type with all statistics', () => {
  expect(statisticsRequest).toEqual([vendorSpecific, Buffer.concat([vendor, counter(127, 0x1f)])]);
});

test('reads the counters of FreeRADIUS, one or several in an attribute', () => {
  const reply = replyWith(
    Buffer.concat([vendor, counter(128, 1_000), counter(129, 800)]),
    Buffer.concat([vendor, counter(130, 4_294_967_295)]),
    Buffer.concat([Buffer.from([0, 0, 0, 9]), counter(131, 7)]),
  );
  expect(readStatistics(reply)).toMatchObject({ requests: 1_000, accepts: 800, rejects: 4_294_967_295, challenges: 0 });
});

test('returns nothing for a reply without statistics, and stops at a wrong length', () => {
  expect(readStatistics(replyWith())).toBeUndefined();
  expect(readStatistics(replyWith(Buffer.from([0, 0])))).toBeUndefined();
  for (const length of [0, 1, 200])
    expect(readStatistics(replyWith(Buffer.concat([vendor, Buffer.from([128, length, 0])])))).toBeUndefined();
});
