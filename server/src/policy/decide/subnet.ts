/** An address as a number. `bits` distinguishes IPv4 from IPv6. */
interface Address {
  bits: 32 | 128;
  number: bigint;
}

function readIpv4(text: string): bigint | undefined {
  const bytes = text.split('.');
  if (bytes.length !== 4 || bytes.some((byte) => !/^\d{1,3}$/.test(byte) || Number(byte) > 255)) return undefined;
  return BigInt(bytes.reduce((number, byte) => number * 256 + Number(byte), 0));
}

function readIpv6(text: string): bigint | undefined {
  // The last two groups can be written as an IPv4 address.
  const dotted = /^(.*:)([^:]*\..*)$/.exec(text);
  const low = dotted ? readIpv4(dotted[2]!) : 0n;
  if (low === undefined) return undefined;
  const plain = dotted ? `${dotted[1]}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}` : text;
  const halves = plain.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array<string>(missing).fill('0'), ...(tail ?? [])];
  if (groups.some((group) => !/^[\da-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((number, group) => (number << 16n) | BigInt(`0x${group}`), 0n);
}

function readAddress(text: string): Address | undefined {
  const isIpv6 = text.includes(':');
  const number = isIpv6 ? readIpv6(text) : readIpv4(text);
  return number === undefined ? undefined : { bits: isIpv6 ? 128 : 32, number };
}

/** The last parsed address: one address is compared with many networks consecutively. */
let lastText = '';
let lastAddress: Address | undefined;

function cachedAddress(text: string): Address | undefined {
  if (text !== lastText) {
    lastAddress = readAddress(text);
    lastText = text;
  }
  return lastAddress;
}

/** Returns a test for addresses in a network such as `10.20.0.0/16`, or a single address. An invalid network contains no address. */
export function compileSubnet(network: string): (address: string) => boolean {
  const [text = '', prefix, ...rest] = network.split('/');
  const base = readAddress(text);
  if (!base || rest.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return () => false;
  const length = prefix === undefined ? base.bits : Number(prefix);
  if (length > base.bits) return () => false;
  const shift = BigInt(base.bits - length);
  const networkPrefix = base.number >> shift;
  return (address) => {
    const parsedAddress = cachedAddress(address);
    return (
      parsedAddress !== undefined && parsedAddress.bits === base.bits && parsedAddress.number >> shift === networkPrefix
    );
  };
}
