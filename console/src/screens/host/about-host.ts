import type { RecordValue } from '../../client/group-calls.ts';

/** The code of hosts among elements of the topology. */
const hostElement = 4;

/** So many addresses fit into one question. */
export const macsMax = 50;

const macsOf = ({ adapters }: RecordValue): readonly unknown[] => (Array.isArray(adapters) ? adapters : []);

/** A host has more adapters than are asked for. */
export const hasMoreMacs = (host: RecordValue): boolean => macsOf(host).length > macsMax;

/** Where a field has one of the MAC addresses of a host; nothing when it has none. */
function filterByMacs(field: string, host: RecordValue): string {
  const macs = macsOf(host).slice(0, macsMax);
  return macs.length === 0 ? '' : `${field}=in=(${macs.join(',')})`;
}

/** Filters that find what other groups have about a host. */
export const adapterFilter = (id: string): string => `hostID==${id}`;
export const portChangeFilter = (host: RecordValue): string => filterByMacs('mac', host);
export const radiusResponseFilter = (host: RecordValue): string => filterByMacs('callingStationId', host);
export const eventFilter = (id: string): string => `elementType==${hostElement};elementID==${id}`;
