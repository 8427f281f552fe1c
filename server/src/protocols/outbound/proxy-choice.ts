import { BlockList, isIP } from 'node:net';

/** A web proxy and the service's account on it. */
export interface WebProxy {
  host: string;
  port: number;
  /** Empty if the proxy requires no account. */
  user: string;
  password: string;
}

/** The proxies, and the targets that are connected to directly. */
export interface ProxyChoice {
  http: WebProxy | null;
  https: WebProxy | null;
  /** Names with `*`, addresses and CIDRs, with `|` between them. */
  direct: string;
}

/** The target of a request. */
export interface ProxyTarget {
  scheme: 'http' | 'https';
  /** As in the URL; an IPv6 address without brackets. */
  host: string;
  /** The address that the outbound guard has resolved. */
  address: string;
}

const namePattern = /^[a-z0-9_.*-]{1,255}$/i;
const nothingButNumbers = /^[\d.]+$/;
const loopback = [networkOf('127.0.0.0/8')!, networkOf('::1/128')!];

/** Returns the proxy for a connection; null for a direct one. */
export function proxyFor(choice: ProxyChoice, target: ProxyTarget): WebProxy | null {
  const proxy = choice[target.scheme];
  if (!proxy || isLoopback(target) || isListed(choice.direct, target)) return null;
  return proxy;
}

/** Returns the error in a non-proxy list as a sentence; null if it is valid. */
export function faultInNonProxyHosts(list: string): string | null {
  const wrong = entriesOf(list).find((entry) => !isEntry(entry));
  if (wrong === undefined) return null;
  return `"${wrong}" is neither a name (with * as wildcard), an address nor a CIDR; separate entries with |.`;
}

const entriesOf = (list: string): string[] => (list === '' ? [] : list.split('|'));

const isEntry = (entry: string): boolean =>
  networkOf(entry) !== null || (namePattern.test(entry) && !nothingButNumbers.test(entry));

/**
 * Checks the name or address as written (RFC 6761 section 6.3): another name that resolves to loopback may be meant for
 * the proxy.
 */
function isLoopback({ host, address }: ProxyTarget): boolean {
  if (isIP(host) !== 0) return loopback.some((network) => network.holds(address));
  const name = plainName(host);
  return name === 'localhost' || name.endsWith('.localhost');
}

function isListed(list: string, { host, address }: ProxyTarget): boolean {
  const name = plainName(host);
  return entriesOf(list).some((entry) => networkOf(entry)?.holds(address) ?? fits(plainName(entry), name));
}

/** Host names are case-insensitive; a final dot only marks them as complete. */
const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** Tests a name against a pattern in which `*` matches any text; linear in time for every pattern. */
function fits(pattern: string, name: string): boolean {
  const [first = '', ...laterPieces] = pattern.split('*');
  const last = laterPieces.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let position = first.length;
  for (const piece of laterPieces) {
    const match = name.indexOf(piece, position);
    if (match < 0) return false;
    position = match + piece.length;
  }
  return name.length - last.length >= position && name.endsWith(last);
}

/** Returns the network of a CIDR or a single address; null for other text. */
function networkOf(entry: string): { holds(address: string): boolean } | null {
  const [address = '', prefix, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return null;
  const bitsMax = family === 4 ? 32 : 128;
  const bits = prefix === undefined ? bitsMax : Number(prefix);
  if (prefix !== undefined && (!/^\d{1,3}$/.test(prefix) || bits > bitsMax)) return null;
  const name = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, bits, name);
  // A BlockList would match an IPv4 address with ::/0, through its mapped form.
  return { holds: (candidate) => isIP(candidate) === family && list.check(candidate, name) };
}
