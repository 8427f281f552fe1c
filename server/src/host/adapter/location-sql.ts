/*
 * Where adapters are lies in narrow tables that polls write, by MAC address: connection_active (now), connection_last (before), ip_mac.
 * The records of adapters and hosts look there, so no poll ever changes their wide rows.
 */

/** Where the adapter `r` is, and where it was before. */
export const adapterLocation = {
  live: `select c.mac, c.device_id, c.port_id, c.since, c.last_seen, nullif(c.vlan, '') as vlan,
      case p.port_type when 1 then p.name end as ssid, d.name || ':' || p.name as location, d.container_id
    from connection_active c left join port p on p.id = c.port_id left join network_device d on d.id = c.device_id
    where c.mac = r.physical_address`,
  past: `select l.device_id, l.port_id, l.last_seen, l.location, l.container from connection_last l where l.mac = r.physical_address`,
} as const;

/**
 * The same for somebody from whom devices or ports are hidden: ids come from those tables, which show what is visible, and the
 * stored name of a place only with its device and port.
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

/** Whether the adapter `r` is anywhere: for many rows at once, which one reading of all connections answers. */
export const isConnected = `exists (select from connection_active c where c.mac = r.physical_address)`;

/** What all connections say, each with the id of its adapter. */
export const fromConnections = (expression: string): string =>
  `select a.id, ${expression} as value from connection_active c join adapter a on a.physical_address = c.mac`;

/** The address that was seen last with a MAC address. */
export const newestAddress = (mac: string): string =>
  `(select n.ip from ip_mac n where n.mac = ${mac} order by n.last_seen desc, n.ip limit 1)`;

/** Default seconds between readings, if the device that reported an address has no setting or was deleted. */
const usualInterval = 1_800;

/** How often the device that reported an entry of ip_mac is read. */
const interval = (entry: string): string =>
  `(select x.l3_polling_interval from network_device x where x.id = ${entry}.device_id)`;

/** What adapters read of every device: how long an address counts as current is no secret of a device. */
export const readingIntervals = interval('m');

/** Whether an entry of ip_mac is still valid: seen within twice the polling interval of the device that reported it. */
export const isRecentSql = (entry: string): string =>
  `${entry}.last_seen > now() - make_interval(secs => 2 * coalesce(${interval(entry)}, ${usualInterval}))`;
