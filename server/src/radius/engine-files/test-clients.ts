/**
 * Tests of logins come from addresses of loopback that no access device may have (127.128.0.0/9), each of which is the client of one
 * profile: so a test goes the way of a real packet, and nobody else can send one.
 */
export const testNetwork = '127.128.0.0/9';

const idsMax = 2 ** 23;

/** Where tests of a profile come from; undefined: its number is too high. */
export function testAddress(profileID: number): string | undefined {
  if (profileID >= idsMax) return undefined;
  return ['127', 128 + (profileID >> 16), (profileID >> 8) & 255, profileID & 255].join('.');
}

export const isTestAddress = (address: string): boolean => /^127\.(12[89]|1[3-9]\d|2\d\d)\./.test(address);
