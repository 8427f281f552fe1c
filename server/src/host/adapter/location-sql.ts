/*
 * The locations of adapters are stored in narrow tables by MAC address: connection_active (now), connection_last (before), ip_mac.
 * Polls write only these tables, never the wide rows of adapters and hosts; records of adapters and hosts read them by joins.
 */

/** The joins for the open connection and the last connection of the adapter `r`. */
export const adapterLocation = {
  live: `select c.mac, c.device_id, c.port_id, c.since, c.last_seen, nullif(c.vlan, '') as vlan,
      case p.port_type when 1 then p.name end as ssid, d.name || ':' || p.name as location, d.container_id
    from connection_active c left join port p on p.id = c.port_id left join network_device d on d.id = c.device_id
    where c.mac = r.physical_address`,
  past: `select l.device_id, l.port_id, l.last_seen, l.location, l.container from connection_last l where l.mac = r.physical_address`,
} as const;

/**
 * The same joins for callers who see only some devices or ports. The ids come from the joined tables, which contain only visible rows,
 * and the stored name of a place is shown only if its device and port are visible.
 */
export const visibleAdapterLocation = [
  {
    sql: adapterLocation.live,
    restricted: adapterLocation.live.replace('c.device_id, c.port_id', 'd.id as device_id, p.id as port_id'),
  },
  {
    sql: adapterLocation.past,
    restricted: `select d.id as device_id, p.id as port_id, l.last_seen, case when d.id is not null and p.id is not null then l.location end as location,
      case when d.id is not null and p.id is not null then l.container end as container
    from connection_last l left join port p on p.id = l.port_id left join network_device d on d.id = l.device_id
    where l.mac = r.physical_address`,
  },
];

/** True if the adapter `r` is connected. For filters over many rows: PostgreSQL reads all connections once. */
export const isConnected = `exists (select from connection_active c where c.mac = r.physical_address)`;

/** Selects an expression for all open connections, with the ids of their adapters. */
export const fromConnections = (expression: string): string =>
  `select a.id, ${expression} as value from connection_active c join adapter a on a.physical_address = c.mac`;

/** The IP address that was seen last with a MAC address. */
export const newestAddress = (mac: string): string =>
  `(select n.ip from ip_mac n where n.mac = ${mac} order by n.last_seen desc, n.ip limit 1)`;

/** Default seconds between L3 polls, if the device that reported an address has no setting or was deleted. */
const defaultInterval = 1_800;

/** The L3 polling interval of the device that reported an entry of ip_mac. */
const interval = (entry: string): string =>
  `(select x.l3_polling_interval from network_device x where x.id = ${entry}.device_id)`;

/** The part of the SQL that reads every device, also hidden ones. It reveals only how long an address counts as current. */
export const readingIntervals = interval('m');

/** True if an entry of ip_mac is current: seen within twice the polling interval of the device that reported it. */
export const isRecentSql = (entry: string): string =>
  `${entry}.last_seen > now() - make_interval(secs => 2 * coalesce(${interval(entry)}, ${defaultInterval}))`;
