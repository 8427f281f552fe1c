/** The drivers of network devices; the names are those of the specification. */
export const driverNames = ['qbridge', 'cisco-ios', 'hostapd', 'radius-only', 'linux-firewall', 'ping'] as const;
export type DriverName = (typeof driverNames)[number];
