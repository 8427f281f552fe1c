/*
 * Where adapters are lies in narrow tables that polls write, by MAC address: connection_active (now), connection_last (before), ip_mac.
 * The records of adapters and hosts look there, so no poll ever changes their wide rows.
 */

const now = `connection_active c join port p on p.id = c.port_id join network_device d on d.id = c.device_id`;

/** What the connection `c` of the adapter `r` says, over its port `p` and device `d`; null when it is not connected. */
export const whereNow = (expression: string): string =>
  `(select ${expression} from ${now} where c.mac = r.physical_address)`;

/** The same, or else what the last connection `l` says. */
export const whereNowOrLast = (expression: string, last: string): string =>
  `coalesce(${whereNow(expression)}, (select ${last} from connection_last l where l.mac = r.physical_address))`;

/** What all connections say, each with the id of its adapter. */
export const atHand = (expression: string): string =>
  `select a.id, ${expression} as value from connection_active c join adapter a on a.physical_address = c.mac`;

/** The address that was seen last with a MAC address. */
export const newestAddress = (mac: string): string =>
  `(select m.ip from ip_mac m where m.mac = ${mac} order by m.last_seen desc, m.ip limit 1)`;

/** Seconds between readings where the device that told an address says nothing else, or is gone. */
const usualInterval = 1_800;

/** Whether an entry of ip_mac still holds: it was seen within twice the time between two readings of the device that told it. */
export const fresh = (entry: string): string =>
  `${entry}.last_seen > now() - make_interval(secs => 2 * coalesce((select x.l3_polling_interval from network_device x where x.id = ${entry}.device_id), ${usualInterval}))`;
