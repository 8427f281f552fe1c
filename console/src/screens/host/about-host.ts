import type { RecordValue } from '../../client/group-calls.ts';

/** The code of hosts among elements of the topology. */
const hostElement = 4;

/** Events of a host. */
export const eventsOfHost = (id: string): string => `elementType==${hostElement};elementID==${id}`;

/** Where a field has one of the MAC addresses of a host; nothing when it has none. */
export function ofMacs(field: string, host: RecordValue): string {
  const macs = Array.isArray(host.adapters) ? host.adapters : [];
  return macs.length === 0 ? '' : `${field}=in=(${macs.join(',')})`;
}
