import { rejected } from '../../kernel/failure.ts';
import { addressNumber, addressOf, bitsOf, readNetwork } from '../../kernel/values/address.ts';
import {
  addressFault,
  embeddedAddressesOf,
  holds,
  type Lookup,
  lookupAll,
  networksOf,
  neverProbed,
  type OutboundAddress,
  type OutboundGuard,
  type OutboundPolicy,
  plain,
  resolveBy,
} from './outbound.ts';

export interface ProbePolicy extends OutboundPolicy {
  /** Networks that may be probed; if empty, all addresses that an administrator has entered. */
  networks: readonly string[];
}

/**
 * Limits the addresses for SNMP, ping, SSH, scans and RADIUS tests: before each packet as a guard, and before a run is
 * started.
 */
export interface ProbeGuard extends OutboundGuard {
  /** Throws with the reason if an address may not be probed. */
  refuse(address: string): void;
  /** The same for all addresses of a range. */
  refuseRange(first: string, last: string): void;
}

/** Throws if no single device can have the address, whatever the deployment file permits. */
export function refuseUnusable(address: string): void {
  const never = neverProbed.find(({ networks }) => holds(networks, plain(address)));
  if (never) throw rejected(`ipAddress: ${address} is ${never.why}, which no device has.`, '/ipAddress');
}

/**
 * Networks in the deployment file may include loopback and link-local ones; multicast, broadcast and unspecified
 * addresses are always refused.
 */
export function probeGuard(policy: ProbePolicy, lookup: Lookup = lookupAll): ProbeGuard {
  const probeNetworks = networksOf(policy.networks);
  const [allowed, refusedNetworks] = [networksOf(policy.allow), networksOf(policy.refuse)];
  const isNamed = policy.networks.length > 0;
  const outside = `outside the networks that this deployment may probe (${policy.networks.join(', ')})`;
  const ordinary = addressFault(policy);

  function objection(target: OutboundAddress): string | null {
    const never = neverProbed.find(({ networks }) => holds(networks, target));
    if (never) return never.why;
    if (!isNamed) return ordinary(target);
    if (!holds(probeNetworks, target)) return outside;
    if (holds(refusedNetworks, target) && !holds(allowed, target)) return 'an address of this service itself';
    for (const address of embeddedAddressesOf(target)) {
      const why = objection({ address, family: 4 });
      if (why !== null) return `${why} (${address}) in IPv6 form`;
    }
    return null;
  }

  const refusal = (what: string, why: string) =>
    rejected(
      `Probing ${what} is refused: it is ${why}. The deployment setting ${why === outside ? 'probeNetworks' : 'outbound.allow'} decides.`,
    );

  return {
    resolve: (host) => resolveBy(host, lookup, objection, refusal),
    refuse(address) {
      const why = objection(plain(address));
      if (why !== null) throw refusal(address, why);
    },
    refuseRange(first, last) {
      const shown = first === last ? first : `${first} to ${last}`;
      const span = { first: addressNumber(first), last: addressNumber(last) };
      const never = neverProbed.find(({ entries }) => entries.some((entry) => overlaps(entry, bitsOf(first), span)));
      if (never) throw rejected(`Probing ${shown} is refused: ${never.why} is in it.`);
      const stray = isNamed ? firstOutside(policy.networks, bitsOf(first), span) : null;
      if (stray !== null) throw refusal(stray === first ? shown : `${stray} in ${shown}`, outside);
    },
  };
}

interface NumberSpan {
  first: bigint;
  last: bigint;
}

/** Returns the networks of one family in order; a single address counts as a network. */
const spansOf = (entries: readonly string[], bits: number): NumberSpan[] =>
  entries
    .map((entry) => readNetwork(entry.includes('/') ? entry : `${entry}/${bitsOf(entry)}`)!)
    .filter((network) => network.bits === bits)
    .sort((a, b) => (a.first < b.first ? -1 : 1));

const overlaps = (entry: string, bits: number, { first, last }: NumberSpan): boolean =>
  spansOf([entry], bits).some((span) => span.first <= last && first <= span.last);

/** Returns the first address of a span that is outside all networks; null if there is none. */
function firstOutside(entries: readonly string[], bits: 32 | 128, { first, last }: NumberSpan): string | null {
  let nextAddress = first;
  for (const span of spansOf(entries, bits))
    if (span.first <= nextAddress && nextAddress <= span.last) nextAddress = span.last + 1n;
  return nextAddress > last ? null : addressOf(nextAddress, bits);
}
