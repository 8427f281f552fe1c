import type { Packet } from './packet.ts';

/** Statistics of FreeRADIUS are vendor-specific attributes (RFC 2865 section 5.26) of a reply to Status-Server. */
const vendorSpecific = 26;
const freeRadiusVendor = 11_344;
const headerLength = 4;
const statisticsType = 127;
/** Authentication, accounting, both kinds of proxying, and internal values such as the lengths of the queues. */
const allStatistics = 0x1f;

/** Types of the attributes in `dictionary.freeradius`. */
const types = {
  requests: 128,
  accepts: 129,
  rejects: 130,
  challenges: 131,
  duplicates: 133,
  malformed: 134,
  invalid: 135,
  dropped: 136,
  conflicts: 191,
  queueLenAuth: 164,
  ppsIn: 181,
  startSeconds: 176,
  hupSeconds: 177,
} as const;

/** Counters of an engine since its start, its queue of authentication requests, and its times in seconds since 1970. */
export type EngineStatistics = Record<keyof typeof types, number>;

/** The attribute that requests all statistics. */
export const statisticsRequest: readonly [number, Buffer] = [
  vendorSpecific,
  encodeInteger(statisticsType, allStatistics),
];

function encodeInteger(type: number, value: number): Buffer {
  const bytes = Buffer.alloc(10);
  bytes.writeUInt32BE(freeRadiusVendor, 0);
  bytes.writeUInt8(type, 4);
  bytes.writeUInt8(6, 5);
  bytes.writeUInt32BE(value, 6);
  return bytes;
}

/** Reads the statistics of a reply; undefined if it has none. A missing counter is 0. */
export function readStatistics({ attributes }: Packet): EngineStatistics | undefined {
  const values = new Map<number, number>();
  for (const { type, value } of attributes) {
    if (type !== vendorSpecific || value.length < headerLength || value.readUInt32BE(0) !== freeRadiusVendor) continue;
    readIntegers(value.subarray(headerLength), values);
  }
  if (!values.has(types.requests)) return undefined;
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, values.get(type) ?? 0]),
  ) as EngineStatistics;
}

/** Reads the integers of one attribute, which may contain several; stops at a length that does not fit. */
function readIntegers(bytes: Buffer, values: Map<number, number>): void {
  for (let offset = 0; offset + 2 <= bytes.length; ) {
    const length = bytes.readUInt8(offset + 1);
    if (length < 2 || offset + length > bytes.length) return;
    if (length === 6) values.set(bytes.readUInt8(offset), bytes.readUInt32BE(offset + 2));
    offset += length;
  }
}
