import { lookup as systemLookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { rejected } from '../../kernel/failure.ts';

/** Networks of the deployment file, as CIDRs or single addresses. */
export interface OutboundPolicy {
  /** Networks that may be connected to although they are loopback, link-local or the cell's own. */
  allow: readonly string[];
  /** The cell's own database and API addresses. */
  refuse: readonly string[];
}

export interface OutboundGuard {
  /**
   * Resolves a host name or address once and returns the address to connect to; throws with the reason if none is
   * allowed.
   */
  resolve(host: string): Promise<OutboundAddress>;
}

export interface OutboundAddress {
  address: string;
  family: 4 | 6;
}

export type Lookup = (host: string) => Promise<readonly { address: string; family: number }[]>;

const resolveMsMax = 5_000;
const hostLengthMax = 255;

interface Forbidden {
  why: string;
  entries: readonly string[];
  networks: Networks;
}

const kind = (why: string, entries: readonly string[]): Forbidden => ({ why, entries, networks: networksOf(entries) });

/** Networks without a single host behind an address; no setting permits probes of these. */
export const neverProbed: readonly Forbidden[] = [
  // Linux connects 0.0.0.0 and :: to itself; RFC 1122 section 3.2.1.3 keeps all of 0/8 from being a destination.
  kind('an unspecified address', ['0.0.0.0/8', '::/128']),
  kind('a multicast address', ['224.0.0.0/4', 'ff00::/8']),
  kind('a broadcast address', ['255.255.255.255/32']),
];

const forbidden: readonly Forbidden[] = [
  ...neverProbed,
  kind('a loopback address', ['127.0.0.0/8', '::1/128']),
  kind('a link-local address', ['169.254.0.0/16', 'fe80::/10']),
  // Metadata services of Amazon (IPv6), Alibaba and Oracle; those of most other clouds are link-local.
  kind('the metadata address of a cloud', ['fd00:ec2::254/128', '100.100.100.200/32', '192.0.0.192/32']),
  // RFC 8215: the position of the IPv4 address depends on the operator's prefix length, so it cannot be checked.
  kind('a local translation address', ['64:ff9b:1::/48']),
];

/** Returns why an address may not be connected to; null if it may. */
export type AddressFault = (target: OutboundAddress) => string | null;

export function addressFault(policy: OutboundPolicy): AddressFault {
  const allowed = networksOf(policy.allow);
  const refusedNetworks = networksOf(policy.refuse);
  return function objection(target): string | null {
    if (holds(allowed, target)) return null;
    if (holds(refusedNetworks, target)) return 'an address of this service itself';
    const forbiddenKind = forbidden.find(({ networks }) => holds(networks, target));
    if (forbiddenKind) return forbiddenKind.why;
    for (const address of embeddedAddressesOf(target)) {
      const why = objection({ address, family: 4 });
      if (why !== null) return `${why} (${address}) in IPv6 form`;
    }
    return null;
  };
}

/**
 * Prevents that requests through this service reach the service itself or its neighbours: every outgoing connection is
 * checked first.
 */
export function outboundGuard(policy: OutboundPolicy, lookup: Lookup = lookupAll): OutboundGuard {
  const objection = addressFault(policy);
  const refusal = (shown: string, why: string) =>
    rejected(`Connecting to ${shown} is refused: it is ${why}. The deployment file can permit it in outbound.allow.`);
  return { resolve: (host) => resolveBy(host, lookup, objection, refusal) };
}

/** A guard for addresses in the deployment file itself, which permits them as `outbound.allow` does. */
export const namedByOperator = (lookup: Lookup = lookupAll): OutboundGuard => ({
  resolve: (host) => resolveBy(host, lookup, () => null, noRefusal),
});

const noRefusal = (shown: string): Error => new Error(`${shown} was refused without a reason`);

/** Returns the first allowed address of a host; throws with the reason for the first one if none is allowed. */
export async function resolveBy(
  host: string,
  lookup: Lookup,
  objection: AddressFault,
  refusal: (shown: string, why: string) => Error,
): Promise<OutboundAddress> {
  const candidates = await candidatesOf(host, lookup);
  const permitted = candidates.find((candidate) => objection(candidate) === null);
  if (permitted) return permitted;
  const [first] = candidates;
  if (!first) throw rejected(`The host name ${host} has no address.`);
  throw refusal(first.address === host ? host : `${host} (${first.address})`, objection(first)!);
}

// Async, because Node throws instead of rejecting the promise for a name with a NUL byte.
export const lookupAll: Lookup = async (host) => systemLookup(host, { all: true });

async function candidatesOf(host: string, lookup: Lookup): Promise<OutboundAddress[]> {
  if (isIP(host) !== 0) return [plain(host)];
  if (host === '' || host.length > hostLengthMax) throw rejected('A host name must have 1 to 255 characters.');
  let timer: NodeJS.Timeout | undefined;
  // The system's resolver cannot be cancelled: a late result is dropped.
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(rejected(`The host name ${host} was not resolved within ${resolveMsMax / 1000} seconds.`)),
      resolveMsMax,
    );
  });
  const answer = lookup(host).catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    throw rejected(`The host name ${host} cannot be resolved (${code}).`);
  });
  try {
    const resolved = await Promise.race([answer, late]);
    return resolved.filter(({ address }) => isIP(address) !== 0).map(({ address }) => plain(address));
  } finally {
    clearTimeout(timer);
  }
}

// An IPv4-mapped address is sent as IPv4 (RFC 4291 section 2.5.5.2), so it is checked and returned as IPv4.
export function plain(address: string): OutboundAddress {
  if (isIP(address) === 4) return { address, family: 4 };
  const bytes = bytesOf(address);
  return isMapped(bytes) ? { address: dotted(bytes, 12), family: 4 } : { address, family: 6 };
}

function isMapped(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);
}

/** Returns the IPv4 addresses that a translator or tunnel would send to for this IPv6 address. */
export const embeddedAddressesOf = ({ address, family }: OutboundAddress): string[] =>
  family === 4 ? [] : embeddedAddresses(bytesOf(address));

function embeddedAddresses(bytes: Uint8Array): string[] {
  const zeros = [0, 0, 0, 0, 0, 0, 0, 0];
  // :: and ::1 are addresses of their own (RFC 4291 sections 2.5.2 and 2.5.3).
  if (startsWith(bytes, [...zeros, 0, 0, 0, 0, 0, 0, 0]) && bytes[15]! <= 1) return [];
  // IPv4-compatible (RFC 4291 section 2.5.5.1), IPv4-translated (RFC 2765 section 2.1), NAT64 (RFC 6052 section 2.1)
  if (startsWith(bytes, [...zeros, 0, 0, 0, 0])) return [dotted(bytes, 12)];
  if (startsWith(bytes, [...zeros, 0xff, 0xff, 0, 0])) return [dotted(bytes, 12)];
  if (startsWith(bytes, [0, 0x64, 0xff, 0x9b, ...zeros])) return [dotted(bytes, 12)];
  // 6to4 (RFC 3056 section 2)
  if (startsWith(bytes, [0x20, 0x02])) return [dotted(bytes, 2)];
  // Teredo: the server, and the client with every bit inverted (RFC 4380 section 4)
  if (startsWith(bytes, [0x20, 0x01, 0, 0])) {
    return [
      dotted(bytes, 4),
      dotted(
        bytes.map((byte) => byte ^ 0xff),
        12,
      ),
    ];
  }
  return [];
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}

function dotted(bytes: Uint8Array, offset: number): string {
  return bytes.subarray(offset, offset + 4).join('.');
}

/** Returns the 16 bytes of a valid IPv6 address. */
function bytesOf(address: string): Uint8Array {
  const [bare = ''] = address.split('%');
  const hexed = bare.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a, b, c, d] = parts.slice(0, 4).map(Number);
    return `${((a! << 8) | b!).toString(16)}:${((c! << 8) | d!).toString(16)}`;
  });
  const [head = '', tail] = hexed.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return Uint8Array.from(
    groups.map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 0xff]),
  );
}

interface Networks {
  ipv4: BlockList;
  ipv6: BlockList;
}

// One BlockList per family: it compares IPv4 addresses with IPv6 rules in mapped form, so ::/0 would also contain all
// of IPv4.
export function networksOf(entries: readonly string[]): Networks {
  const networks = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of entries) {
    const [address = '', prefix, ...rest] = entry.split('/');
    const family = isIP(address);
    const bitsMax = family === 4 ? 32 : 128;
    const bits = prefix === undefined ? bitsMax : Number(prefix);
    const isPrefix = prefix === undefined || /^\d{1,3}$/.test(prefix);
    if (family === 0 || address.includes('%') || rest.length > 0 || !isPrefix || bits > bitsMax) {
      throw new Error(`outbound: "${entry}" is neither an address nor a CIDR`);
    }
    const target = plain(address);
    if (family === 6 && target.family === 4 && bits >= 96) networks.ipv4.addSubnet(target.address, bits - 96, 'ipv4');
    else networks[family === 4 ? 'ipv4' : 'ipv6'].addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return networks;
}

export function holds(networks: Networks, { address, family }: OutboundAddress): boolean {
  return family === 4 ? networks.ipv4.check(address, 'ipv4') : networks.ipv6.check(address, 'ipv6');
}
