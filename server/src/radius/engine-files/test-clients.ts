/**
 * Network from which the node sends tests of logins. Each address in it is the client of one profile, so that a test is handled like a real
 * packet. No access device may have such an address, and only the node itself can send from loopback.
 */
export const testNetwork = '127.128.0.0/9';

const idsMax = 2 ** 23;

/** Returns the source address for tests of a profile; undefined if its id is too high. */
export function testAddress(profileID: number): string | undefined {
  if (profileID >= idsMax) return undefined;
  return ['127', 128 + (profileID >> 16), (profileID >> 8) & 255, profileID & 255].join('.');
}

export const isTestAddress = (address: string): boolean => /^127\.(12[89]|1[3-9]\d|2\d\d)\./.test(address);
