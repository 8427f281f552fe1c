import type { Context } from '../../context.ts';
import type { ObjectShape } from '../../kernel/declare/shape.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import type { ValueOf } from '../../kernel/declare/value-of.ts';
import { type Fault, invalid, rejected } from '../../kernel/failure.ts';
import { networkAddressGroup } from '../../network/network-address-group/network-address-group.ts';
import { deviceProperties } from '../device-properties/device-properties.ts';
import { addressesIn, isInside, merged, type Span, spanOf, spanOfNetwork } from './allowed-ranges.ts';
import { addressesMax } from './discovery.ts';
import { credentialFaults, credentialShape, credentialsMax } from './run-credentials.ts';
import type { RunOptions } from './stored-run.ts';

const range = {
  kind: 'object',
  name: 'AddressRange',
  properties: {
    start: { kind: 'address', doc: 'First address.' },
    end: { kind: 'address', doc: 'Last address.' },
    cidr: {
      kind: 'network',
      doc: 'A network instead; the network and broadcast address of an IPv4 network are left out.',
    },
  },
} as const satisfies ObjectShape;

/** Body of a discovery request. */
export const discoveryRequest = {
  kind: 'object',
  name: 'DiscoveryRequest',
  required: ['containerID', 'credentials'],
  properties: {
    containerID: { ...shapes.id, doc: 'Container for the devices that are found.' },
    ranges: {
      kind: 'list',
      item: range,
      max: 100,
      doc: `Addresses to probe, at most ${addressesMax}; with seeds, the only addresses that may be probed.`,
    },
    addressGroupID: {
      ...shapes.id,
      nullable: true,
      doc: 'A network address group whose addresses are added to the ranges.',
    },
    seeds: {
      kind: 'list',
      item: { kind: 'address' },
      max: 1_000,
      doc: 'Devices to start with: their neighbours are probed next, and so on.',
    },
    useLLDP: { kind: 'flag', doc: 'Follow neighbours reported by LLDP. Default: true.' },
    useCDP: { kind: 'flag', doc: 'Follow neighbours reported by CDP. Default: true.' },
    maxHops: {
      kind: 'integer',
      min: 0,
      max: 20,
      doc: 'Maximum hops from the seeds; absent: maxHops of the device properties.',
    },
    credentials: {
      kind: 'list',
      item: credentialShape,
      max: credentialsMax,
      doc: 'Tried in this order at each address; the one that works is stored with the device.',
    },
    addPingable: { kind: 'flag', doc: 'Also add devices that respond only to ping. Default: false.' },
    probesPerSecond: {
      kind: 'integer',
      min: 1,
      max: 1_000,
      doc: 'Addresses probed per second. Default: 50.',
    },
  },
} as const satisfies ObjectShape;

export type DiscoveryRequest = ValueOf<typeof discoveryRequest>;

/** Returns the ranges of a request; throws if the request itself is invalid. */
export function sentSpans(request: DiscoveryRequest): Span[] {
  const { ranges = [], addressGroupID, credentials, addPingable = false } = request;
  const spans = ranges.map(spanOf);
  const faults: Fault[] = spans.flatMap((span, index) =>
    typeof span === 'string' ? [{ pointer: `/ranges/${index}`, message: `ranges[${index}]: ${span}.` }] : [],
  );
  if (ranges.length === 0 && !addressGroupID)
    faults.push({
      pointer: '/ranges',
      message: 'ranges: no addresses to probe; set ranges or addressGroupID.',
    });
  if (credentials.length === 0 && !addPingable)
    faults.push({
      pointer: '/credentials',
      message: 'credentials: without credentials only pingable devices can be found; add one, or set addPingable.',
    });
  faults.push(...credentialFaults(credentials));
  if (faults.length > 0) throw invalid(faults);
  return spans as Span[];
}

interface GroupedAddress {
  network: string | null;
  start: string | null;
  end: string | null;
  address: string | null;
}

export async function spansOfGroup(context: Context, id: number | null | undefined): Promise<Span[]> {
  if (!id) return [];
  if (!(await context.tx.records.exists(networkAddressGroup, id)))
    throw rejected(`addressGroupID: there is no network address group ${id}.`, '/addressGroupID');
  const rows = await context.query<GroupedAddress>(
    `select n.network::text as network, host(n.start) as start, host(n."end") as "end", host(n.address) as address
     from network_address_group g
     cross join lateral jsonb_array_elements_text(g.address_ids) a
     join network_address n on n.id = a::bigint
     where g.id = $1`,
    [id],
  );
  return rows.map(({ network, start, end, address }) =>
    network ? spanOfNetwork(network) : { first: start ?? address!, last: end ?? address! },
  );
}

/**
 * Returns the addresses that a run may probe, and those it starts with. `isSent`: all ranges are in the request, so an
 * error is a fault of the request.
 */
export function wayThrough(
  spans: readonly Span[],
  seeds: readonly string[],
  isSent: boolean,
): { allowedRanges: Span[]; starts: Span[] } {
  const refuse = (pointer: string, message: string) =>
    isSent ? invalid([{ pointer, message }]) : rejected(message, pointer);
  const allowedRanges = merged(spans);
  const stray = seeds.find((seed) => !isInside(allowedRanges, seed));
  if (stray !== undefined) throw refuse('/seeds', `seeds: ${stray} is not in any of the ranges.`);
  const starts = seeds.length > 0 ? merged(seeds.map((seed) => ({ first: seed, last: seed }))) : allowedRanges;
  const count = addressesIn(starts);
  if (count > addressesMax)
    throw refuse(
      '/ranges',
      `ranges: ${count} addresses; a run probes at most ${addressesMax}. Split the ranges, or set seeds.`,
    );
  if (count === 0n) throw refuse('/ranges', 'ranges: they contain no address.');
  return { allowedRanges, starts };
}

/** Returns the options of a run: those of the request, limited by the properties of the cell. */
export async function optionsFor(request: DiscoveryRequest, { tx }: Context): Promise<RunOptions> {
  const cell = (await tx.records.fetch(deviceProperties, 1))!;
  return {
    isSeeded: (request.seeds ?? []).length > 0,
    useLLDP: (request.useLLDP ?? true) && cell.lldpDiscovery,
    useCDP: (request.useCDP ?? true) && cell.cdpDiscovery,
    maxHops: request.maxHops ?? cell.maxHops,
    addPingable: request.addPingable ?? false,
    probesPerSecond: request.probesPerSecond ?? 50,
  };
}
