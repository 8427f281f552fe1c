import type { RecordValue } from '../../client/group-calls.ts';

/** The code of hosts among elements of the topology. */
const hostElement = 4;

/** So many addresses fit into one question. */
export const macsMax = 50;

const macsOf = ({ adapters }: RecordValue): readonly unknown[] => (Array.isArray(adapters) ? adapters : []);

/** A host has more adapters than are asked for. */
export const hasMoreMacs = (host: RecordValue): boolean => macsOf(host).length > macsMax;

/** Where a field has one of the MAC addresses of a host; nothing when it has none. */
function ofMacs(field: string, host: RecordValue): string {
  const macs = macsOf(host).slice(0, macsMax);
  return macs.length === 0 ? '' : `${field}=in=(${macs.join(',')})`;
}

/** Filters that find what other groups have about a host. */
export const adaptersOf = (id: string): string => `hostID==${id}`;
export const portChangesOf = (host: RecordValue): string => ofMacs('mac', host);
export const radiusAnswersOf = (host: RecordValue): string => ofMacs('callingStationId', host);
export const eventsOfHost = (id: string): string => `elementType==${hostElement};elementID==${id}`;
