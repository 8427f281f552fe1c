import type { Context } from '../../context.ts';
import { type Fault, invalid, rejected } from '../../kernel/failure.ts';
import { integerMax, type ObjectShape } from '../../kernel/shape.ts';
import { networkAddressGroup } from '../../network/network-address-group/network-address-group.ts';
import { deviceProperties } from '../network-device/device-properties.ts';
import { addressesMax } from './discovery.ts';
import { addressesIn, isInside, merged, type SentRange, type Span, spanOf, spanOfNetwork } from './fence.ts';
import { credentialFaults, credentialShape, credentialsMax, type RunCredential } from './run-credentials.ts';
import type { RunOptions } from './stored-run.ts';

const range: ObjectShape = {
  kind: 'object',
  name: 'AddressRange',
  properties: {
    start: { kind: 'address', doc: 'First address.' },
    end: { kind: 'address', doc: 'Last address.' },
    cidr: {
      kind: 'network',
      doc: 'A network instead; its first and last address are left out, as in IPv4 nobody has them.',
    },
  },
};

/** What a discovery is asked for with. */
export const discoveryRequest: ObjectShape = {
  kind: 'object',
  name: 'DiscoveryRequest',
  required: ['containerID', 'credentials'],
  properties: {
    containerID: { kind: 'integer', min: 1, max: integerMax, doc: 'Where devices that are found are modelled.' },
    ranges: {
      kind: 'list',
      item: range,
      max: 100,
      doc: `Addresses to ask, at most ${addressesMax}; with seeds the fence that is never left.`,
    },
    addressGroupID: {
      kind: 'integer',
      min: 1,
      max: integerMax,
      nullable: true,
      doc: 'A network address group whose addresses are ranges too.',
    },
    seeds: {
      kind: 'list',
      item: { kind: 'address' },
      max: 1_000,
      doc: 'Devices to begin with: their neighbours are asked next, and so on.',
    },
    useLLDP: { kind: 'flag', doc: 'Follow neighbours that LLDP tells; true unless said otherwise.' },
    useCDP: { kind: 'flag', doc: 'Follow neighbours that CDP tells; true unless said otherwise.' },
    maxHops: {
      kind: 'integer',
      min: 0,
      max: 20,
      doc: 'How many steps neighbours are followed from the seeds; absent: as the device properties say.',
    },
    credentials: {
      kind: 'list',
      item: credentialShape,
      max: credentialsMax,
      doc: 'Tried in their order at each address; the one that is right is stored in the device.',
    },
    addPingable: { kind: 'flag', doc: 'Model also what answers to ping alone; false unless said otherwise.' },
    probesPerSecond: {
      kind: 'integer',
      min: 1,
      max: 1_000,
      doc: 'Addresses that are begun in a second; 50 unless said otherwise.',
    },
  },
};

export interface DiscoveryRequest {
  containerID: number;
  ranges?: SentRange[];
  addressGroupID?: number | null;
  seeds?: string[];
  useLLDP?: boolean;
  useCDP?: boolean;
  maxHops?: number;
  credentials: RunCredential[];
  addPingable?: boolean;
  probesPerSecond?: number;
}

/** The ranges of a request; refuses what is wrong with it by itself. */
export function sentSpans(request: DiscoveryRequest): Span[] {
  const { ranges = [], addressGroupID, credentials, addPingable = false } = request;
  const spans = ranges.map(spanOf);
  const faults: Fault[] = spans.flatMap((span, at) =>
    typeof span === 'string' ? [{ pointer: `/ranges/${at}`, message: `ranges[${at}]: ${span}.` }] : [],
  );
  if (ranges.length === 0 && !addressGroupID)
    faults.push({
      pointer: '/ranges',
      message: 'ranges: say which addresses may be asked, here or by addressGroupID.',
    });
  if (credentials.length === 0 && !addPingable)
    faults.push({
      pointer: '/credentials',
      message: 'credentials: without one only pingable devices can be found; say addPingable, or give one.',
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

/** Where a run may go, and where it begins. `isSent`: all of it stood in the request, so that the request alone is wrong. */
export function wayThrough(
  spans: readonly Span[],
  seeds: readonly string[],
  isSent: boolean,
): { fence: Span[]; starts: Span[] } {
  const refuse = (pointer: string, message: string) =>
    isSent ? invalid([{ pointer, message }]) : rejected(message, pointer);
  const fence = merged(spans);
  const stray = seeds.find((seed) => !isInside(fence, seed));
  if (stray !== undefined) throw refuse('/seeds', `seeds: ${stray} is in none of the ranges.`);
  const starts = seeds.length > 0 ? merged(seeds.map((seed) => ({ first: seed, last: seed }))) : fence;
  const count = addressesIn(starts);
  if (count > addressesMax)
    throw refuse(
      '/ranges',
      `ranges: ${count} addresses; a run asks at most ${addressesMax}. Split them, or give seeds.`,
    );
  if (count === 0n) throw refuse('/ranges', 'ranges: there is no address in them.');
  return { fence, starts };
}

/** How the run goes about it: as was asked, and as far as the properties of the cell permit. */
export async function optionsFor(request: DiscoveryRequest, { tx }: Context): Promise<RunOptions> {
  const cell = (await tx.records.fetch(deviceProperties, 1))!;
  return {
    isSeeded: (request.seeds ?? []).length > 0,
    useLLDP: (request.useLLDP ?? true) && cell.lldpDiscovery === true,
    useCDP: (request.useCDP ?? true) && cell.cdpDiscovery === true,
    maxHops: request.maxHops ?? Number(cell.maxHops),
    addPingable: request.addPingable ?? false,
    probesPerSecond: request.probesPerSecond ?? 50,
  };
}
