import type { RecordValue } from '../../client/group-calls.ts';

/** Element type of hosts in events. */
const hostElement = 4;

/** Maximum number of MAC addresses in one filter. */
export const macsMax = 50;

const macsOf = ({ adapters }: RecordValue): readonly unknown[] => (Array.isArray(adapters) ? adapters : []);

/** Returns whether a host has more adapters than a filter can contain. */
export const hasMoreMacs = (host: RecordValue): boolean => macsOf(host).length > macsMax;

/** Returns the filter for a field that has one of the host's MAC addresses; empty if it has none. */
function filterByMacs(field: string, host: RecordValue): string {
  const macs = macsOf(host).slice(0, macsMax);
  return macs.length === 0 ? '' : `${field}=in=(${macs.join(',')})`;
}

/** Filters for the related records of a host. */
export const adapterFilter = (id: string): string => `hostID==${id}`;
export const portChangeFilter = (host: RecordValue): string => filterByMacs('mac', host);
export const radiusResponseFilter = (host: RecordValue): string => filterByMacs('callingStationId', host);
export const eventFilter = (id: string): string => `elementType==${hostElement};elementID==${id}`;
